"""What the network is trained on: questions with their answers, block by block.

Most items are drawn by the program itself (`verbatim items`). The seeds are SEEDS
and above, which no benchmark uses; the default items of the program's suites are
left out, too. Texts that the program's families do not draw are made here: other
scripts, quotes and line ends inside texts, operands of unequal lengths, numbers of
other sizes. A block is a function of its number alone.
"""

import ast
import collections
import json
import random
import string
import subprocess

from tokens import END, answer_tokens, encode
from wordings import wording

SEEDS = 1 << 40
BLOCK = 500  # steps

# What is drawn: (family, task, least length, greatest length, mean of an exponential length or None, share of each
# part of the training). The families whose names begin with own- are made here, the others are the program's.
Kind = collections.namedtuple("Kind", "family task least most mean shares")
MIX = [
    Kind("copy", "copy", 1, 76, 22, (8.0, 4.0, 4.0, 4.0)),
    Kind("own-copy", "copy", 0, 76, 20, (5.0, 3.0, 3.0, 3.0)),
    Kind("reverse", "reverse", 1, 42, 12, (9.0, 4.5, 4.5, 4.5)),
    Kind("own-reverse", "reverse", 0, 42, 11, (5.0, 3.0, 3.0, 3.0)),
    Kind("reverse", "reverse", 20, 42, None, (0.0, 0.0, 0.0, 10.0)),
    Kind("add", "add", 1, 8, None, (14.0, 0.0, 0.0, 16.0)),
    Kind("own-add", "add", 1, 8, None, (12.0, 0.0, 0.0, 10.0)),
    Kind("own-add-plain", "add", 2, 8, None, (0.0, 0.0, 0.0, 14.0)),
    Kind("add", "add", 1, 6, None, (0.0, 16.0, 0.0, 0.0)),
    Kind("own-add", "add", 1, 6, None, (0.0, 10.0, 0.0, 0.0)),
    Kind("own-add-plain", "add", 2, 6, None, (0.0, 14.0, 0.0, 0.0)),
    Kind("add", "add", 1, 7, None, (0.0, 0.0, 16.0, 0.0)),
    Kind("own-add", "add", 1, 7, None, (0.0, 0.0, 10.0, 0.0)),
    Kind("own-add-plain", "add", 2, 7, None, (0.0, 0.0, 14.0, 0.0)),
    Kind("sort-int", "sort", 2, 10, None, (16.0, 15.0, 15.0, 15.0)),
    Kind("own-ints", "sort", 1, 10, None, (5.0, 3.0, 3.0, 3.0)),
    Kind("sort-int-negative", "sort", 2, 7, None, (2.5, 0.0, 0.0, 0.0)),
    Kind("sort-int-negative", "sort", 2, 4, None, (0.0, 1.5, 1.5, 1.5)),
    Kind("sort-int-sorted", "sort", 2, 6, None, (1.0, 0.5, 0.5, 0.5)),
    Kind("sort-int-duplicate", "sort", 2, 6, None, (1.5, 0.3, 0.3, 0.3)),
    Kind("sort-int-large", "sort", 2, 3, None, (1.0, 0.5, 0.5, 0.5)),
    Kind("sort-word", "sort", 2, 5, None, (11.0, 15.0, 15.0, 15.0)),
    Kind("own-words", "sort", 1, 6, None, (2.0, 1.5, 1.5, 1.5)),
    Kind("sort-ascii", "sort", 2, 4, None, (2.0, 0.6, 0.6, 0.6)),
    Kind("sort-ascii-cased", "sort", 2, 3, None, (1.2, 0.4, 0.4, 0.4)),
    Kind("sort-word-prefixed", "sort", 2, 3, None, (1.0, 0.6, 0.6, 0.6)),
    Kind("sort-number-words", "sort", 2, 2, None, (0.8, 0.5, 0.5, 0.5)),
    Kind("sort-word-sorted", "sort", 2, 3, None, (0.4, 0.0, 0.0, 0.0)),
    Kind("sort-word-sorted", "sort", 2, 5, None, (0.0, 2.0, 2.0, 2.0)),
    Kind("sort-word-duplicate", "sort", 2, 4, None, (0.6, 0.0, 0.0, 0.0)),
    Kind("sort-float", "sort", 2, 3, None, (0.8, 0.5, 0.5, 0.5)),
    Kind("sort-float-negative", "sort", 2, 2, None, (0.6, 0.3, 0.3, 0.3)),
    Kind("sort-float-large", "sort", 2, 2, None, (0.5, 0.3, 0.3, 0.3)),
    Kind("sort-float-small", "sort", 2, 2, None, (0.5, 0.3, 0.3, 0.3)),
    Kind("sort-float-sorted", "sort", 2, 3, None, (0.2, 0.0, 0.0, 0.0)),
    Kind("sort-float-sorted", "sort", 2, 5, None, (0.0, 3.0, 3.0, 3.0)),
    Kind("sort-float-duplicate", "sort", 2, 4, None, (0.4, 0.0, 0.0, 0.0)),
]
PARTS = [0, 14_500, 21_500, 26_000]  # the steps at which the parts begin
OFFICIAL_SHARE = 0.5
SHOTS_SHARE = 0.05
GROWS = 4000  # steps until lists and numbers have their full lengths

ALNUM = string.ascii_letters + string.digits
PRINTABLE = "".join(map(chr, range(32, 127)))
UNICODE = "äöüßéèêñçøåčšžłœ€£→•…“”αβγδλπωабвгдежзиклмнопрст你好世界日本語中文字한국어שלוםمرحبا😀🎉🚀✓é"


def items(program, *args):
    """The items that the program draws, as objects."""
    out = subprocess.run([program, "items", *args], check=True, capture_output=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def content(item):
    """The text that an item's question is about, with its quotation marks or brackets."""
    text = item["messages"][-1]["content"]
    begin, end = "[]" if item["facts"]["family"].startswith("sort-") else '""'
    return text[text.index(begin) : text.rindex(end) + 1]


def suite_texts(program):
    """The contents of the default items of the suites, which are not trained on."""
    seen = set()
    for suite in ("quick", "simpe", "sortbench"):
        for edition in ("standard", "paper", "reference"):
            if suite == "sortbench" and edition == "reference":
                continue  # its lists are published ones, not drawn from a seed
            seen.update(content(i) for i in items(program, "--suite", suite, "--edition", edition))
    return seen


def text_of(R, n):
    """A text of n characters, of one of several sorts; of the sort with Unicode, n // 2 characters."""
    u = R.random()
    if u < 0.3:
        return "".join(R.choices(PRINTABLE, k=n))
    if u < 0.55:
        words = []
        while sum(map(len, words)) + len(words) < n:
            words.append("".join(R.choices(string.ascii_lowercase, k=R.randint(1, 9))))
        return " ".join(words)[:n]
    if u < 0.7:
        few = R.choices(ALNUM, k=R.randint(1, 4))
        return "".join(R.choices(few, k=n))
    if u < 0.85:
        return "".join(R.choices(ALNUM + UNICODE if R.random() < 0.5 else UNICODE, k=n // 2))
    s = R.choices(ALNUM, k=n)
    for _ in range(min(n, R.randint(1, 3))):
        s[R.randrange(n)] = R.choice("\"\n\t\\'[]? :")
    return "".join(s)


def own(R, kind, n):
    """A text to work on, made here."""
    if kind.family in ("own-copy", "own-reverse"):
        return f'"{text_of(R, n)}"'
    if kind.family in ("own-add", "own-add-plain"):
        a, b = number(R, n), number(R, R.randint(1, n))
        if kind.family == "own-add-plain":  # of equal lengths, with a sum of the same length
            a = R.randrange(10 ** (n - 1), 9 * 10 ** (n - 1))
            b = R.randrange(10 ** (n - 1), 10**n - a)
        return f'"{a}" "{b}"' if R.random() < 0.5 else f'"{b}" "{a}"'
    if kind.family == "own-ints":
        top, below = R.choice([10, 100, 1000, 1000, 10000]), R.random() < 0.2
        return str([R.randrange(-top if below else 0, top) for _ in range(n)])
    return str(["".join(R.choices(string.ascii_lowercase, k=R.randint(1, 8))) for _ in range(n)])


def number(R, digits):
    return R.randrange(10 ** (digits - 1) if digits > 1 else 0, 10**digits)


def answer(task, content):
    """The right answer to a content."""
    if task == "copy":
        return content[1:-1]
    if task == "reverse":
        return content[-2:0:-1]
    if task == "add":
        return str(sum(map(int, content[1:-1].split('" "'))))
    if "'" in content or '"' in content:
        return str(sorted(ast.literal_eval(content)))
    return "[" + ", ".join(sorted(content[1:-1].split(", "), key=float)) + "]"


def length(R, kind, grown):
    if kind.mean:
        return min(kind.least + int(R.expovariate(1 / kind.mean)), kind.most)
    most = kind.least + (kind.most - kind.least) * grown
    n = min(kind.least + int((most - kind.least + 1) * R.random()), kind.most)
    return n - n % 2 if kind.family.endswith("duplicate") else n


def answered(messages, right):
    """A question in the form for training: tokens, places, and the index of the answer's first token."""
    s = encode(messages)
    start = len(s.tokens)
    s.answer(answer_tokens(right))
    s.plain(END)
    return s.tokens, s.places, start


class Questions:
    """Iterates over the questions of one block, as answered returns them: many, without those that are left out."""

    def __init__(self, program, block, left_out, many=28000):
        self.R = random.Random(f"nano {block}")
        self.grown = min(1.0, 0.25 + 0.75 * block * BLOCK / GROWS)
        part = sum(block * BLOCK >= begins for begins in PARTS) - 1
        self.shares = [kind.shares[part] for kind in MIX]
        self.plan = [self._planned() for _ in range(many)]
        self.left_out = left_out
        self.pools = self._pools(program, SEEDS + block)
        self.last = {}

    def _planned(self):
        kind = self.R.choices(MIX, self.shares)[0]
        return kind, length(self.R, kind, self.grown)

    def _pools(self, program, seed):
        need = collections.Counter((k.family, n) for k, n in self.plan if not k.family.startswith("own-"))
        pools = {}
        for family in sorted({f for f, _ in need}):
            lengths = sorted(n for f, n in need if f == family)
            half = len(lengths) // 2  # long texts are rare: two calls draw fewer unused items
            for some in filter(None, (lengths[:half], lengths[half:])):
                many = max(need[family, n] for n in some)
                for item in items(program, "--task", family, "--length", ",".join(map(str, some)), "--items", str(many), "--seed", str(seed)):
                    pools.setdefault((family, int(item["facts"]["length"])), []).append(content(item))
        for pool in pools.values():
            pool.reverse()
        return pools

    def __iter__(self):
        for kind, n in self.plan:
            what = own(self.R, kind, n) if kind.family.startswith("own-") else self.pools[kind.family, n].pop()
            if what in self.left_out:
                continue
            yield self._question(kind.task, what)

    def _question(self, task, what):
        R = self.R
        system, before, after = wording(R, task, OFFICIAL_SHARE)
        bare = task in ("copy", "reverse") and before and not after and R.random() < 0.04 and not set('"[:\n') & set(what[1:-1]) and not set('"[') & set(before)
        messages = [("system", system)] if system else []
        if R.random() < SHOTS_SHARE and task in self.last:
            for earlier in R.sample(self.last[task], R.randint(1, len(self.last[task]))):
                messages += [("user", before + earlier + after), ("assistant", answer(task, earlier))]
        asked = before.rstrip(" .?:\n") + ": " + what[1:-1] if bare else before + what + after
        messages.append(("user", asked))
        if len(what) < 60:
            self.last[task] = ([what] + self.last.get(task, []))[:2]
        return answered(messages, answer(task, what))
