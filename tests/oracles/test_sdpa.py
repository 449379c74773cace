"""Does attention give the numbers of PyTorch, ONNX and 50-digit arithmetic?"""

import numpy as np
import pytest

from attention_widget import (
    log_sum_exp,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    tiled_attention,
)
from tests.oracles.cases import array, assert_close, case_of, cases, inputs


def torch_arguments(case):
    q, k, v, mask = inputs(case, "torch_sdpa", "Q", "K", "V", "attn_mask")
    attributes = case["attributes"]
    return (q, k, v), {
        "causal": attributes["is_causal"],
        "scale": attributes["scale"],
        "mask": mask,
    }


def onnx_arguments(case):
    q, k, v, mask = inputs(case, "onnx_attention", "Q", "K", "V", "attn_mask")
    attributes = case["attributes"]
    if q.ndim == 3:
        q, k, v = (split_heads(a, attributes["q_num_heads"]) for a in (q, k, v))
    options = {
        "causal": bool(attributes.get("is_causal", 0)),
        "scale": attributes.get("scale"),
        "mask": mask,
    }
    return (q, k, v), options


@pytest.mark.parametrize("case", cases("torch_sdpa", "sdpa"))
def test_dense_attention_gives_pytorchs_output_weights_and_lse(case):
    qkv, options = torch_arguments(case)
    record = scaled_dot_product_attention(*qkv, **options)
    expected, tolerance = case["expected"], case["tolerance"]
    assert_close(record.output, array(expected["Y"]), tolerance)
    assert_close(log_sum_exp(record.masked_scores), array(expected["lse"]), tolerance)
    if "A" in expected:
        assert_close(record.weights, array(expected["A"]), tolerance)


@pytest.mark.parametrize("tile", [1, 4, 7, 64])
@pytest.mark.parametrize("case", cases("torch_sdpa", "sdpa"))
def test_tiled_attention_gives_pytorchs_output_and_lse(case, tile):
    qkv, options = torch_arguments(case)
    output, lse = tiled_attention(*qkv, **options, tile=tile)
    assert_close(output, array(case["expected"]["Y"]), case["tolerance"])
    assert_close(lse, array(case["expected"]["lse"]), case["tolerance"])


@pytest.mark.parametrize("case", cases("onnx_attention", "sdpa"))
def test_dense_attention_gives_onnxs_output(case):
    qkv, options = onnx_arguments(case)
    record = scaled_dot_product_attention(*qkv, **options)
    want = array(case["expected"]["Y"])
    output = merge_heads(record.output) if want.ndim == 3 else record.output
    assert output.dtype == want.dtype
    assert_close(output, want, case["tolerance"])
    if "qk_matmul_output" in case["expected"]:
        mode = case["attributes"].get("qk_matmul_output_mode", 0)
        got = record.weights if mode == 3 else record.scores
        assert_close(got, array(case["expected"]["qk_matmul_output"]), case["tolerance"])


@pytest.mark.parametrize("case", cases("onnx_attention", "sdpa"))
def test_tiled_attention_gives_onnxs_output(case):
    qkv, options = onnx_arguments(case)
    output, _ = tiled_attention(*qkv, **options, tile=2)
    want = array(case["expected"]["Y"])
    assert output.dtype == want.dtype
    assert_close(merge_heads(output) if want.ndim == 3 else output, want, case["tolerance"])


@pytest.mark.parametrize("case", cases("onnx_attention", "softmax"))
def test_softmax_gives_onnxs_numbers_on_every_axis(case):
    (x,) = inputs(case, "onnx_attention", "x")
    got = softmax(x, axis=case["attributes"].get("axis", -1))
    assert_close(got, array(case["expected"]["y"]), case["tolerance"])


PRECISIONS = {
    np.float64: "Y_f64",
    np.float32: "f32_vs_f64",
    np.float16: "f16_vs_f64",
}


@pytest.mark.parametrize("dtype", PRECISIONS, ids=lambda d: d.__name__)
def test_every_precision_stays_as_close_to_float64_as_its_digits_allow(dtype):
    case = case_of("torch_precision", "precision_B1_h2_T6_d4")
    q, k, v = (a.astype(dtype) for a in inputs(case, "torch_precision", "Q", "K", "V"))
    record = scaled_dot_product_attention(q, k, v, causal=True)
    assert {a.dtype for a in (record.scores, record.weights, record.output)} == {np.dtype(dtype)}
    exact = array(case["expected"]["Y_f64"])
    assert_close(record.output, exact, case["tolerance"][PRECISIONS[dtype]])


def test_float16_scores_that_overflow_before_scaling_do_not_overflow_here():
    case = case_of("torch_precision", "float16_score_overflow_q=k=40_d64")
    one, v = inputs(case, "torch_precision", "Q", "V")
    q = np.repeat(one, 64, axis=-1)
    with np.errstate(over="ignore"):
        assert np.isinf(q @ q.swapaxes(-1, -2)).all()  # what plain float16 makes of it
    record = scaled_dot_product_attention(q, q, v, causal=True)
    assert_close(record.output, array(case["expected"]["Y_exact"]), case["tolerance"])
    assert_close(record.output, array(case["expected"]["Y_f16_torch_math"]), case["tolerance"])
