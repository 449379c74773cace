"""The lesson's numbers once more, by NumPy alone: nothing here imports the product."""

from functools import lru_cache

import numpy as np

WORDS = ("Your", "journey", "starts", "with", "one", "step")
SEED, D, T, DRAWS = 3907, 12, 6, 1000
FUTURE = np.triu(np.ones((T, T), dtype=bool), 1)


@lru_cache
def inputs(words: tuple[str, ...] = WORDS) -> np.ndarray:
    """Return x, (T, d)."""
    own = [np.random.default_rng([SEED, *word.encode()]).standard_normal(D) for word in words]
    places = np.random.default_rng([SEED, 1]).standard_normal((16, D))
    return np.array(own) + places[: len(words)]


@lru_cache
def matrices() -> np.ndarray:
    """Return W_q, W_k, W_v, W_o, (4, d, d)."""
    return np.random.default_rng([SEED, 0]).standard_normal((4, D, D)) / 4


def columns(x: np.ndarray, w: np.ndarray, h: int) -> np.ndarray:
    """Return x W cut by columns, (h, T, d_head)."""
    product = x @ w
    width = product.shape[1] // h
    return np.stack([product[:, i * width : (i + 1) * width] for i in range(h)])


def softmax(scores: np.ndarray) -> np.ndarray:
    """Return the weights of every row."""
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


@lru_cache
def scores(h: int) -> np.ndarray:
    """Return the scaled scores, (h, T, T)."""
    q, k = (columns(inputs(), w, h) for w in matrices()[:2])
    return np.einsum("hid,hjd->hij", q, k) / np.sqrt(D // h)


@lru_cache
def weights(h: int, causal: bool) -> np.ndarray:
    """Return the weights, (h, T, T)."""
    return softmax(np.where(FUTURE & causal, -np.inf, scores(h)))


@lru_cache
def kept(h: int, p: float, draw: int) -> np.ndarray:
    """Return which weights a draw keeps, bool (h, T, T)."""
    return np.random.default_rng([SEED, draw]).random((1, h, T, T))[0] >= p


@lru_cache
def uniform() -> np.ndarray:
    """Return the field of the many draws, (draws, T, T)."""
    return np.random.default_rng([SEED, 2**20]).random((DRAWS, T, T))


def many_sums(weight: np.ndarray, p: float, factor: float) -> np.ndarray:
    """Return the row sums of many draws of one head, (draws, T)."""
    return (weight * (uniform() >= p)).sum(axis=-1) * factor


@lru_cache
def context(h: int, causal: bool) -> np.ndarray:
    """Return the heads side by side, (T, d)."""
    v = columns(inputs(), matrices()[2], h)
    return np.concatenate(list(np.einsum("hij,hjd->hid", weights(h, causal), v)), axis=1)
