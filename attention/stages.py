"""Which steps make up attention, so that one of them can be swapped and the rest stay put?"""

from collections.abc import Callable
from dataclasses import dataclass

from attention_widget.dropout import apply_dropout
from attention_widget.mask import causal_mask, fill_with_minus_inf
from attention_widget.softmax import normalise
from attention_widget.validate import BoolArray, FloatArray


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
        allow: (T_q, T_k) -> bool (T_q, T_k), the pairs that `causal=True` allows.
        fill: (scores, allowed) -> masked scores, (..., T_q, T_k).
        normalise: (masked scores, allowed or None) -> weights, (..., T_q, T_k).
        drops: training -> whether the layer applies dropout.
        drop: (weights, keep, p) -> weights after dropout.
        project: (context, W_o, b_o) -> output of the layer.
    """

    allow: Callable[[int, int], BoolArray] = causal_mask
    fill: Callable[[FloatArray, BoolArray], FloatArray] = fill_with_minus_inf
    normalise: Callable[[FloatArray, BoolArray | None], FloatArray] = softmax_rows
    drops: Callable[[bool], bool] = in_training_only
    drop: Callable[[FloatArray, BoolArray, float], FloatArray] = apply_dropout
    project: Callable[[FloatArray, FloatArray, FloatArray | None], FloatArray] = project_heads


CORRECT = Stages()
