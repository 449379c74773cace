"""What holds for every input, not only for the lesson's?"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_widget import (
    MultiHeadAttention,
    causal_mask,
    log_sum_exp,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
    tiled_attention,
)

B, H, T, D_HEAD = 2, 3, 5, 7  # distinct primes: a swapped axis cannot go unseen
D = H * D_HEAD
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=60, deadline=None)
FUTURES = [np.nan, np.inf, -np.inf, 1e308, -1e308, 0.0, -0.0, 5e-324, 3.5]


def qkv(seed, t_q=T, t_k=T, spread=1.0):
    rng = np.random.default_rng(seed)
    q = rng.standard_normal((B, H, t_q, D_HEAD)) * spread
    k = rng.standard_normal((B, H, t_k, D_HEAD)) * spread
    return q, k, rng.standard_normal((B, H, t_k, D_HEAD + 4))


def layer(seed, n_heads=H):
    rng = np.random.default_rng(seed)
    return MultiHeadAttention(*rng.standard_normal((4, D, D)) / np.sqrt(D), n_heads)


@FEW
@given(SEEDS, st.booleans(), st.floats(0, 30))
def test_rows_of_weights_sum_to_1_before_dropout(seed, causal, spread):
    record = scaled_dot_product_attention(*qkv(seed, spread=spread), causal=causal)
    assert record.scores.shape == record.weights.shape == (B, H, T, T)
    np.testing.assert_allclose(record.weights.sum(axis=-1), 1, rtol=1e-14)


@FEW
@given(SEEDS, st.integers(1, 6), st.integers(1, 6))
def test_a_masked_weight_is_exactly_0_however_the_lengths_compare(seed, t_q, t_k):
    record = scaled_dot_product_attention(*qkv(seed, t_q, t_k, spread=3), causal=True)
    future = ~causal_mask(t_q, t_k)
    assert (record.weights[..., future] == 0.0).all()
    assert np.isneginf(record.masked_scores[..., future]).all()
    assert (record.weights[..., ~future] > 0).all()


@FEW
@given(SEEDS, st.integers(0, T - 2), st.sampled_from(FUTURES), st.sampled_from(FUTURES))
def test_no_bit_of_the_past_depends_on_future_keys_or_values(seed, t, key, value):
    q, k, v = qkv(seed)
    other_k, other_v = k.copy(), v.copy()
    other_k[..., t + 1 :, ::2], other_v[..., t + 1 :, 1::2] = key, value
    for name in ("output", "weights", "masked_scores"):
        one = getattr(scaled_dot_product_attention(q, k, v, causal=True), name)
        two = getattr(scaled_dot_product_attention(q, other_k, other_v, causal=True), name)
        assert one[..., : t + 1, :].tobytes() == two[..., : t + 1, :].tobytes()


@FEW
@given(SEEDS, st.integers(0, T - 2), st.sampled_from(FUTURES), st.integers(1, 6))
def test_an_additive_mask_of_minus_infinity_hides_the_future_as_causal_does(seed, t, bad, tile):
    q, k, v = qkv(seed)
    clean = scaled_dot_product_attention(q, k, v, causal=True)
    k[..., t + 1 :, ::2], v[..., t + 1 :, 1::2] = bad, bad
    mask = np.where(causal_mask(T), 0.0, -np.inf)
    record = scaled_dot_product_attention(q, k, v, mask=mask)
    tiled, _ = tiled_attention(q, k, v, mask=mask, tile=tile)
    assert record.output[..., : t + 1, :].tobytes() == clean.output[..., : t + 1, :].tobytes()
    np.testing.assert_allclose(
        tiled[..., : t + 1, :], clean.output[..., : t + 1, :], rtol=0, atol=1e-12
    )


@FEW
@given(SEEDS)
def test_scores_are_reported_as_they_are_before_any_mask(seed):
    q, k, v = qkv(seed)
    plain = scaled_dot_product_attention(q, k, v)
    bias = np.random.default_rng(seed).standard_normal((T, T))
    record = scaled_dot_product_attention(q, k, v, mask=bias, causal=True)
    np.testing.assert_allclose(plain.scores, q @ k.swapaxes(-1, -2) / np.sqrt(D_HEAD), rtol=1e-9)
    np.testing.assert_array_equal(record.scores, plain.scores)
    past = causal_mask(T)
    np.testing.assert_array_equal(record.masked_scores[..., past], (plain.scores + bias)[..., past])


@FEW
@given(SEEDS, st.integers(0, T - 2), st.sampled_from(FUTURES), st.integers(1, 6))
def test_no_bit_of_the_past_depends_on_the_future_in_tiles_either(seed, t, bad, tile):
    q, k, v = qkv(seed)
    other_k, other_v = k.copy(), v.copy()
    other_k[..., t + 1 :, ::2], other_v[..., t + 1 :, 1::2] = bad, bad
    one = tiled_attention(q, k, v, causal=True, tile=tile)
    two = tiled_attention(q, other_k, other_v, causal=True, tile=tile)
    assert one[0][..., : t + 1, :].tobytes() == two[0][..., : t + 1, :].tobytes()
    assert one[1][..., : t + 1].tobytes() == two[1][..., : t + 1].tobytes()


@FEW
@given(SEEDS, st.integers(0, T - 2), st.sampled_from([*FUTURES[:3], 1e150, 3.5]))
def test_no_bit_of_a_layers_past_depends_on_its_future_tokens(seed, t, bad):
    x = np.random.default_rng(seed).standard_normal((B, T, D))
    other = x.copy()
    other[:, t + 1 :, ::3] = bad
    mine = layer(seed)
    one, two = mine(x).output[:, : t + 1], mine(other).output[:, : t + 1]
    assert one.shape == (B, t + 1, D)
    assert one.tobytes() == two.tobytes()


def test_the_sign_of_a_future_value_cannot_turn_the_sign_of_a_zero_in_the_past():
    bias = np.where(causal_mask(3), [[0.0, 0.0, 0.0], [-745.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 0)
    outputs = set()
    for future in (1.0, -1.0, 0.0, -0.0, np.nan):
        q, v = np.zeros((3, 1)), np.array([[-1e-300] * 2, [-0.0] * 2, [future] * 2])
        record = scaled_dot_product_attention(q, q, v, mask=bias, causal=True)
        assert 0 < record.weights[1, 0] < 1e-320  # its product with -1e-300 underflows to -0.0
        outputs.add(record.output[1].tobytes())
    assert outputs == {np.zeros(2).tobytes()}


@FEW
@given(SEEDS, st.integers(0, T - 1))
def test_a_nan_query_makes_its_own_row_nan_and_no_other(seed, t):
    q, k, v = qkv(seed)
    clean = scaled_dot_product_attention(q, k, v, causal=True)
    q[..., t, 2] = np.nan
    record = scaled_dot_product_attention(q, k, v, causal=True)
    assert np.isnan(record.output[..., t, :]).all()
    assert np.isnan(record.weights[..., t, : t + 1]).all()
    assert (record.weights[..., t, t + 1 :] == 0).all()  # not even NaN looks ahead
    others = np.arange(T) != t
    assert record.output[..., others, :].tobytes() == clean.output[..., others, :].tobytes()


@FEW
@given(SEEDS, st.sampled_from([np.nan, np.inf, -np.inf]))
def test_a_value_of_weight_0_contributes_nothing_and_one_with_weight_contributes_itself(seed, bad):
    q, k, v = qkv(seed)
    seen = np.random.default_rng(seed).random((T, T)) < 0.5
    clean = scaled_dot_product_attention(q, k, v, mask=seen).output
    v[..., 3, 1] = bad
    output = scaled_dot_product_attention(q, k, v, mask=seen).output
    np.testing.assert_array_equal(output[..., seen[:, 3], 1], bad)
    np.testing.assert_array_equal(output[..., ~seen[:, 3], :], clean[..., ~seen[:, 3], :])


@FEW
@given(SEEDS, st.sampled_from([1, 3, 7, 21]), st.booleans())
def test_the_heads_recombine_to_a_slow_loop_over_heads(seed, n_heads, causal):
    x = np.random.default_rng(seed).standard_normal((B, T, D))
    mine, width = layer(seed, n_heads), D // n_heads
    record = mine(x, causal=causal)
    heads = []
    for i in range(n_heads):
        columns = slice(i * width, (i + 1) * width)
        q, k, v = x @ mine.w_q[:, columns], x @ mine.w_k[:, columns], x @ mine.w_v[:, columns]
        scores = np.einsum("bid,bjd->bij", q, k) / np.sqrt(width)
        np.testing.assert_allclose(record.scores[:, i], scores, rtol=1e-11, atol=1e-12)
        for b, i_q, j in np.ndindex(B, T, T):
            if causal and j > i_q:
                scores[b, i_q, j] = -np.inf
        weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(record.weights[:, i], weights, rtol=1e-11, atol=1e-12)
        heads.append(np.einsum("bij,bjd->bid", weights, v))
    context = np.concatenate(heads, axis=-1)
    np.testing.assert_allclose(record.context, context, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(record.output, context @ mine.w_o, rtol=1e-10, atol=1e-11)


@FEW
@given(
    SEEDS,
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 10),
    st.booleans(),
    st.sampled_from(["none", "bool", "additive", "both kinds of row"]),
)
def test_tiles_of_any_size_give_the_dense_numbers(seed, t_q, t_k, tile, causal, kind):
    q, k, v = qkv(seed, t_q, t_k, spread=2)
    rng = np.random.default_rng(seed)
    allowed = rng.random((H, t_q, t_k)) < 0.6
    masks = {
        "none": None,
        "bool": allowed,
        "additive": rng.standard_normal((B, 1, t_q, t_k)) * 3,
        "both kinds of row": np.where(allowed, rng.standard_normal(allowed.shape), -np.inf),
    }
    options = {"causal": causal, "mask": masks[kind]}
    record = scaled_dot_product_attention(q, k, v, **options)
    output, lse = tiled_attention(q, k, v, **options, tile=tile)
    np.testing.assert_allclose(output, record.output, rtol=0, atol=1e-12)
    np.testing.assert_allclose(lse, log_sum_exp(record.masked_scores), rtol=0, atol=1e-12)


@FEW
@given(SEEDS, st.sampled_from([1, 3, 7, 21]))
def test_splitting_and_merging_heads_gives_the_same_array(seed, n_heads):
    x = np.random.default_rng(seed).standard_normal((B, T, D))
    heads = split_heads(x, n_heads)
    assert heads.shape == (B, n_heads, T, D // n_heads)
    assert np.shares_memory(heads, x)
    for i in range(n_heads):
        width = D // n_heads
        np.testing.assert_array_equal(heads[:, i], x[..., i * width : (i + 1) * width])
    np.testing.assert_array_equal(merge_heads(heads), x)


@FEW
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=8), st.floats(-1e3, 1e3))
def test_softmax_sums_to_1_and_ignores_a_shift_of_all_scores(scores, shift):
    row = np.array(scores)
    np.testing.assert_allclose(softmax(row).sum(), 1, rtol=1e-14)
    moderate = np.clip(row, -500, 500)
    np.testing.assert_allclose(softmax(moderate + shift), softmax(moderate), atol=1e-12)
