"""Says what CPython makes of texts: the other side of referee_test.go.

Reads JSON lines [operation, text] and answers each with a JSON line: the repr of
the result, or null where Python raises an exception. Nothing is executed: texts
are parsed by ast.parse and walked.
"""

import ast
import json
import sys
import warnings

LIMIT = 4300  # digits; Python's default, which older Pythons do not have


class OrderedSet:
    """A set that is printed in the order of writing, unlike Python's own."""

    __hash__ = None

    def __init__(self, members):
        self.members = dict.fromkeys(members)

    def __len__(self):
        return len(self.members)

    def __iter__(self):
        return iter(self.members)

    def __repr__(self):
        return "{" + ", ".join(map(repr, self)) + "}"


def walk(node):
    signs = []
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        signs.append(node.op)
        node = node.operand
    value = walk_unsigned(node)
    if signs and not isinstance(value, (int, float, complex)):
        raise ValueError("a sign before something else than a number")
    for sign in reversed(signs):
        value = -value if isinstance(sign, ast.USub) else +value
    return value


def walk_unsigned(node):
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List):
        return [walk(n) for n in node.elts]
    if isinstance(node, ast.Tuple):
        return tuple(walk(n) for n in node.elts)
    if isinstance(node, ast.Set):
        return OrderedSet(walk(n) for n in node.elts)
    if isinstance(node, ast.Dict):
        return {walk(k): walk(v) for k, v in zip(node.keys, node.values)}
    raise ValueError("not a literal")


def show(value):
    try:
        return repr(value)
    except ValueError:  # an int too long to print, which still is a value
        sys.set_int_max_str_digits(0)
        try:
            return repr(value)
        finally:
            sys.set_int_max_str_digits(LIMIT)


def parse(text):
    return walk(ast.parse(text.lstrip(" \t"), mode="eval").body)


def item(text):
    """The first item of a list, or the literal itself, as Python's own value."""
    value = parse(text)
    return value[0] if isinstance(value, list) and value else value


OPERATIONS = {
    "parse": lambda text: show(parse(text)),
    "int": lambda text: show(int(item(text))),
    "float": lambda text: show(float(item(text))),
    "str": lambda text: repr(str(item(text))),
    "bool": lambda text: show(bool(item(text))),
    "list": lambda text: show(list(item(text))),
    "strip": lambda text: repr(text.strip()),
    "repr": lambda text: repr(text),
}


def main():
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        operation, text = json.loads(line)
        try:
            answer = OPERATIONS[operation](text)
        except Exception:
            answer = None
        print(json.dumps(answer), flush=True)


main()
