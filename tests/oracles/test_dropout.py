"""Does dropout do what PyTorch and ONNX do, in one draw and over many?"""

import numpy as np
import pytest

from attention_widget import apply_dropout, keep_mask, scaled_dot_product_attention
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.products import weigh_values
from tests.oracles.cases import array, assert_close, case_of, cases, inputs

SIGMAS = 4.5
"""How many standard errors a mean over many draws may be off; the seeds are fixed."""


@pytest.mark.parametrize("case", cases("onnx_attention", "dropout_onnx"))
def test_onnxs_dropped_tensors_come_out_with_its_own_uniform_field(case):
    x, ratio, training = inputs(case, "onnx_attention", "x", "r", "t")
    field = np.random.RandomState(case["attributes"]["seed"]).uniform(0, 1, x.shape)
    p = float(ratio) if training is not None and training else 0.0
    keep = field >= p
    np.testing.assert_array_equal(keep, array(case["expected"]["z"]))
    assert_close(apply_dropout(x, keep, p), array(case["expected"]["y"]), case["tolerance"])


@pytest.mark.parametrize("case", cases("torch_dropout", "dropout_apply"))
def test_pytorchs_dropped_weights_and_output_come_out_for_its_mask(case):
    weights, keep, v = inputs(case, "torch_dropout", "A", "keep", "V")
    dropped = apply_dropout(weights, keep, case["attributes"]["p"])
    assert_close(dropped, array(case["expected"]["A_dropped"]), case["tolerance"])
    assert_close(weigh_values(dropped, v), array(case["expected"]["Y"]), case["tolerance"])
    assert_close(dropped.sum(axis=-1), case["row_sums"], case["tolerance"])


def draw_many(weights, p, draws):
    keep = keep_mask((draws, *weights.shape), p, np.random.default_rng(20))
    return apply_dropout(np.broadcast_to(weights, keep.shape), keep, p)


@pytest.mark.parametrize(
    "case", [c for c in cases("torch_dropout", "dropout_stats") if "stats" in c.id]
)
def test_over_many_draws_a_row_sums_to_1_on_average_and_spreads_as_theory_says(case):
    (weights,) = inputs(case, "torch_dropout", "A")
    expected = case["expected"]
    p, draws = expected["p"], expected["draws"]
    dropped = draw_many(weights, p, draws)
    sums, spread = dropped.sum(axis=-1), np.array(expected["theory_std"])
    assert_close(p / (1 - p) * (weights**2).sum(-1), spread**2, {"rtol": 1e-9, "atol": 0})
    assert np.all(np.abs(sums.mean(axis=0) - 1) <= SIGMAS * spread / np.sqrt(draws))
    np.testing.assert_allclose(sums.std(axis=0), spread, rtol=0.05)
    np.testing.assert_allclose(sums.std(axis=0), expected["std_row_sum"], rtol=0.1)
    gone = np.array(expected["theory_all_dropped"])
    seen = (dropped == 0).all(axis=-1, where=weights > 0).mean(axis=0)
    assert np.all(np.abs(seen - gone) <= SIGMAS * np.sqrt(gone * (1 - gone) / draws))
    assert_close(np.unique(sums[:, 0]), expected["row0_values"], {"rtol": 1e-12, "atol": 0})


def test_rescaling_keeps_the_mean_of_the_output_but_not_its_size():
    case = case_of("torch_dropout", "dropout_output_moments_p0.5")
    weights, v = inputs(case, "torch_dropout", "A", "V")
    expected = case["expected"]
    p, draws = expected["p"], expected["draws"]
    clean, outputs = weights @ v, draw_many(weights, p, draws) @ v
    error = np.sqrt(p / (1 - p) * (weights**2 @ v**2) / draws)
    assert np.all(np.abs(outputs.mean(axis=0) - clean) <= SIGMAS * error)
    ratio = np.sqrt((outputs**2).mean() / (clean**2).mean())
    np.testing.assert_allclose(ratio, expected["rms_ratio_theory"], rtol=0.01)
    np.testing.assert_allclose(ratio, expected["rms_ratio_measured"], rtol=0.02)


def test_the_edges_of_dropout_are_pytorchs():
    expected = case_of("torch_dropout", "dropout_edges")["expected"]
    x, keep = np.array([[1.5, -2.0], [0.25, 3.0]]), np.ones((2, 2), bool)
    none, rng = ~keep, np.random.default_rng(0)
    assert expected["p=0 returns x unchanged"] is True
    np.testing.assert_array_equal(apply_dropout(x, keep_mask((2, 2), 0, rng), 0), x)
    assert not keep_mask((40, 40), 1, rng).any()
    np.testing.assert_array_equal(apply_dropout(x, none, 1), array(expected["p=1 on finite x"]))
    nasty = apply_dropout(np.array([np.nan, np.inf]), np.zeros(2, bool), 1)
    np.testing.assert_array_equal(nasty, array(expected["p=1 on [nan, inf]"]))
    attended = scaled_dot_product_attention(x, x, np.ones((2, 4)), dropout=1, rng=rng)
    np.testing.assert_array_equal(attended.output, array(expected["sdpa dropout_p=1"]))


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_a_probability_outside_0_to_1_is_refused_as_pytorch_refuses_it(p):
    expected = case_of("torch_dropout", "dropout_edges")["expected"]
    assert "Error" in expected[f"F.dropout(p={p})"]
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]: got"):
        apply_dropout(np.ones((2, 2)), np.ones((2, 2), bool), p)
    with pytest.raises(ValueError, match=r"must lie in \[0, 1\]: got"):
        keep_mask((2, 2), p, np.random.default_rng(0))


def test_dropout_is_off_at_inference_as_in_pytorch():
    expected = case_of("torch_dropout", "dropout_edges")["expected"]
    assert expected["training=False returns x unchanged (p=.5)"] is True
    record = lesson_layer()(lesson_inputs(tokenize(SENTENCE)), dropout=0.5, training=False)
    assert record.dropped is record.weights
