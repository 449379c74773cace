"""Which weights does training drop, and why do the survivors grow?"""

import numpy as np
import numpy.typing as npt

from attention_widget.validate import BoolArray, FloatArray, float_array, probability


def keep_mask(shape: tuple[int, ...], p: float, rng: np.random.Generator) -> BoolArray:
    """Draw which cells survive: keep = (u >= p), with one uniform field u in [0, 1).

    Because one draw makes one field, the same generator state with a larger p keeps a subset of
    the same cells: raising p only removes.

    Args:
        shape: shape of the weights, (..., T_q, T_k).
        p: probability that a cell is dropped, in [0, 1].
        rng: the source of randomness, advanced by one field.

    Returns:
        bool of that shape, True = survives.

    Raises:
        ValueError: p lies outside [0, 1], or rng is not a Generator.
    """
    p = probability("p", p)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator: got {type(rng).__name__}; "
            "pass numpy.random.default_rng(seed)"
        )
    return rng.random(shape) >= p


def apply_dropout(weights: npt.ArrayLike, keep: npt.ArrayLike, p: float) -> FloatArray:
    """Drop and rescale: a_j -> a_j / (1 - p) where kept, 0 elsewhere ("inverted" dropout).

    The mean over draws is then a_j, so that inference needs no change. A single row no longer
    sums to 1, and is not made to.

    Args:
        weights: weights after softmax, (..., T_q, T_k).
        keep: bool, True = survives; broadcasts to the weights.
        p: probability with which `keep` was drawn, in [0, 1].

    Returns:
        Weights of the same shape and dtype; 0 everywhere at p = 1. A NaN weight stays NaN, even
        where it is dropped: it must not look like a 0.

    Raises:
        ValueError: p lies outside [0, 1], or `keep` is not bool or does not fit.

    Source: Srivastava et al. 2014, with the rescaling done in training.
    """
    array = float_array("weights", weights)
    p = probability("p", p)
    kept = np.asarray(keep)
    if kept.dtype != np.bool_:
        raise ValueError(
            f"keep must be bool (True = survives): got dtype {kept.dtype}; use keep.astype(bool)"
        )
    try:
        fits = np.broadcast_shapes(kept.shape, array.shape) == array.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"keep must broadcast to the weights: keep is {kept.shape}, weights are "
            f"{array.shape}; draw it with keep_mask(weights.shape, p, rng)"
        )
    factor = 0.0 if p == 1.0 else 1.0 / (1.0 - p)
    with np.errstate(invalid="ignore", over="ignore"):
        return array * np.where(kept, array.dtype.type(factor), array.dtype.type(0))
