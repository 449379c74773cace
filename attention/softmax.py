"""How do scores become weights that sum to 1, when some scores are -inf?"""

import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.validate import FloatArray, float_array, to_dtype, working_dtype


def softmax(scores: npt.ArrayLike, axis: int = -1) -> FloatArray:
    """Turn scores into weights: a_j = exp(s_j - m) / sum_k exp(s_k - m), with m = max_k s_k.

    Mask first: the maximum is then taken over the allowed scores only, so that a huge future
    score cannot push the allowed ones to exp(-large) = 0.

    Args:
        scores: any shape; -inf marks a masked cell. No unit.
        axis: the axis that sums to 1.

    Returns:
        The weights, same shape and dtype (float16 is summed in float32). A cell at -inf weighs
        exactly 0.0. A row of only -inf weighs 0 everywhere. A row with NaN or +inf is NaN in
        every cell that is not masked.

    Raises:
        ValueError: `scores` does not hold real numbers.

    Source: Bridle 1990 for the name; the subtraction of m is the usual guard against overflow.
    """
    array = float_array("scores", scores)
    work = array.astype(working_dtype(array.dtype), copy=False)
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        return to_dtype(normalise(work, axis), array.dtype)


def normalise(scores: FloatArray, axis: int = -1) -> FloatArray:
    """Do the work of `softmax` on a float32 or float64 array, without checks."""
    weights: FloatArray = np.exp(scores - finite_max(scores, axis))
    total = weights.sum(axis=axis, keepdims=True)
    weights /= np.maximum(total, 1)  # the largest score adds exp(0) = 1; an empty row has 0
    if math.isnan(total.sum()):
        weights[scores == -np.inf] = 0  # masked stays exactly 0 even beside a NaN
    return weights


def log_sum_exp(scores: npt.ArrayLike, axis: int = -1) -> FloatArray:
    """Measure a row by lse = log sum_j exp(s_j), shape without `axis`; -inf for an empty row.

    exp(s_j - lse) is the weight of cell j, so lse is all that a second pass needs to know of a
    row.

    Raises:
        ValueError: `scores` does not hold real numbers.
    """
    array = float_array("scores", scores)
    work = array.astype(working_dtype(array.dtype), copy=False)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore", under="ignore"):
        top = finite_max(work, axis)
        total = np.exp(work - top).sum(axis=axis)
        return to_dtype(np.log(total) + np.squeeze(top, axis), array.dtype)


def finite_max(scores: FloatArray, axis: int = -1) -> FloatArray:
    """Return the maximum with its axis kept, never below the lowest finite number.

    A row of only -inf then gives exp(-inf - lowest) = 0, where exp(-inf - -inf) would be NaN.
    """
    top: FloatArray = scores.max(axis=axis, keepdims=True, initial=lowest(scores.dtype))
    return top


@cache
def lowest(dtype: np.dtype[Any]) -> float:
    """Return the lowest finite number of a dtype, as a float."""
    return float(np.finfo(dtype).min)
