"""Do the counts agree with published ones, and with the arrays themselves?"""

import numpy as np
import pytest

from attention_widget import attention_cost, causal_mask, head_width, tile_score_bytes, tile_steps
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from tests.oracles.cases import cases, load


@pytest.mark.parametrize("case", cases("arithmetic", "arithmetic"))
def test_the_counts_of_gpt2_sized_layers_are_exact(case):
    attributes, want = case["attributes"], case["expected"]
    t, d, h, batch = (attributes[name] for name in ("T", "d_model", "num_heads", "B"))
    cost = attention_cost(t, d, h, batch=batch)
    assert head_width(d, h) == want["d_head"]
    assert cost.parameters == want["attn_params_no_bias"]
    assert cost.parameters_with_bias == want["attn_params_bias"]
    assert list(cost.score_shape) == want["score_shape"]
    assert np.prod(cost.score_shape, dtype=object) == want["score_elements"]
    assert cost.score_bytes == want["score_bytes_fp32"]
    assert cost.score_bytes / 2**30 == want["score_GiB_fp32"]
    half = attention_cost(t, d, h, batch=batch, dtype_bytes=2)
    assert half.score_bytes == want["score_bytes_fp16"]
    assert cost.flops == want["flops"]["matmul_total"]
    assert cost.flops == sum(want["flops"]["matmul_2mnk"].values())
    if t <= 1024:
        masked = np.count_nonzero(~causal_mask(t))
        assert masked == want["causal_masked_cells_per_head"]


def test_only_the_score_tensor_grows_with_the_number_of_heads():
    for row in load("arithmetic")["h_dependence_T1024_d768"]:
        cost = attention_cost(1024, 768, row["h"])
        assert cost.flops == row["matmul_total"]
        assert cost.score_bytes / 2**20 == row["score_MiB_fp32"]
        assert cost.parameters == 4 * 768**2


def test_the_counted_parameters_and_score_bytes_are_those_of_the_arrays():
    layer, x = lesson_layer(3), lesson_inputs(tokenize(SENTENCE))
    record = layer(x)
    cost = attention_cost(6, 12, 3, dtype_bytes=8)
    assert cost.parameters == layer.w_q.size + layer.w_k.size + layer.w_v.size + layer.w_o.size
    assert (cost.score_shape, cost.score_bytes) == (record.scores.shape, record.scores.nbytes)


def test_the_counted_flops_are_those_of_the_products():
    t, d, h = 5, 21, 3
    width = d // h
    products = [(t, d, d)] * 3 + [(t, width, t), (t, t, width)] * h + [(t, d, d)]
    assert attention_cost(t, d, h).flops == sum(2 * m * n * k for m, n, k in products)


def test_doubling_the_context_quadruples_the_dense_scores_and_leaves_a_tile_as_it_is():
    short, long = attention_cost(1024, 768, 12), attention_cost(2048, 768, 12)
    assert long.score_bytes == 4 * short.score_bytes
    assert tile_score_bytes(1024, 12, 64) == tile_score_bytes(2048, 12, 64) == 12 * 64 * 64 * 4


def test_a_tile_holds_as_many_scores_as_the_helper_says():
    q, k, v = np.random.default_rng(0).standard_normal((3, 2, 3, 11, 7))
    step = next(iter(tile_steps(q, k, v, tile=4)))
    rows, columns = (part.stop - part.start for part in (step.queries, step.keys))
    assert tile_score_bytes(11, 3, 4, batch=2, dtype_bytes=8) == 2 * 3 * rows * columns * 8
    assert tile_score_bytes(2, 3, 4) == 3 * 2 * 2 * 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: attention_cost(-1, 12, 3),
        lambda: attention_cost(6, 12, 5),
        lambda: attention_cost(6.5, 12, 3),
        lambda: attention_cost(6, 12, 3, dtype_bytes=0),
        lambda: tile_score_bytes(6, 3, 0),
    ],
)
def test_a_count_that_makes_no_sense_is_refused_with_a_way_out(call):
    with pytest.raises(ValueError, match=r"must .*; try"):
        call()
