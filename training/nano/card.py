"""Prints the exactness tables of docs/nano.md, from results of `verbatim run`: python3 card.py --program verbatim"""

import argparse
import collections
import json
import os
import re
import subprocess
import tempfile

SEED = "2026"
ITEMS = 200  # of each length
AIM_ITEMS = 1000  # of each of AIMS
# Families side by side, at the lengths of the quick suite and a little beyond.
GRID = [
    ("copy", "8,16,32,48,64,72,80,96"),
    ("reverse", "4,8,16,24,32,40,48"),
    ("add", "1,2,3,4,5,6,8,10,16"),
    ("sort-int,sort-int-negative,sort-int-sorted,sort-int-duplicate", "2,4,6,8,10,12"),
    ("sort-word,sort-word-sorted,sort-word-prefixed,sort-ascii,sort-ascii-cased,sort-number-words", "2,3,4,5,6,8"),
    ("sort-word-duplicate,sort-float-duplicate", "2,4,6,8"),
    ("sort-int-large,sort-float,sort-float-negative,sort-float-sorted,sort-float-large,sort-float-small", "2,3,4,5"),
]
# Lengths up to which the network is meant to be right, in all wordings.
AIMS = [("copy", "64"), ("reverse", "32"), ("add", "4"), ("sort-int", "8"), ("sort-word", "4")]


def exact(program, families, lengths, items, more=()):
    """The percentages of items that pass in a run: {family: {length: text}}."""
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run(
            [program, "run", "--model", "nano", "--task", families, "--length", lengths, "--items", str(items), "--seed", SEED, "--json", *more],
            check=True, capture_output=True, env={**os.environ, "VERBATIM_DB": os.path.join(folder, "card.db")},
        ).stdout  # fmt: skip
    for line in out.splitlines():
        row = json.loads(line)
        if row.get("kind") not in ("saved", "kept"):
            continue
        family, length = re.search(r"([a-z-]+)@[0-9]+/len=([0-9]+)/", row["item"]).groups()
        counts[family][int(length)] += row["outcome"] == "pass"
    return {f: {n: f"{100 * c[n] / items:.4g}" for n in c} for f, c in counts.items()}


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--program", required=True)
    a = args.parse_args()
    for families, lengths in GRID:
        found = exact(a.program, families, lengths, ITEMS)
        columns = lengths.split(",")
        print("| task | " + " | ".join(columns) + " |\n|---|" + "--:|" * len(columns))
        for family in families.split(","):
            print(f"| {family} | " + " | ".join(found[family][int(n)] for n in columns) + " |")
        print()
    wordings = ["", "1", "2", "3"]
    print("| task | length | official | 1 | 2 | 3 |\n|---|--:|--:|--:|--:|--:|")
    for family, length in AIMS:
        shares = []
        for w in wordings:
            found = exact(a.program, family, length, AIM_ITEMS, ["--paraphrase", w] if w else [])
            shares.append(found[family][int(length)])
        print(f"| {family} | {length} | " + " | ".join(shares) + " |")


if __name__ == "__main__":
    main()
