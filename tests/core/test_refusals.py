"""Does every refusal give the rule, the values and a way out?"""

import numpy as np
import pytest

from attention_widget import (
    MultiHeadAttention,
    apply_dropout,
    causal_mask,
    head_width,
    keep_mask,
    log_sum_exp,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    tiled_attention,
)

Q = np.ones((2, 3, 5, 7))
X = np.ones((2, 5, 21))
W = np.eye(21)
RNG = np.random.default_rng(0)


def attend(q=Q, k=Q, v=Q, **options):
    return scaled_dot_product_attention(q, k, v, **options)


def layer(w_q=W, w_k=W, w_v=W, w_o=W, n_heads=3, **biases):
    return MultiHeadAttention(w_q, w_k, w_v, w_o, n_heads, **biases)


REFUSALS = [
    (lambda: attend(q=Q[..., :6]), r"one width d >= 1: q is \(2, 3, 5, 6\).*; project both"),
    (lambda: attend(q=Q[..., :0], k=Q[..., :0]), r"one width d >= 1: .*; project both"),
    (lambda: attend(v=Q[..., :4, :]), r"one value.*v is \(2, 3, 4, 7\); pass k and v"),
    (lambda: attend(k=Q[:1], v=Q[:1]), r"share the axes.*k is \(1, 3, 5, 7\).*; expand"),
    (lambda: attend(Q[0, 0, 0], Q[0, 0, 0], Q[0, 0, 0]), r"axes \(T, d\): q is \(7,\).*; add one"),
    (lambda: attend(q=Q.astype(str)), r"q must hold real numbers: got dtype <U.*; convert"),
    (lambda: attend(v=Q * 1j), r"v must hold real numbers: got dtype complex128; convert"),
    (lambda: attend(k=Q > 0), r"k must hold real numbers: got dtype bool; convert"),
    (lambda: attend(q=[[1.0, 2.0], [3.0]]), r"q must be a rectangular array.*; pad them"),
    (lambda: attend(q=None), r"q must hold real numbers: got dtype object; convert"),
    (lambda: attend(scale=np.nan), r"scale must be a finite number: got nan; leave it out"),
    (lambda: attend(scale="big"), r"scale must be a finite number: got 'big'; leave it out"),
    (lambda: attend(dropout=0.1), r"rng is None; pass rng=numpy\.random\.default_rng"),
    (lambda: attend(dropout=1.5, rng=RNG), r"must lie in \[0, 1\]: got 1\.5; 0 drops nothing"),
    (lambda: attend(dropout="x", rng=RNG), r"must lie in \[0, 1\]: got 'x'; 0 drops nothing"),
    (lambda: attend(dropout=0.1, rng=7), r"must be a numpy\.random\.Generator: got int; pass"),
    (lambda: attend(mask=np.ones((5, 5), int)), r"mask must be bool.*int64; for zeros and ones"),
    (lambda: attend(mask=np.ones((5, 6), bool)), r"mask is \(5, 6\), scores are .*; give it"),
    (lambda: attend(mask=np.ones((9, 2, 3, 5, 5), bool)), r"mask is \(9, 2, 3, 5, 5\).*; give"),
    (lambda: tiled_attention(Q, Q, Q, mask=np.ones(4, bool)), r"mask is \(4,\).*; give it"),
    (lambda: tiled_attention(Q, Q, Q, tile=0), r"tile must be a whole number of at least 1: got 0"),
    (lambda: tiled_attention(Q, Q[..., :6], Q), r"one width d >= 1: .*; project both"),
    (lambda: layer(n_heads=5), r"h must divide d: d=21, h=5 leaves 1; try 1, 3, 7 or 21"),
    (lambda: layer(n_heads=0), r"n_heads must be a whole number of at least 1: got 0; try 1"),
    (lambda: layer(n_heads=1.5), r"n_heads must be a whole number of at least 1: got 1\.5; try"),
    (lambda: layer(w_q=W[0]), r"w_q must be \(d_in, d\): got \(21,\); a single head"),
    (lambda: layer(w_k=W[:, :20]), r"w_k must have the shape \(21, 21\): got \(21, 20\); weights"),
    (lambda: layer(w_o=W[:20]), r"w_o must be \(d, d_out\) with d=21: got \(20, 21\); transpose"),
    (lambda: layer(b_q=np.ones(20)), r"b_q must have the shape \(21,\): got \(20,\); weights"),
    (lambda: layer()(X[0]), r"x must be \(B, T, d\) with d=21: got \(5, 21\); add the batch axis"),
    (lambda: layer()(X[..., :20]), r"x must be .* with d=21: got \(2, 5, 20\)"),
    (lambda: layer()(X, dropout=-1), r"dropout must lie in \[0, 1\]: got -1; 0 drops nothing"),
    (lambda: layer()(X, dropout=0.1, training=True), r"rng is None; pass rng="),
    (lambda: layer()([["a"]]), r"x must hold real numbers: got dtype <U1; convert"),
    (lambda: head_width(12, True), r"n_heads must be a whole number of at least 1: got True"),
    (lambda: head_width(1, 2), r"h must divide d: d=1, h=2 leaves 1; try 1$"),
    (lambda: split_heads(np.ones(7), 7), r"x needs at least the axes \(T, d\): got \(7,\); add"),
    (lambda: merge_heads(X[0]), r"axes \(h, T, d_head\): got \(5, 21\); make it with split_heads"),
    (lambda: causal_mask(-1), r"t_q must be a whole number of at least 0: got -1; try 0"),
    (lambda: keep_mask((2,), 0.5, None), r"must be a numpy\.random\.Generator: got NoneType; pass"),
    (lambda: apply_dropout(Q, np.ones(7), 0.5), r"keep must be bool.*got dtype float64; use"),
    (lambda: apply_dropout(Q, np.ones(6, bool), 0.5), r"keep is \(6,\).*; draw it with keep_mask"),
    (lambda: softmax("abc"), r"scores must hold real numbers: got dtype <U3; convert"),
    (lambda: log_sum_exp([None]), r"scores must hold real numbers: got dtype object; convert"),
]


@pytest.mark.parametrize(("call", "message"), REFUSALS, ids=[m for _, m in REFUSALS])
def test_bad_input_is_refused_with_the_rule_the_values_and_a_way_out(call, message):
    with pytest.raises(ValueError, match=message) as refusal:
        call()
    assert refusal.value.__cause__ is None
    assert ": " in str(refusal.value)


def test_lists_and_whole_numbers_are_taken_as_float64():
    record = scaled_dot_product_attention([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1], [3]])
    assert record.output.dtype == np.float64
    e = np.exp(1 / np.sqrt(2))
    np.testing.assert_allclose(record.output, [[(e + 3) / (e + 1)], [(1 + 3 * e) / (1 + e)]])


@pytest.mark.parametrize("shape", [(0, 5, 21), (2, 0, 21), (0, 0, 21), (2, 1, 21)])
def test_empty_and_single_sequences_keep_their_axes(shape):
    record = layer()(np.ones(shape))
    batch, t, _ = shape
    assert record.output.shape == record.context.shape == shape
    assert record.weights.shape == record.scores.shape == (batch, 3, t, t)
    assert (record.weights == 1).all()


def test_no_call_warns_whatever_it_is_given(recwarn):
    nasty = np.array([[np.nan, np.inf], [-np.inf, 1e308], [1e308, -1e308]])
    for causal in (False, True):
        attend(nasty, nasty, nasty, causal=causal)
        tiled_attention(nasty, nasty, nasty, causal=causal, tile=2)
    softmax(nasty)
    log_sum_exp(nasty)
    apply_dropout(nasty, np.zeros((3, 2), bool), 1)
    layer(np.eye(2), np.eye(2), np.eye(2), np.eye(2), 1)(nasty[None])
    assert [str(w.message) for w in recwarn] == []
