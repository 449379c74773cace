"""What does dropout do to a row on average, when a single draw says so little?

One draw leaves a row anywhere between 0 and more than 1. Over many draws its sum has the mean and
the spread below; `exact_mean` and `exact_spread` are what the measured ones must come close to.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_widget.dropout import apply_dropout, keep_mask
from attention_widget.measures import row_sums
from attention_widget.validate import BoolArray, FloatArray, count, probability

Drop = Callable[[FloatArray, BoolArray, float], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class DrawStatistics:
    """The row sums of many draws, summed up; every array has the shape (..., T_q).

    Attributes:
        draws: n, how many.
        mean: average sum of a row.
        spread: standard deviation of one draw's sum (divisor n - 1; 0 for a single draw).
        standard_error: spread / sqrt(n), how far the mean may be off by chance.
        empty: share of the draws that left the row all zero.
    """

    draws: int
    mean: FloatArray
    spread: FloatArray
    standard_error: FloatArray
    empty: FloatArray


def draw_row_sums(
    weights: FloatArray,
    p: float,
    rng: np.random.Generator,
    draws: int,
    drop: Drop = apply_dropout,
) -> FloatArray:
    """Drop the same weights `draws` times over and sum every row.

    Args:
        weights: weights after softmax, (..., T_q, T_k).
        p: probability that a cell is dropped, in [0, 1].
        rng: the source of randomness, advanced by one field of all draws.
        draws: how many, at least 1.
        drop: the dropout step; another one shows what a fault does.

    Returns:
        (draws, ..., T_q).

    Raises:
        ValueError: p lies outside [0, 1], or `draws` is not a whole number of at least 1.
    """
    keep = keep_mask((count("draws", draws), *weights.shape), p, rng)
    return row_sums(drop(np.broadcast_to(weights, keep.shape), keep, p))


def draw_statistics(sums: FloatArray) -> DrawStatistics:
    """Sum up what `draw_row_sums` gave, (draws, ..., T_q)."""
    draws = count("draws", len(sums))
    spread: FloatArray = sums.std(axis=0, ddof=1) if draws > 1 else np.zeros_like(sums[0])
    return DrawStatistics(
        draws=draws,
        mean=sums.mean(axis=0),
        spread=spread,
        standard_error=spread / np.sqrt(draws),
        empty=(sums == 0).mean(axis=0),
    )


def exact_mean(weights: FloatArray, p: float, *, rescaled: bool = True) -> FloatArray:
    """Return the expected sum of a row: E = sum_j a_ij, times (1 - p) when nothing is rescaled.

    Args:
        weights: (..., T_q, T_k).
        p: probability that a cell is dropped, in [0, 1].
        rescaled: survivors grow by 1/(1-p); at p = 1 there are none and the mean is 0.

    Returns:
        (..., T_q).

    Raises:
        ValueError: p lies outside [0, 1].
    """
    p = probability("p", p)
    kept = (0.0 if p == 1.0 else 1.0) if rescaled else 1.0 - p
    return row_sums(weights) * weights.dtype.type(kept)


def exact_spread(weights: FloatArray, p: float, *, rescaled: bool = True) -> FloatArray:
    """Return the standard deviation of a row's sum in one draw.

    Every cell is an independent draw of variance p (1 - p) a_ij^2, so
    spread = sqrt(p (1 - p) sum_j a_ij^2), divided by (1 - p) when the survivors are rescaled.

    Args, Returns, Raises: as `exact_mean`.
    """
    p = probability("p", p)
    factor = np.sqrt(p * (1.0 - p))
    if rescaled:
        factor = 0.0 if p == 1.0 else factor / (1.0 - p)
    length: FloatArray = np.sqrt((weights**2).sum(axis=-1))
    return length * weights.dtype.type(factor)
