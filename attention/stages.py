"""Which steps make up attention, so that one of them can be swapped and the rest stay put?"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from attention_widget.dropout import apply_dropout
from attention_widget.mask import causal_mask, fill_with_minus_inf
from attention_widget.softmax import normalise
from attention_widget.validate import BoolArray, FloatArray


def split_width(x: FloatArray, n_heads: int) -> FloatArray:
    """Cut the width into heads and move the head axis: (..., T, d) -> (..., h, T, d_head)."""
    d_head = x.shape[-1] // n_heads
    return x.reshape(*x.shape[:-1], n_heads, d_head).swapaxes(-2, -3)  # (..., h, T, d_head)


def default_scale(d: int) -> float:
    """Return 1 / sqrt(d), which keeps the variance of q . k at 1 when q and k have variance 1."""
    return 1.0 / math.sqrt(d)


def softmax_rows(masked_scores: FloatArray, allowed: BoolArray | None) -> FloatArray:
    """Turn masked scores into weights; the mask is already in them, so `allowed` is not read."""
    return normalise(masked_scores)


def in_training_only(training: bool) -> bool:
    """Say whether dropout acts in this call."""
    return training


def project_heads(context: FloatArray, w_o: FloatArray, b_o: FloatArray | None) -> FloatArray:
    """Mix the concatenated heads: output = context W_o + b_o, (B, T, d) -> (B, T, d_out)."""
    output = context @ w_o
    return output if b_o is None else output + b_o


@dataclass(frozen=True, slots=True)
class Stages:
    """The steps of attention that have an alternative; the defaults are the correct ones.

    Attributes:
        split: (projected (..., T, d), h) -> (..., h, T, d_head), for queries, keys and values.
        scale: width of a head -> factor of q . k, where the caller gives none.
        allow: (T_q, T_k) -> bool (T_q, T_k), the pairs that `causal=True` allows.
        fill: (scores, allowed) -> masked scores, (..., T_q, T_k).
        normalise: (masked scores, allowed or None) -> weights, (..., T_q, T_k).
        drops: training -> whether the layer applies dropout.
        drop: (weights, keep, p) -> weights after dropout.
        project: (context, W_o, b_o) -> output of the layer.
    """

    split: Callable[[FloatArray, int], FloatArray] = split_width
    scale: Callable[[int], float] = default_scale
    allow: Callable[[int, int], BoolArray] = causal_mask
    fill: Callable[[FloatArray, BoolArray], FloatArray] = fill_with_minus_inf
    normalise: Callable[[FloatArray, BoolArray | None], FloatArray] = softmax_rows
    drops: Callable[[bool], bool] = in_training_only
    drop: Callable[[FloatArray, BoolArray, float], FloatArray] = apply_dropout
    project: Callable[[FloatArray, FloatArray, FloatArray | None], FloatArray] = project_heads


CORRECT = Stages()
