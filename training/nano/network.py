"""The network: a decoder-only transformer whose answers are bytes and marks.

Pre-norm without gains, queries and keys normalised with one gain a head
(Henry et al. 2020), rotary positions (Su et al. 2021), squared ReLU (So et al.
2021), embeddings shared with the output. Places are learned embeddings that are
added to the tokens' (McLeish et al. 2024, "abacus" positions, and two more).
"""

import jax
import jax.numpy as jnp
import numpy as np

from tokens import ANSWERABLE, FIELDS, INDEXES, RESTS, VOCABULARY

LAYERS, WIDTH, HEADS, HIDDEN, BASE = 4, 128, 4, 256, 1000.0
HEAD = WIDTH // HEADS


def initial(seed):
    """The weights before training."""
    r = np.random.default_rng(seed)

    def normal(*shape, sd):
        return r.normal(0, sd, shape).astype(np.float32)

    return {
        "token": normal(VOCABULARY, WIDTH, sd=0.05),
        "index": normal(INDEXES, WIDTH, sd=0.05),
        "field": normal(FIELDS, WIDTH, sd=0.05),
        "rest": normal(RESTS, WIDTH, sd=0.05),
        "qkv": normal(LAYERS, 3, WIDTH, WIDTH, sd=WIDTH**-0.5),
        "out": normal(LAYERS, WIDTH, WIDTH, sd=0.2 * WIDTH**-0.5),
        "up": normal(LAYERS, WIDTH, HIDDEN, sd=WIDTH**-0.5),
        "down": normal(LAYERS, HIDDEN, WIDTH, sd=0.2 * HIDDEN**-0.5),
        "gain": np.full((LAYERS, HEADS), 2.0, np.float32),
    }


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)


def rotations(length):
    angle = np.arange(length)[:, None] * BASE ** (-np.arange(HEAD // 2) / (HEAD // 2))
    return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


def rotate(x, cos, sin):
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


def logits(p, tokens, places):
    """The logits of the token after each token: [batch, length, ANSWERABLE]."""
    b, t = tokens.shape
    cos, sin = rotations(t)
    mask = np.where(np.tril(np.ones((t, t), bool)), 0, -1e9).astype(np.float32)
    x = p["token"][tokens] + p["index"][places[..., 0]] + p["field"][places[..., 1]] + p["rest"][places[..., 2]]
    x = x.reshape(b * t, WIDTH)
    for l in range(LAYERS):
        w = p["qkv"][l].transpose(1, 0, 2).reshape(WIDTH, 3 * WIDTH)
        q, k, v = (norm(x) @ w).reshape(b, t, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4).reshape(3, b * HEADS, t, HEAD)
        gain = jnp.tile(p["gain"][l], b)[:, None, None] * HEAD**-0.5
        q, k = rotate(norm(q), cos, sin) * gain, rotate(norm(k), cos, sin)
        # The scores are bounded by gain·√32: a constant in place of the largest is safe and cheaper.
        s = jnp.exp(jnp.matmul(q, k.mT) + mask - 10.0)
        a = jnp.matmul(s / s.sum(-1, keepdims=True), v)
        x = x + a.reshape(b, HEADS, t, HEAD).transpose(0, 2, 1, 3).reshape(b * t, WIDTH) @ p["out"][l]
        x = x + jnp.square(jax.nn.relu(norm(x) @ p["up"][l])) @ p["down"][l]
    return (norm(x) @ p["token"][:ANSWERABLE].T).reshape(b, t, ANSWERABLE)


def rounded(p):
    """The weights as int8 with one scale for each row: {name: (int8, scale)}; gains are not rounded."""
    out = {}
    for name, w in p.items():
        w = np.asarray(w)
        if name == "gain":
            out[name] = w
            continue
        rows = w if name in ("token", "index", "field", "rest") else np.swapaxes(w, -1, -2)
        scale = (np.abs(rows).max(-1, keepdims=True) / 127).astype(np.float32)
        scale[scale == 0] = 1
        out[name] = (np.round(rows / scale).astype(np.int8), scale)
    return out


def expanded(rounded):
    """The inverse of rounded, as the Go program computes it."""
    p = {}
    for name, k in rounded.items():
        if name == "gain":
            p[name] = k
            continue
        rows = k[0].astype(np.float32) * k[1]
        p[name] = rows if name in ("token", "index", "field", "rest") else np.swapaxes(rows, -1, -2)
    return p


def saved(path):
    """The moving average of the weights in a checkpoint, which is what is used, and the number of steps done."""
    with np.load(path) as arrays:
        return {k[2:]: arrays[k] for k in arrays if k.startswith("3/")}, int(arrays["step"])
