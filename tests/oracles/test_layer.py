"""Does a whole layer give PyTorch's numbers, and the numbers of a published notebook?"""

from dataclasses import replace

import numpy as np
import pytest

from attention_widget import (
    CORRECT,
    Fault,
    MultiHeadAttention,
    apply_dropout,
    attention_cost,
    scaled_dot_product_attention,
    stages_for,
)
from tests.oracles.cases import array, assert_close, cases, inputs, load

WEIGHTS = ("W_q", "W_k", "W_v", "W_o")
BIASES = ("b_q", "b_k", "b_v", "b_o")
BOOK = load("raschka_ch03")


def layer_of(case):
    weights = inputs(case, "torch_mha", *WEIGHTS)
    biases = dict(zip(BIASES, inputs(case, "torch_mha", *BIASES), strict=True))
    return MultiHeadAttention(*weights, case["attributes"]["num_heads"], **biases)


@pytest.mark.parametrize("case", cases("torch_mha", "mha"))
def test_the_layer_gives_pytorchs_output_and_maps(case):
    (x,) = inputs(case, "torch_mha", "x")
    record = layer_of(case)(x, causal=case["attributes"]["is_causal"])
    expected, tolerance = case["expected"], case["tolerance"]
    if "Y" in expected:
        assert_close(record.output, array(expected["Y"]), tolerance)
        assert_close(record.weights, array(expected["A"]), tolerance)
        return
    assert list(record.output.shape) == expected["Y_shape"]
    assert list(record.weights.shape) == expected["A_shape"]
    sample = record.output.reshape(-1)[array(expected["Y_sample_flat_index"])]
    diagonal = np.diagonal(record.weights[0], axis1=-2, axis2=-1).mean(axis=-1)
    assert_close(sample, array(expected["Y_sample"]), tolerance)
    assert_close(record.output.sum(), expected["Y_sum"], tolerance)
    assert_close(np.abs(record.output).sum(), expected["Y_abs_sum"], tolerance)
    assert_close(record.weights[0, 0, -1], array(expected["A_last_row_head0"]), tolerance)
    assert_close(diagonal, array(expected["A_diag_mean_per_head"]), tolerance)


def single_head(dtype, *, causal, scale=None, stages=CORRECT):
    """The notebook's trainable head: d_in = 3, d = 2."""
    x = array(BOOK["inputs"]["x"]).astype(dtype)
    w = BOOK["weights"]["v2_seed789_linear"]
    q, k, v = (x @ array(w[name]).astype(dtype) for name in WEIGHTS[:3])
    return scaled_dot_product_attention(q, k, v, causal=causal, scale=scale, stages=stages)


def untrained(dtype):
    """The notebook's first attention: x against itself, unscaled."""
    x = array(BOOK["inputs"]["x"]).astype(dtype)
    return scaled_dot_product_attention(x, x, x, scale=1.0)


def renormalised(dtype):
    zeroed = single_head(dtype, causal=True, stages=stages_for({Fault.ZERO_AFTER_SOFTMAX})).weights
    return zeroed / zeroed.sum(axis=-1, keepdims=True)


def two_heads(dtype):
    x = array(BOOK["inputs"]["x"]).astype(dtype)
    w = {name: array(a).astype(dtype) for name, a in BOOK["weights"]["mha_seed123"].items()}
    layer = MultiHeadAttention(*(w[name] for name in WEIGHTS), 2, b_o=w["b_o"])
    return layer(x[None]).output[0]


def mask_of(name):
    return array(BOOK["extra"][name])


def dropped_causal(dtype):
    weights = single_head(dtype, causal=True).weights
    return apply_dropout(weights, mask_of("macos_dropout_keep_mask"), 0.5)


def ones_dropped(name):
    return lambda dtype: apply_dropout(np.ones((6, 6), dtype), mask_of(name), 0.5)


ROUTES = {
    "untrained.scores": lambda t: untrained(t).scores,
    "untrained.weights": lambda t: untrained(t).weights,
    "untrained.context": lambda t: untrained(t).output,
    "v2.context": lambda t: single_head(t, causal=False).output,
    "v2.weights_unmasked": lambda t: single_head(t, causal=False).weights,
    "v2.weights_zeroed_after_softmax": lambda t: (
        single_head(t, causal=True, stages=stages_for({Fault.ZERO_AFTER_SOFTMAX})).weights
    ),
    "v2.masked_scores_unscaled": lambda t: single_head(t, causal=True, scale=1.0).masked_scores,
    "v2.weights_causal": lambda t: single_head(t, causal=True).weights,
    "v2.weights_zero_then_renormalise": renormalised,
    "dropout.ones_macOS_printed": ones_dropped("macos_dropout_keep_mask"),
    "dropout.causal_weights_macOS_printed": dropped_causal,
    "dropout.causal_weights_given_macOS_mask": dropped_causal,
    "mha.output": two_heads,
}
RESULTS = {result["key"]: result for result in BOOK["results"]}


@pytest.mark.parametrize("key", ROUTES)
def test_the_notebooks_numbers_for_the_lessons_sentence_come_out(key):
    result, route, tolerance = RESULTS[key], ROUTES[key], BOOK["tolerance"]
    assert_close(route(np.float32), array(result["torch_f32"]), tolerance["f32"])
    printed = {"rtol": 0, "atol": tolerance["printed"]}
    assert_close(route(np.float64), array(result["printed"]), printed)
    if "f64" in result:
        assert_close(route(np.float64), array(result["f64"]), tolerance["f64"])


def test_the_notebooks_dropout_on_linux_comes_out_for_each_of_its_two_masks():
    result = RESULTS["dropout.ones_linux_printed_issue57"]
    printed, torch_run = array(result["printed"]), array(result["torch_f32"])
    ones = np.ones((6, 6), np.float32)
    own_mask = mask_of("own_linux_dropout_keep_mask")
    np.testing.assert_array_equal(apply_dropout(ones, own_mask, 0.5), torch_run)
    np.testing.assert_array_equal(apply_dropout(ones, printed > 0, 0.5), printed)


def test_the_notebooks_parameter_count_has_a_bias_on_the_output_only():
    result = RESULTS["exercise3_3.params"]
    assert attention_cost(1024, 768, 12).parameters + 768 == result["printed"] == result["own"]


def test_the_notebooks_two_head_maps_and_their_concatenation_come_out():
    x = array(BOOK["inputs"]["x"]).astype(np.float64)
    w = {n: array(a).astype(np.float64) for n, a in BOOK["weights"]["mha_seed123"].items()}
    layer = MultiHeadAttention(*(w[name] for name in WEIGHTS), 2, b_o=w["b_o"])
    record, extra = layer(x[None]), BOOK["extra"]
    assert_close(record.weights[0], array(extra["mha_f64_weights_A"]), BOOK["tolerance"]["f64"])
    assert_close(record.context[0], array(extra["mha_f64_concat_Z"]), BOOK["tolerance"]["f64"])


def test_swapping_one_stage_leaves_the_others_as_they_were():
    stages = stages_for({Fault.ZERO_AFTER_SOFTMAX})
    assert replace(stages, fill=CORRECT.fill, normalise=CORRECT.normalise) == CORRECT
