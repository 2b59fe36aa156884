"""Encodes messages as input of the network, as internal/nano does in Go.

A token is a number below VOCABULARY; a place (index, field, rest) is where in a
text the token is. docs/nano.md has the reasons.
"""

import re

from wordings import PHRASES, WORDS

MARKS = ["[", "]", ", ", "['", "', '", "']"]
END, SYSTEM, USER, ASSISTANT, TEXT, LIST, UNKNOWN = range(262, 269)
ANSWERABLE = 263  # bytes, marks and END: the tokens of answers
VOCABULARY = 269 + len(WORDS) + len(PHRASES)
INDEXES, FIELDS, RESTS = 192, 24, 128

_WORD = {w: 269 + i for i, w in enumerate(WORDS)}
_PHRASE = {p.encode(): 269 + len(WORDS) + i for i, p in enumerate(PHRASES)}
_MARK = {m.encode(): 256 + i for i, m in enumerate(MARKS)}


def _longest_first(texts):
    return b"|".join(re.escape(t) for t in sorted(texts, key=len, reverse=True))


_INSTRUCTION = re.compile(b"(" + _longest_first(_PHRASE) + rb")|([A-Za-z0-9'\x80-\xff]+)")
_LISTED = re.compile(_longest_first(_MARK) + b"|.", re.DOTALL)
_SUM = re.compile(rb'-?[0-9]+" "-?[0-9]+')


def span(text: bytes):
    """The start and end of the content in a user's message, and its kind."""
    quote, bracket = text.find(b'"'), text.find(b"[")
    if quote >= 0 and (bracket < 0 or quote < bracket):
        last = text.rfind(b'"')
        return quote + 1, last if last > quote else len(text), '"'
    if bracket >= 0:
        last = text.rfind(b"]")
        return bracket, last + 1 if last > bracket else len(text), "["
    colon = text.rfind(b": ")
    start = colon + 2 if colon >= 0 else len(text)
    return start, len(text), ":"


def instruction(text: bytes):
    """The tokens of a text outside the content: phrases and words; other characters are skipped."""
    ids = []
    for m in _INSTRUCTION.finditer(text):
        if m[1]:
            ids.append(_PHRASE[m[1]])
        else:
            ids.append(_WORD.get(m[2].lower().decode("latin-1"), UNKNOWN))
    return ids


def listed(text: bytes):
    """The tokens of a list: marks and bytes."""
    return [_MARK.get(piece, piece[0]) for piece in _LISTED.findall(text)]


def is_mark(token):
    return 256 <= token < END


class Sequence:
    """A sequence of tokens with their places, to which messages are added."""

    def __init__(self):
        self.tokens, self.places = [], []

    def plain(self, *tokens):
        self.tokens += tokens
        self.places += [(0, 0, 0)] * len(tokens)

    def text(self, content: bytes, field):
        n = len(content) + 1
        self.tokens += [TEXT, *content]
        self.places += [(min(i, INDEXES - 1), field, min(n - i, RESTS - 1)) for i in range(n)]

    def list(self, content: bytes):
        ids = listed(content)
        rests, rest = [0] * len(ids), 0
        for i in reversed(range(len(ids))):
            rest += 1
            rests[i] = rest
            if is_mark(ids[i]):
                rest = 0
        self.tokens.append(LIST)
        self.places.append((0, 0, 1))
        self._numbered(ids, rests)

    def answer(self, ids):
        self._numbered(ids, [0] * len(ids))

    def _numbered(self, ids, rests):
        field = 0
        self.tokens += ids
        for i, (token, rest) in enumerate(zip(ids, rests)):
            field += is_mark(token)
            self.places.append((min(i + 1, INDEXES - 1), min(field, FIELDS - 1), min(rest, RESTS - 1)))

    def user(self, text: str):
        raw = text.encode()
        start, end, kind = span(raw)
        before = raw[: start - (kind == '"')]
        after = raw[end + (kind == '"') :]
        self.plain(USER, *instruction(before), *instruction(after))
        content = raw[start:end]
        if kind == "[":
            self.list(content)
        elif kind == '"' and _SUM.fullmatch(content):
            for field, number in enumerate(content.split(b'" "')):
                self.text(number, field)
        else:
            self.text(content, 0)


def answer_tokens(text: str):
    raw = text.encode()
    return listed(raw) if raw.startswith(b"[") else list(raw)


def encode(messages):
    """The Sequence of a prompt, with ASSISTANT at its end. messages are (role, text)."""
    s = Sequence()
    for role, text in messages:
        if role == "system":
            s.plain(SYSTEM, *instruction(text.encode()))
        elif role == "user":
            s.user(text)
        else:
            s.plain(ASSISTANT)
            s.answer(answer_tokens(text))
            s.plain(END)
    s.plain(ASSISTANT)
    return s


def decode(ids) -> str:
    """The text of answer tokens."""
    return b"".join(MARKS[t - 256].encode() if is_mark(t) else bytes([t]) for t in ids if t < END).decode("utf-8", "replace")
