"""What happens at the ends of the range of numbers, and in each dtype?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_widget import scaled_dot_product_attention, tiled_attention
from tests.core.test_properties import D_HEAD, FEW, SEEDS, B, D, T, layer


@FEW
@given(SEEDS, st.floats(0, 300), st.floats(-300, 300))
def test_a_score_is_finite_wherever_its_exact_value_is(seed, power_q, power_k):
    rng = np.random.default_rng(seed)
    q, k = rng.uniform(0.5, 1, (2, 1, T, D_HEAD))
    scale = 10.0 ** -(power_q + power_k) if abs(power_q + power_k) < 300 else 1e-300
    record = scaled_dot_product_attention(q * 10**power_q, k * 10**power_k, k, scale=scale)
    size = power_q + power_k + np.log10(scale) + np.log10(D_HEAD)
    if size < 307:
        assert np.isfinite(record.scores).all()
        assert np.isfinite(record.output).all()
    if abs(power_q + power_k) < 300:
        exact = q[0] @ k[0].T
        np.testing.assert_allclose(record.scores[0], exact, rtol=1e-10)


@pytest.mark.parametrize(
    ("q", "k", "scale", "score"),
    [
        ([1e154, 1e154], [1e154, 1e154], 2**-0.5, 2**0.5 * 1e308),
        ([1e300, 1e300], [1e300, 1e300], 1e-300, 2e300),
        ([1e300, 0.0], [1e-300, 1.0], 1e10, 1e10),  # scaling the query first would overflow
        ([1e305, 1e305], [-1e-305, 3e-305], 1e6, 2e6),
        ([2.0**700] * 2, [2.0**700, -(2.0**700)], 1.0, 0.0),  # inf - inf on the short way
        ([5e-324, 0.0], [1e300, 1.0], 1e10, 5e-324 * 1e300 * 1e10),
    ],
)
def test_neither_a_product_nor_a_sum_on_the_way_overflows(q, k, scale, score):
    v = [[1.0], [2.0]]
    record = scaled_dot_product_attention([q, [0, 0]], [k, [np.nan, np.inf]], v, scale=scale)
    np.testing.assert_allclose(record.scores[:, 0], [score, 0], rtol=1e-12)
    output, lse = tiled_attention([q], [k], [[1.0]], scale=scale)
    np.testing.assert_allclose(lse, [score], rtol=1e-12)
    np.testing.assert_array_equal(output, [[1.0]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_every_array_comes_back_in_the_dtype_it_came_in(dtype):
    x = np.random.default_rng(5).standard_normal((B, T, D)).astype(dtype)
    record = layer(5)(x, dropout=0.3, rng=np.random.default_rng(1), training=True)
    for name in ("scores", "masked_scores", "weights", "dropped", "output", "context"):
        assert getattr(record, name).dtype == dtype, name
    assert tiled_attention(x, x, x)[0].dtype == dtype


def test_a_float16_score_out_of_range_is_not_mistaken_for_a_masked_one():
    q = np.full((1, 2, 4), 250, np.float16)
    record = scaled_dot_product_attention(q, -q, q, causal=True)
    assert (record.scores == np.finfo(np.float16).min).all()
    assert np.isneginf(record.masked_scores).sum() == 1
