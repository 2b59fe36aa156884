"""Prints how often the network in a checkpoint is right: python exactness.py --program verbatim --out run [--wording 3]

A greedy answer is right if each token is the likeliest after the right tokens
before it, so one pass over question and answer is enough. The figures in
docs/nano.md are not these, but results of the program (card.py).
"""

import argparse
import os

import jax
import numpy as np

import network
from batches import arrays
from data import answer, answered, content, items

GRID = [
    ("copy", [8, 16, 32, 64, 72, 80]),
    ("reverse", [8, 16, 24, 32, 40]),
    ("add", [1, 2, 3, 4, 5, 6, 8, 10]),
    ("sort-int", [2, 4, 6, 8, 10, 12]),
    ("sort-word", [2, 3, 4, 5, 6]),
    ("sort-int-negative", [2, 4, 6, 8]),
    ("sort-int-duplicate", [2, 4, 6, 8]),
    ("sort-ascii", [2, 3, 4, 5]),
    ("sort-ascii-cased", [2, 3, 4, 5]),
    ("sort-word-prefixed", [2, 3, 4, 5]),
    ("sort-number-words", [2, 3]),
    ("sort-float", [2, 3, 4, 5]),
    ("sort-float-negative", [2, 3]),
    ("sort-float-small", [2, 3]),
]
SEED = 1 << 50  # beyond every seed of training and far from those of a run


def question(item):
    task = item["facts"]["family"].split("-")[0]
    return answered([(m["role"], m["content"]) for m in item["messages"]], answer(task, content(item)))


def right(predict, p, questions):
    """The share of the questions that the network answers right."""
    length = -(-max(len(q[0]) for q in questions) // 64) * 64
    good = 0
    for i in range(0, len(questions), 50):
        part = questions[i : i + 50]
        tokens, places, weights = arrays(part + questions[: 50 - len(part)], length)
        likeliest = np.asarray(predict(p, tokens, places))
        good += (((likeliest[:, :-1] == tokens[:, 1:]) | (weights[:, :-1] == 0)).all(1))[: len(part)].sum()
    return good / len(questions)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--program", required=True)
    args.add_argument("--out", required=True)
    args.add_argument("--checkpoint", default="checkpoint.npz")
    args.add_argument("--wording", default="")
    args.add_argument("--items", type=int, default=50)
    args.add_argument("--only", type=int, default=len(GRID), help="only the first families, this many")
    a = args.parse_args()
    weights, step = network.saved(os.path.join(a.out, a.checkpoint))
    p = network.expanded(network.rounded(weights))
    print("step", step)
    predict = jax.jit(lambda p, t, q: network.logits(p, t, q).argmax(-1))
    for family, lengths in GRID[: a.only]:
        shares = []
        for n in lengths:
            more = ["--paraphrase", a.wording] if a.wording else []
            drawn = items(a.program, "--task", family, "--length", str(n), "--items", str(a.items), "--seed", str(SEED), *more)
            shares.append(f"{n}:{100 * right(predict, p, [question(i) for i in drawn]):.0f}")
        print(f"{family:20s}", " ".join(shares), flush=True)


if __name__ == "__main__":
    main()
