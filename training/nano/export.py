"""Writes the weights of a checkpoint in the format that the program embeds: python export.py run ../../internal/nano

It writes nano.bin, the log of the training (nano.log) and the SHA-256 sums of both (nano.sha256).
"""

import hashlib
import json
import os
import platform
import struct
import sys

import jax
import numpy as np

import network
from tokens import FIELDS, INDEXES, RESTS
from wordings import PHRASES, WORDS

COMMAND = "python train.py --program ./verbatim --out run"  # it continues from the last checkpoint if it was stopped


def packed(p, step):
    header = {
        "layers": network.LAYERS, "width": network.WIDTH, "heads": network.HEADS, "hidden": network.HIDDEN, "base": network.BASE,
        "indexes": INDEXES, "fields": FIELDS, "rests": RESTS, "words": WORDS, "phrases": PHRASES, "steps": step,
    }  # fmt: skip
    head = json.dumps(header, separators=(",", ":")).encode()
    out = [b"verbatim nano 1\n", struct.pack("<I", len(head)), head]
    rounded = network.rounded(p)

    def table(rows, scale):
        out.extend((scale.astype("<f4").tobytes(), np.ascontiguousarray(rows).tobytes()))

    for name in ("token", "index", "field", "rest"):
        table(*rounded[name])
    for l in range(network.LAYERS):
        out.append(rounded["gain"][l].astype("<f4").tobytes())
        for i in range(3):
            table(rounded["qkv"][0][l, i], rounded["qkv"][1][l, i])
        for name in ("out", "up", "down"):
            table(rounded[name][0][l], rounded[name][1][l])
    return b"".join(out)


def main(run, folder):
    averaged, step = network.saved(os.path.join(run, "checkpoint.npz"))
    weights = packed(averaged, step)
    with open(os.path.join(run, "train.log"), "rb") as f:
        lines = f.read().splitlines(keepends=True)
    made = {"command": COMMAND, "python": platform.python_version(), "jax": jax.__version__, "numpy": np.__version__, "steps": step}
    log = json.dumps(made).encode() + b"\n" + b"".join(line for line in lines if json.loads(line)["step"] <= step)
    sums = ""
    for name, content in (("nano.bin", weights), ("nano.log", log)):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content)
        sums += f"{hashlib.sha256(content).hexdigest()}  {name}\n"
    with open(os.path.join(folder, "nano.sha256"), "w") as f:
        f.write(sums)
    print(f"{len(weights)} bytes, step {step}\n{sums}", end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
