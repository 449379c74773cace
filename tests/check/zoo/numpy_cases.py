"""Which faults does each NumPy style make? Every fault alone in several styles, and pairs."""

import numpy as np

from attention_widget import Fault, MultiHeadAttention
from tests.check.zoo import numpy_styles as style

F = Fault


def _case(make, *faults):
    return make, frozenset(faults)


WRONG = [
    _case(style.batched, F.NO_MASK),
    _case(style.batched, F.WRONG_TRIANGLE),
    _case(style.batched, F.FINITE_FILL),
    _case(style.batched, F.ZERO_AFTER_SOFTMAX),
    _case(style.batched, F.MISSING_SCALE),
    _case(style.batched, F.MISSING_RESCALE),
    _case(style.batched, F.RESCALE_BY_P),
    _case(style.batched, F.DROPOUT_AT_INFERENCE),
    _case(style.batched, F.INDIVISIBLE_HEADS),
    _case(style.batched, F.STRAIGHT_RESHAPE),
    _case(style.batched, F.NO_OUTPUT_PROJECTION),
    _case(style.loops, F.NO_MASK),
    _case(style.loops, F.ZERO_AFTER_SOFTMAX),
    _case(style.loops, F.INDIVISIBLE_HEADS),
    _case(style.loops, F.WRONG_TRIANGLE, F.MISSING_SCALE),
    _case(style.einsum, F.FINITE_FILL),
    _case(style.einsum, F.WRONG_TRIANGLE),
    _case(style.einsum, F.RESCALE_BY_P),
    _case(style.einsum, F.ZERO_AFTER_SOFTMAX, F.MISSING_SCALE),
    _case(style.einsum, F.NO_OUTPUT_PROJECTION, F.MISSING_RESCALE),
    _case(style.fused, F.MISSING_SCALE),
    _case(style.fused, F.DROPOUT_AT_INFERENCE),
    _case(style.fused, F.INDIVISIBLE_HEADS),
    _case(style.fused, F.STRAIGHT_RESHAPE, F.NO_MASK),
    _case(style.fused, F.WRONG_TRIANGLE, F.NO_OUTPUT_PROJECTION),
    _case(style.fused, F.FINITE_FILL, F.ZERO_AFTER_SOFTMAX),
    _case(style.columns, F.STRAIGHT_RESHAPE),
    _case(style.columns, F.NO_OUTPUT_PROJECTION),
    _case(style.columns, F.MISSING_RESCALE, F.DROPOUT_AT_INFERENCE),
    _case(style.columns, F.STRAIGHT_RESHAPE, F.MISSING_SCALE),
    _case(style.columns, F.ZERO_AFTER_SOFTMAX, F.RESCALE_BY_P),
    _case(style.core, F.NO_MASK),
    _case(style.core, F.FINITE_FILL),
    _case(style.core, F.MISSING_SCALE, F.DROPOUT_AT_INFERENCE),
    _case(style.core, F.WRONG_TRIANGLE, F.MISSING_RESCALE),
    _case(style.heads_in_turn, F.ZERO_AFTER_SOFTMAX),
    _case(style.heads_in_turn, F.MISSING_RESCALE),
    _case(style.heads_in_turn, F.NO_MASK, F.NO_OUTPUT_PROJECTION),
    _case(style.heads_in_turn, F.FINITE_FILL, F.MISSING_SCALE),
    _case(style.heads_in_turn, F.INDIVISIBLE_HEADS, F.DROPOUT_AT_INFERENCE),
]


def built():
    """Return the lesson's own layer, an object with its matrices."""
    w = np.random.default_rng(8).normal(size=(4, 20, 20)) / 20**0.5
    return MultiHeadAttention(*w, 2)


def renormalised(x, w_q, w_k, w_v, w_o, n_heads):
    """Return right numbers by zeroing after softmax and renormalising."""
    b, t, d = x.shape
    q, k, v = ((x @ w).reshape(b, t, n_heads, d // n_heads).swapaxes(1, 2) for w in (w_q, w_k, w_v))
    a = style.softmax(q @ k.swapaxes(2, 3) / (d // n_heads) ** 0.5) * np.tri(t)
    a = a / a.sum(-1, keepdims=True)
    return (a @ v).swapaxes(1, 2).reshape(b, t, d) @ w_o


def large_fill(x, w_qkv, w_o, n_heads):
    """Return right numbers with the fill that many courses teach."""
    b, t, d = x.shape
    q, k, v = (
        a.reshape(b, t, n_heads, d // n_heads).swapaxes(1, 2)
        for a in np.split(x @ w_qkv, 3, axis=-1)
    )
    s = q @ k.swapaxes(2, 3) / (d // n_heads) ** 0.5
    a = style.softmax(np.where(np.tri(t, dtype=bool), s, -1e9))
    return (a @ v).swapaxes(1, 2).reshape(b, t, d) @ w_o


RIGHT = [
    style.loops(),
    style.batched(),
    style.einsum(),
    style.fused(),
    style.columns(),
    style.core(),
    style.heads_in_turn(),
    built(),
    renormalised,
    large_fill,
]


def name_of(case):
    """Return a readable name of one wrong implementation."""
    make, faults = case
    return f"{make.__name__}-{'+'.join(sorted(fault.value for fault in faults))}"
