"""Trains the network: python train.py --program verbatim --out run

Continues from the last checkpoint in the output folder. The number of steps, the
seeds and the data are fixed; a checkpoint falls on the end of a block of data,
so that a run that was stopped and continued equals one that was not.
"""

import argparse
import itertools
import json
import os
import queue
import threading
import time

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import network
from batches import batches
from data import BLOCK, Questions, suite_texts

STEPS = 26_500
RATE = 0.02  # of Muon; Adam's is a fifth
FALLEN, FALLS = 26_000, 0.7  # the step at which the rate has fallen to 0, and the share of these steps over which it falls
LAST = 0.002  # the rate after that, falling to 0 once more
MATRICES = ("qkv", "out", "up", "down")


def orthogonal(g):
    """Newton-Schulz iteration towards the nearest orthogonal matrix (Jordan et al. 2024, Muon)."""
    x = g / (jnp.sqrt(jnp.sum(g * g, (-2, -1), keepdims=True)) + 1e-7)
    tall = g.shape[-2] > g.shape[-1]
    x = x.mT if tall else x
    for _ in range(5):
        s = x @ x.mT
        x = 3.4445 * x + (-4.7750 * s + 2.0315 * (s @ s)) @ x
    x = x.mT if tall else x
    return x * max(1, g.shape[-1] / g.shape[-2]) ** 0.5


def loss(p, tokens, places, weights):
    predicted = jax.nn.log_softmax(network.logits(p, tokens, places)[:, :-1])
    # Tokens that are not answerable have weight 0: any index is right for them.
    following = jnp.minimum(tokens[:, 1:], network.ANSWERABLE - 1)
    found = jnp.take_along_axis(predicted, following[..., None], -1)[..., 0]
    return -(found * weights[:, :-1]).sum() / weights.sum()


def update(state, tokens, places, weights, rate, n):
    """One step: Muon for matrices, Adam for the rest, and the moving average that is saved."""
    p, first, second, mean = state
    l, grads = jax.value_and_grad(loss)(p, tokens, places, weights)
    np_, nf, ns, nm = {}, {}, {}, {}
    for k, g in grads.items():
        if k in MATRICES:
            nf[k], ns[k] = 0.95 * first[k] + g, second[k]
            np_[k] = p[k] * (1 - rate * 0.02) - rate * orthogonal(g + 0.95 * nf[k])
        else:
            nf[k], ns[k] = 0.9 * first[k] + 0.1 * g, 0.98 * second[k] + 0.02 * g * g
            np_[k] = p[k] - rate * 0.2 * (nf[k] / (1 - 0.9**n)) / (jnp.sqrt(ns[k] / (1 - 0.98**n)) + 1e-8)
        b = jnp.minimum(0.998, n / (n + 50.0))
        nm[k] = b * mean[k] + (1 - b) * np_[k]
    return (np_, nf, ns, nm), l


def rate_at(step):
    if step >= FALLEN:
        return LAST * (STEPS - step) / (STEPS - FALLEN)
    return RATE * min(1, (step + 1) / 50) * min(1, (1 - step / FALLEN) / FALLS)


def start(path):
    """The state and the number of steps done, of the checkpoint if there is one."""
    p = network.initial(0)
    if not os.path.exists(path):
        zero = {k: np.zeros_like(w) for k, w in p.items()}
        return (p, zero, zero, dict(p)), 0, 0.0
    with np.load(path) as saved:
        state = tuple({k: saved[f"{part}/{k}"] for k in p} for part in range(4))
        return state, int(saved["step"]), float(saved["seconds"])


def keep(path, state, step, seconds):
    arrays = {f"{part}/{k}": np.asarray(w) for part, tree in enumerate(state) for k, w in tree.items()}
    np.savez(path + ".new.npz", step=step, seconds=seconds, **arrays)
    os.replace(path + ".new.npz", path)


def feed(program, step, batches_):
    """Puts the batches of all blocks from this step on into the queue."""
    left_out = suite_texts(program)
    while step < STEPS:
        n = 0
        for b in itertools.islice(batches(Questions(program, step // BLOCK, left_out)), BLOCK):
            batches_.put(b)
            n += 1
        if n < BLOCK:
            raise RuntimeError(f"block {step // BLOCK} has {n} batches only")
        step += BLOCK


def reopen(path, step):
    """Opens the log without the lines after the checkpoint, whose steps are done again."""
    if os.path.exists(path):
        with open(path) as f:
            lines = [line for line in f if json.loads(line)["step"] <= step]
        with open(path + ".new", "w") as f:
            f.writelines(lines)
        os.replace(path + ".new", path)
    return open(path, "a")


def train(program, out):
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "checkpoint.npz")
    state, step, before = start(path)
    log = reopen(os.path.join(out, "train.log"), step)
    devices = Mesh(np.array(jax.devices()), ("rows",))
    everywhere, by_rows = (NamedSharding(devices, PartitionSpec(*s)) for s in ((), ("rows",)))
    state = jax.device_put(state, everywhere)
    jitted = jax.jit(update, donate_argnums=0)
    waiting = queue.Queue(8)
    threading.Thread(target=feed, args=(program, step, waiting), daemon=True).start()
    begun, losses, tokens = time.time(), [], 0
    while step < STEPS:
        batch = [jax.device_put(a, by_rows) for a in waiting.get(timeout=600)]
        state, l = jitted(state, *batch, np.float32(rate_at(step)), np.float32(step + 1))
        losses.append(float(l))  # waits: two steps in flight can block each other
        tokens += batch[0].size
        step += 1
        if step % 100 == 0:
            spent = time.time() - begun
            line = {"step": step, "loss": round(float(np.mean(losses)), 4), "rate": round(rate_at(step - 1), 5), "tokens_per_s": round(tokens / spent), "seconds": round(before + spent)}
            print(json.dumps(line), file=log, flush=True)
            losses = []
        if step % BLOCK == 0 or step == STEPS:
            keep(path, state, step, before + time.time() - begun)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--program", required=True, help="the verbatim program, which draws the items")
    args.add_argument("--out", required=True, help="folder of the checkpoint and the log")
    a = args.parse_args()
    train(a.program, a.out)


if __name__ == "__main__":
    main()
