"""Who may attend to whom, and what happens to the score of a pair that may not?"""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.validate import BoolArray, FloatArray, count


def causal_mask(t_q: int, t_k: int | None = None) -> BoolArray:
    """Say for every pair whether query i may attend to key j: exactly when j <= i.

    The triangle is aligned to the top left, so query 0 sees key 0 only, however many keys
    there are (ONNX `Attention` without a past, PyTorch `is_causal`).

    With a cache of earlier keys the last query has to see the last key: align the triangle to the
    bottom right with `mask=np.tri(t_q, t_k, t_k - t_q, dtype=bool)`, and leave `causal` off.

    Args:
        t_q: number of queries, T_q >= 0.
        t_k: number of keys, T_k >= 0; T_q when left out.

    Returns:
        bool (T_q, T_k), True = may attend.

    Raises:
        ValueError: a length is negative or not a whole number.
    """
    t_q = count("t_q", t_q, least=0)
    t_k = t_q if t_k is None else count("t_k", t_k, least=0)
    return np.tri(t_q, t_k, dtype=np.bool_)


def fill_with_minus_inf(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """Return s_ij where the pair is allowed and -inf where it is not, (..., T_q, T_k).

    The score is selected, never added to: NaN + -inf would be NaN and would reach every row.
    """
    return np.where(allowed, scores, scores.dtype.type(-np.inf))


def check_mask(mask: npt.ArrayLike | None, shape: tuple[int, ...]) -> npt.NDArray[Any] | None:
    """Return the mask as a bool or float array that broadcasts to the scores, or None.

    Args:
        mask: bool (True = may attend), or floats to add to the scaled scores, where -inf
            forbids a pair; any shape that broadcasts to `shape`.
        shape: shape of the scores, (..., T_q, T_k).

    Warns:
        UserWarning: a float mask holds zeros and ones and nothing else. It is added as it is, but
            it was probably meant to be bool.

    Raises:
        ValueError: the mask is neither bool nor float, or does not broadcast to the scores.
    """
    if mask is None:
        return None
    array = np.asarray(mask)
    if array.dtype.kind not in "bf":
        raise ValueError(
            f"mask must be bool (True = may attend) or float (added to the scores): got dtype "
            f"{array.dtype}; for zeros and ones use mask.astype(bool)"
        )
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"mask must broadcast to the scores (..., T_q, T_k): mask is {array.shape}, scores "
            f"are {shape}; give it the shape {shape[-2:]}"
        )
    if array.dtype.kind == "f" and _zeros_and_ones(array):
        warnings.warn(
            "a float mask is added to the scores, and this one holds only 0 and 1: it forbids "
            "nothing. Pass mask.astype(bool) with True = may attend, or floats with 0 = may attend "
            "and -inf = forbidden",
            UserWarning,
            stacklevel=3,  # the call of scaled_dot_product_attention
        )
    return array


def _zeros_and_ones(array: npt.NDArray[Any]) -> bool:
    found = set[bool]()
    for place in np.ndindex(array.shape[:-1]):  # row by row: a long mask is not copied whole
        row = array[place]
        if not ((row == 0) | (row == 1)).all():
            return False
        found |= {bool(row.min(initial=1)), bool(row.max(initial=0))} if row.size else set()
    return len(found) == 2


def read_mask(
    mask: npt.NDArray[Any] | None, dtype: np.dtype[Any]
) -> tuple[BoolArray | None, FloatArray | None]:
    """Split a checked mask into (pairs it allows, bias it adds); what changes nothing is None."""
    if mask is None:
        return None, None
    if mask.dtype.kind == "b":
        return mask, None
    with np.errstate(over="ignore"):
        bias: FloatArray = mask.astype(dtype, copy=False)
    allowed = bias != -np.inf
    return (None if allowed.all() else allowed), bias


def both(first: BoolArray | None, second: BoolArray | None) -> BoolArray | None:
    """Return the pairs that both masks allow; None allows everything."""
    if first is None:
        return second
    if second is None:
        return first
    return first & second
