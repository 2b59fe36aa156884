"""Writes the answers of JAX with the shipped weights, which the Go program must give, too:
python parity.py --program verbatim --run run --out ../../internal/nano/testdata/replies.jsonl

200 prompts of every family, of several lengths and wordings, with examples and
without. Each line has the messages, the tokens of the prompt and of the greedy
answer, and whether the answer was cut.
"""

import argparse
import json
import os

import jax
import numpy as np

import network
from data import items
from tokens import END, encode, is_mark, INDEXES, FIELDS

MOST = 200  # tokens of an answer
SEED = (1 << 50) + 1
ASKED = [
    ["--suite", "quick"],
    ["--task", "copy,reverse,sort-int,sort-word,add", "--length", "3,5", "--items", "1", "--paraphrase", "1"],
    ["--task", "copy,reverse,sort-int,sort-word,add", "--length", "3,5", "--items", "1", "--paraphrase", "2"],
    ["--task", "copy,reverse,sort-int,sort-word,add", "--length", "3,5", "--items", "1", "--paraphrase", "3"],
    ["--task", "copy,reverse,sort-int,sort-word,add", "--length", "4,7", "--items", "2", "--shots", "2"],
    ["--task", "copy,reverse,add", "--length", "9,18,50,100", "--items", "3"],
    ["--task", "sort-int,sort-word", "--length", "10,12", "--items", "5", "--no-system"],
]
CHATS = ["hello", "", 'Say this back to me: "naïve — “quoted” 😀"', 'Reverse this: "a"b\nc"', "What is 2 + 2?", "Sort: [3, 1, 2", '""', "[]", "Copy this: no quotes here", "Sort ['a\"b', \"it's\"]"]


def prompts(program):
    asked = [i["messages"] for args in ASKED for i in items(program, *args, "--seed", str(SEED))]
    asked += [[{"role": "user", "content": c}] for c in CHATS]
    return asked


def place(ids):
    """The place of the last token of an answer."""
    return min(len(ids), INDEXES - 1), min(sum(map(is_mark, ids)), FIELDS - 1), 0


def greedy(predict, p, s):
    """The answer's tokens, and whether it was cut."""
    start, answer = len(s.tokens), []
    length = -(-(start + MOST) // 128) * 128
    tokens = np.zeros((1, length), np.int32)
    places = np.zeros((1, length, 3), np.int32)
    tokens[0, :start], places[0, :start] = s.tokens, s.places
    for at in range(start, start + MOST):
        token = int(predict(p, tokens, places, at - 1))
        if token == END:
            return answer, False
        answer.append(token)
        tokens[0, at], places[0, at] = token, place(answer)
    return answer, True


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--program", required=True)
    args.add_argument("--run", required=True)
    args.add_argument("--out", required=True)
    a = args.parse_args()
    p = network.expanded(network.rounded(network.saved(os.path.join(a.run, "checkpoint.npz"))[0]))
    predict = jax.jit(lambda p, t, q, at: network.logits(p, t, q)[0, at].argmax())
    asked = prompts(a.program)
    count = 0
    with open(a.out, "w") as f:
        for messages in asked:
            s = encode([(m["role"], m["content"]) for m in messages])
            answer, cut = greedy(predict, p, s)
            count += len(answer)
            print(json.dumps({"messages": messages, "tokens": s.tokens, "answer": answer, "cut": cut}, separators=(",", ":")), file=f)
    print(f"{len(asked)} prompts, {count} tokens of answers")


if __name__ == "__main__":
    main()
