"""What does one attention head compute, and what can be seen on the way?"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attention_widget.dropout import keep_mask
from attention_widget.mask import both, check_mask, read_mask
from attention_widget.products import scaled_scores, weigh_values
from attention_widget.stages import CORRECT, Stages
from attention_widget.validate import FloatArray, float_array, probability, to_dtype, working_dtype


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Every intermediate of one call, so that a view formats and never computes.

    Attributes:
        scores: scaled scores before any mask, (..., T_q, T_k).
        masked_scores: the same with additive masks added and -inf in forbidden cells.
        weights: after softmax, (..., T_q, T_k); exactly 0.0 in forbidden cells.
        dropped: after dropout; the same array as `weights` when nothing was dropped.
        output: (..., T_q, d_v); for a layer (B, T, d_out), after W_o.
        context: what W_o mixes: for a layer the concatenated heads (B, T, d), else `output`.
    """

    scores: FloatArray
    masked_scores: FloatArray
    weights: FloatArray
    dropped: FloatArray
    output: FloatArray
    context: FloatArray


def scaled_dot_product_attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    causal: bool = False,
    mask: npt.ArrayLike | None = None,
    scale: float | None = None,
    dropout: float = 0.0,
    rng: np.random.Generator | None = None,
    stages: Stages = CORRECT,
) -> Attention:
    """Attend: Z = dropout(softmax(mask(scale Q K^T))) V.

    Args:
        q: queries (..., T_q, d).
        k: keys (..., T_k, d), the same leading axes.
        v: values (..., T_k, d_v), the same leading axes.
        causal: allow query i the keys j <= i only, aligned to the top left. Where T_k - T_q
            earlier keys come from a cache, align to the bottom right instead:
            `mask=np.tri(t_q, t_k, t_k - t_q, dtype=bool)`.
        mask: bool (True = may attend) or floats added to the scaled scores (-inf forbids); it
            broadcasts to (..., T_q, T_k). With `causal=True` both apply.
        scale: factor of q . k; 1 / sqrt(d) when left out. No unit.
        dropout: probability p that a weight is dropped, in [0, 1]; the caller decides whether
            it is training.
        rng: generator of the dropout field; needed when `dropout` > 0.
        stages: the steps, each of which may be exchanged (see `attention_widget.faults`).

    Returns:
        `Attention`, in the dtype of the inputs. float16 is computed in float32; a finite score
        outside its range is reported as the largest float16. Outputs at positions <= t keep
        every bit whatever the later keys and values hold, NaN and infinity included. A query
        with nothing to attend to gets weights 0 and output 0; a NaN query gets a NaN row.

    Warns:
        UserWarning: a float mask holds zeros and ones and nothing else; see `mask`.

    Raises:
        ValueError: shapes do not fit, an input is not numeric, p lies outside [0, 1], or rng is
            missing.

    Source: Vaswani et al. 2017, equation 1; empty rows as in PyTorch and ONNX `Attention`.
    """
    q, k, v, dtype = prepare(q, k, v)
    factor = stages.scale(q.shape[-1]) if scale is None else check_scale(scale)
    p = probability("dropout", dropout)
    shape = (*q.shape[:-1], k.shape[-2])  # (..., T_q, T_k)
    allowed, bias = read_mask(check_mask(mask, shape), q.dtype)
    if causal:
        allowed = both(stages.allow(*shape[-2:]), allowed)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        scores = scaled_scores(q, k, factor)
        masked = scores if bias is None else scores + bias
        if allowed is not None:
            masked = stages.fill(masked, allowed)
        weights = stages.normalise(masked, allowed)
        dropped = weights
        if p > 0:
            dropped = stages.drop(weights, keep_mask(shape, p, need_rng(rng)), p)
        output = weigh_values(dropped, v)  # (..., T_q, d_v)
    return in_dtype(Attention(scores, masked, weights, dropped, output, output), dtype)


def prepare(
    q: npt.ArrayLike, k: npt.ArrayLike, v: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, np.dtype[np.floating]]:
    """Check that q, k and v fit; give them in the working dtype, and the dtype to return."""
    q, k, v = float_array("q", q), float_array("k", k), float_array("v", v)
    shapes = f"q is {q.shape}, k is {k.shape}, v is {v.shape}"
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise ValueError(
            f"q, k and v need at least the axes (T, d): {shapes}; add one with x[None, :]"
        )
    if not q.shape[:-2] == k.shape[:-2] == v.shape[:-2]:
        raise ValueError(
            f"q, k and v must share the axes before (T, d): {shapes}; expand them with "
            "numpy.broadcast_to"
        )
    if q.shape[-1] != k.shape[-1] or q.shape[-1] == 0:
        raise ValueError(
            f"queries and keys must have one width d >= 1: {shapes}; project both to the same d"
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(
            f"every key needs one value, T_k of each: {shapes}; pass k and v of the same tokens"
        )
    dtype = q.dtype if q.dtype == k.dtype == v.dtype else np.result_type(q, k, v)
    work = working_dtype(dtype)
    if q.dtype == k.dtype == v.dtype == work:
        return q, k, v, dtype
    return q.astype(work, copy=False), k.astype(work, copy=False), v.astype(work, copy=False), dtype


def check_scale(scale: float) -> float:
    """Return `scale` as a finite float, or raise ValueError."""
    try:
        value = float(scale)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"scale must be a finite number: got {scale!r}; leave it out for 1 / sqrt(d)"
        )
    return value


def need_rng(rng: np.random.Generator | None) -> np.random.Generator:
    """Return `rng`, or raise ValueError when dropout has no source of randomness."""
    if rng is None:
        raise ValueError(
            "dropout above 0 needs a source of randomness: rng is None; "
            "pass rng=numpy.random.default_rng(seed)"
        )
    return rng


def in_dtype(record: Attention, dtype: np.dtype[np.floating]) -> Attention:
    """Return the record in `dtype`; arrays that were one array stay one array."""
    if record.output.dtype == dtype and record.weights.dtype == dtype:
        return record
    weights, output = to_dtype(record.weights, dtype), to_dtype(record.output, dtype)
    same_weights, same_output = (
        record.dropped is record.weights,
        record.context is record.output,
    )
    return Attention(
        scores=to_dtype(record.scores, dtype),
        masked_scores=to_dtype(record.masked_scores, dtype),
        weights=weights,
        dropped=weights if same_weights else to_dtype(record.dropped, dtype),
        output=output,
        context=output if same_output else to_dtype(record.context, dtype),
    )
