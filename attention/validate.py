"""What may come in? Every refusal names the rule, the values that broke it, and a way out."""

import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.floating[Any]]
BoolArray = npt.NDArray[np.bool_]


def float_array(name: str, value: npt.ArrayLike) -> FloatArray:
    """Return `value` as a float array: floats keep their dtype, integers become float64.

    Raises:
        ValueError: `value` is ragged, or holds anything but real numbers.
    """
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name} must be a rectangular array of numbers: its rows differ in length; "
            "pad them to one length"
        ) from None
    if array.dtype.kind == "f":
        return array
    if array.dtype.kind in "iu":
        return array.astype(np.float64)
    raise ValueError(
        f"{name} must hold real numbers: got dtype {array.dtype}; convert it first, "
        f"for example {name}.astype(float)"
    )


def working_dtype(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which sums are accumulated: the widest given, never below float32."""
    return _widest(dtypes)


@cache
def _widest(dtypes: tuple[np.dtype[Any], ...]) -> np.dtype[Any]:
    return np.result_type(np.float32, *dtypes)


def to_dtype(array: FloatArray, dtype: np.dtype[Any]) -> FloatArray:
    """Return `array` in `dtype`; a finite number too large for it becomes the largest that fits.

    A plain cast would turn a finite float16 score into -inf, which means "masked" here.
    """
    if array.dtype == dtype:
        return array
    if dtype.itemsize >= array.dtype.itemsize:
        return array.astype(dtype)
    largest = float(np.finfo(dtype).max)
    kept = np.where(np.isfinite(array), np.clip(array, -largest, largest), array)
    return kept.astype(dtype)


def probability(name: str, p: float) -> float:
    """Return `p` as a float in [0, 1].

    Raises:
        ValueError: `p` is not a number, or lies outside [0, 1].
    """
    try:
        value = float(p)
    except (TypeError, ValueError):
        value = math.nan
    if not 0.0 <= value <= 1.0:
        raise ValueError(
            f"{name} must lie in [0, 1]: got {p!r}; 0 drops nothing, 0.1 drops one cell in ten, "
            "1 drops everything"
        )
    return value


def count(name: str, value: int, least: int = 1) -> int:
    """Return `value` as an int of at least `least`.

    Raises:
        ValueError: `value` is not a whole number, or is smaller.
    """
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise ValueError(
            f"{name} must be a whole number of at least {least}: got {value!r}; try {least}"
        )
    return int(value)
