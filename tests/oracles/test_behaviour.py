"""Where PyTorch and ONNX disagree on nasty input, which of them is this project with?"""

import numpy as np
import pytest

from attention_widget import (
    MultiHeadAttention,
    head_width,
    log_sum_exp,
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
    tiled_attention,
)
from tests.oracles.cases import array, assert_close, case_of, inputs

EXACT = {"rtol": 1e-12, "atol": 1e-12}  # the tolerance of the same file's sdpa cases


def behaviour(case_id):
    case = case_of("torch_behaviour", case_id)
    return case, inputs(case, "torch_behaviour", "Q", "K", "V")


def both_ways(q, k, v, **options):
    """Return the dense and the tiled output; every decision holds for both."""
    dense = scaled_dot_product_attention(q, k, v, **options).output
    return dense, tiled_attention(q, k, v, **options, tile=2)[0]


def without_future(q, k, v):
    """Return what the rows before the last would be if the last token were an ordinary one."""
    k, v = k.copy(), v.copy()
    k[..., -1, :], v[..., -1, :] = 0.5, -0.5
    return both_ways(q, k, v, causal=True)


def test_nan_and_inf_in_a_future_value_reach_no_earlier_row_stricter_than_both():
    case, (q, k, v) = behaviour("nan_inf_in_value_row_3_T4")
    assert np.isnan(array(case["onnx"])[..., :3, :]).all()  # what both of them do
    for got, clean in zip(both_ways(q, k, v, causal=True), without_future(q, k, v), strict=True):
        assert got[..., :3, :].tobytes() == clean[..., :3, :].tobytes()
        np.testing.assert_array_equal(got[..., 3, :], array(case["torch"]["math"])[..., 3, :])


def test_nan_in_a_future_key_reaches_no_earlier_row_as_in_pytorchs_default():
    case, (q, k, v) = behaviour("nan_in_key_row_3_T4")
    for got, clean in zip(both_ways(q, k, v, causal=True), without_future(q, k, v), strict=True):
        assert_close(got, array(case["torch"]["default"]), EXACT)
        assert got[..., :3, :].tobytes() == clean[..., :3, :].tobytes()


def test_inf_in_a_future_key_reaches_no_earlier_row_as_in_pytorchs_default():
    case, (q, k, v) = behaviour("inf_in_key_row_3_T4")
    for got, clean in zip(both_ways(q, k, v, causal=True), without_future(q, k, v), strict=True):
        assert_close(got, array(case["torch"]["default"]), EXACT)
        assert got[..., :3, :].tobytes() == clean[..., :3, :].tobytes()


def test_a_nan_query_makes_its_own_row_nan_and_never_a_silent_zero():
    case, (q, k, v) = behaviour("nan_in_query_row_1_T4")
    for got in both_ways(q, k, v, causal=True):
        assert_close(got, array(case["onnx"]), EXACT)
        np.testing.assert_array_equal(np.isnan(got).any(axis=-1), [[[False, True, False, False]]])


def test_a_row_with_nothing_to_attend_to_gives_zero_as_sdpa_and_onnx_do():
    case = case_of("torch_behaviour", "fully_masked_row_1_T4")
    x, mask = inputs(case, "torch_behaviour", "x", "attn_mask")
    heads = split_heads(x, 2)
    record = scaled_dot_product_attention(heads, heads, heads, mask=mask)
    output, lse = tiled_attention(heads, heads, heads, mask=mask, tile=2)
    assert_close(merge_heads(record.output), array(case["onnx"]), EXACT)
    assert_close(merge_heads(output), array(case["onnx"]), EXACT)
    assert (record.weights[..., 1, :] == 0).all()
    assert np.isneginf(log_sum_exp(record.masked_scores)[..., 1]).all()
    assert np.isneginf(lse[..., 1]).all()


def test_a_score_that_is_finite_after_scaling_does_not_overflow_before_it():
    case, (q, k, v) = behaviour("score_overflow_q=k=1e+154")
    for got in both_ways(q, k, v, causal=True):
        assert_close(got, array(case["onnx"]), EXACT)


def test_a_mask_and_causal_apply_together_as_onnx_defines():
    case, (q, k, v) = behaviour("mask_plus_is_causal")
    (mask,) = inputs(case, "torch_behaviour", "attn_mask")
    for got in both_ways(q, k, v, causal=True, mask=mask):
        assert_close(got, array(case["onnx"]), EXACT)


def test_an_empty_sequence_gives_empty_arrays_of_the_right_shape():
    case = case_of("torch_behaviour", "T=0")
    empty = np.zeros(case["inputs"]["shape"])
    for got in both_ways(empty, empty, empty, causal=True):
        assert list(got.shape) == case["torch"]["sdpa_output_shape"]["math"]


def test_an_empty_sequence_gives_a_layer_with_empty_maps():
    case = case_of("torch_behaviour", "mha_T=0")
    batch, t, d = case["inputs"]["x_shape"]
    n_heads = case["inputs"]["num_heads"]
    for training in (True, False):
        layer = MultiHeadAttention(*[np.eye(d)] * 4, n_heads)
        record = layer(np.zeros((batch, t, d)), training=training)
        want = case["torch"]["train" if training else "eval"]
        assert list(record.output.shape) == want["output"]
        assert list(record.weights.mean(axis=1).shape) == want["weights"]
        assert record.scores.shape == (batch, n_heads, 0, 0)


@pytest.mark.parametrize(("d", "h"), [(12, 5), (10, 3), (768, 7), (12, 0), (12, -2), (12, 13)])
def test_a_head_count_that_does_not_divide_the_width_is_refused(d, h):
    case = case_of("torch_behaviour", "h_does_not_divide_d")
    assert "Error" in case["torch"][f"nn.MultiheadAttention({d},{h})"]
    with pytest.raises(ValueError, match=r"must .*(divide|at least 1).*; try"):
        head_width(d, h)
