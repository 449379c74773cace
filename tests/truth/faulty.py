"""The failure lab's layer once more, every fault written out by NumPy alone."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tests.truth.independent import (
    FUTURE,
    SEED,
    D,
    T,
    columns,
    inputs,
    many_sums,
    matrices,
    softmax,
)

H, P, FILL = 4, 0.4, -10.0
OTHER = ("My", "road", "ends", "after", "two", "days")


@dataclass(frozen=True, eq=False)
class Step:
    """One call: arrays (h, T, T) and (T, d)."""

    scores: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    dropped: np.ndarray
    context: np.ndarray
    output: np.ndarray


def cut(x: np.ndarray, w: np.ndarray, faults: frozenset[str]) -> np.ndarray:
    """Cut x W into heads."""
    return (x @ w).reshape(H, T, D // H) if "straight_reshape" in faults else columns(x, w, H)


def may_attend(faults: frozenset[str]) -> np.ndarray:
    """Return what the mask lets through, bool (T, T)."""
    if "no_mask" in faults:
        return np.ones((T, T), dtype=bool)
    return FUTURE | np.eye(T, dtype=bool) if "wrong_triangle" in faults else ~FUTURE


def factor(faults: frozenset[str]) -> float:
    """Return what the survivors are multiplied by."""
    if "missing_rescale" in faults:
        return 1.0
    return P if "rescale_by_p" in faults else 1 / (1 - P)


def attend(x: np.ndarray, faults: frozenset[str], field: np.ndarray | None) -> Step:
    """Run the layer; `field` is the uniform field of dropout, None where nothing drops."""
    w_q, w_k, w_v, w_o = matrices()
    q, k, v = (cut(x, w, faults) for w in (w_q, w_k, w_v))
    scores = np.einsum("hid,hjd->hij", q, k)
    if "missing_scale" not in faults:
        scores = scores / np.sqrt(D // H)
    allowed = may_attend(faults)
    zeroed = "zero_after_softmax" in faults
    if "finite_fill" in faults:
        masked = np.where(allowed, scores, FILL)
    else:
        masked = scores if zeroed else np.where(allowed, scores, -np.inf)
    weights = softmax(masked)
    if zeroed:
        weights = np.where(allowed, weights, 0)
    dropped = weights if field is None else weights * (field >= P) * factor(faults)
    context = np.concatenate(list(np.einsum("hij,hjd->hid", dropped, v)), axis=1)
    output = context if "no_output_projection" in faults else context @ w_o
    return Step(scores, masked, weights, dropped, context, output)


@lru_cache
def fields() -> tuple[np.ndarray, np.ndarray]:
    """Return the first and the second field of the lab's seed, (h, T, T)."""
    rng = np.random.default_rng(SEED)
    return rng.random((1, H, T, T))[0], rng.random((1, H, T, T))[0]


def training(faults: frozenset[str]) -> Step:
    """Return the training step."""
    return attend(inputs(), faults, fields()[0])


def inference(faults: frozenset[str], call: int = 0, x: np.ndarray | None = None) -> Step:
    """Return an inference step; `call` says which field is drawn if one is."""
    field = fields()[call] if "dropout_at_inference" in faults else None
    return attend(inputs() if x is None else x, faults, field)


def influence(faults: frozenset[str]) -> np.ndarray:
    """Return how far output t moves when word j is exchanged, (T, T)."""
    before = inference(faults).output
    moved = np.zeros((T, T))
    for j in range(T):
        x = inputs().copy()
        x[j] = inputs(OTHER)[j]
        moved[:, j] = np.abs(inference(faults, x=x).output - before).max(axis=1)
    moved[moved < 1e-12] = 0
    return moved


def mean_training_sum(faults: frozenset[str]) -> float:
    """Return the mean row sum of head 1 over the many draws."""
    return float(many_sums(inference(faults).weights[0], P, factor(faults)).mean())


def passes(faults: frozenset[str]) -> dict[str, bool]:
    """Say which lines of the checklist the faults leave standing."""
    mask = {"no_mask", "wrong_triangle", "finite_fill", "zero_after_softmax"}
    drop = {"missing_rescale", "rescale_by_p", "dropout_at_inference"}
    return {
        "mask_before_softmax": not mask & faults,
        "rows_sum_over_past": not mask & faults,
        "dropout_in_training": not drop & faults,
        "heads_divide_width": "straight_reshape" not in faults,
        "scaled_scores": "missing_scale" not in faults,
        "one_projection": not {"straight_reshape", "no_output_projection"} & faults,
        "score_shape": True,
    }
