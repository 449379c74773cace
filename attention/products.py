"""How are the two matrix products of attention kept safe from overflow, NaN and infinity?"""

import math

import numpy as np
import numpy.typing as npt

from attention_widget.validate import FloatArray


def scaled_scores(q: FloatArray, k: FloatArray, scale: float) -> FloatArray:
    """Compute s_ij = scale * q_i . k_j, (..., T_q, d) and (..., T_k, d) -> (..., T_q, T_k).

    A score is finite wherever its exact value is: a cell that overflows on the short way is
    computed again with its vectors brought below 1 by powers of two. Each cell depends on its
    own query and key alone, so a NaN in another key changes no bit of it.
    """
    scores = (q * scale) @ k.swapaxes(-1, -2)  # (..., T_q, T_k)
    if math.isfinite(scores.sum()):
        return scores
    return np.where(np.isfinite(scores), scores, _scores_by_exponent(q, k, scale))


def weigh_values(weights: FloatArray, v: FloatArray) -> FloatArray:
    """Compute z_i = sum_j a_ij v_j, (..., T_q, T_k) and (..., T_k, d) -> (..., T_q, d).

    A value of weight exactly 0 contributes nothing, NaN and infinity included. In floating
    point 0 * NaN is NaN, so the product runs over finite values, and what is not finite is added
    to those rows only that give it weight.
    """
    out: FloatArray = weights @ v
    out += 0.0  # -0.0 becomes 0.0: its sign could come from the sign of a value of weight 0
    if math.isfinite(out.sum()):
        return out
    finite = np.isfinite(v)
    if finite.all():
        return out
    out = weights @ np.where(finite, v, v.dtype.type(0))
    out += 0.0
    sees = (weights != 0).astype(v.dtype)
    out[sees @ (v == np.inf).astype(v.dtype) > 0] += np.inf
    out[sees @ (v == -np.inf).astype(v.dtype) > 0] -= np.inf
    out[sees @ np.isnan(v).astype(v.dtype) > 0] = np.nan
    return out


def _scores_by_exponent(q: FloatArray, k: FloatArray, scale: float) -> FloatArray:
    """Compute scores from vectors below 1 and whole exponents of two, put together at the end."""
    q_unit, q_exponent = _below_one(q)
    k_unit, k_exponent = _below_one(k)
    scale_unit, scale_exponent = math.frexp(scale)
    exponent = q_exponent[..., :, None] + k_exponent[..., None, :] + scale_exponent
    product: FloatArray = np.ldexp((q_unit @ k_unit.swapaxes(-1, -2)) * scale_unit, exponent)
    return product


def _below_one(
    rows: FloatArray,
) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Split every row into unit * 2**exponent, with the largest finite |unit| in [0.5, 1)."""
    size = np.where(np.isfinite(rows), np.abs(rows), rows.dtype.type(0))
    exponent = np.frexp(size.max(axis=-1, initial=0))[1]
    return np.ldexp(rows, -exponent[..., None]), exponent
