"""Batches of questions of similar lengths, as arrays."""

import numpy as np

LENGTHS = [32, 48, 64, 96, 128, 176, 240]
TOKENS = 2560  # of a batch, with padding


def rows(length):
    """The number of questions in a batch of a length: an even number, for two devices."""
    return TOKENS // length // 2 * 2


def arrays(questions, length):
    """The arrays tokens [rows, length], places [rows, length, 3] and weights [rows, length], which weigh the prediction of the next token."""
    tokens = np.zeros((len(questions), length), np.int32)
    places = np.zeros((len(questions), length, 3), np.int32)
    weights = np.zeros((len(questions), length), np.float32)
    for i, (ids, at, start) in enumerate(questions):
        tokens[i, : len(ids)] = ids
        places[i, : len(ids)] = at
        weights[i, start - 1 : len(ids) - 1] = 1
    return tokens, places, weights


def batches(questions):
    """Full batches, in the order in which they fill. Questions longer than the largest length, and those of the last incomplete batches, are left out."""
    waiting = {length: [] for length in LENGTHS}
    for q in questions:
        length = next((n for n in LENGTHS if len(q[0]) <= n), None)
        if length is None:
            continue
        waiting[length].append(q)
        if len(waiting[length]) == rows(length):
            yield arrays(waiting[length], length)
            waiting[length] = []
