"""Does dropout drop, rescale and leave alone as the lesson says?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attention_widget import apply_dropout, keep_mask, scaled_dot_product_attention
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import dropped_cells, row_sums, survivor_ratios

FEW = settings(max_examples=60, deadline=None)
SHAPE = (2, 3, 5, 7)
X = lesson_inputs(tokenize(SENTENCE))


def field(seed):
    return np.random.default_rng(seed)


@FEW
@given(st.integers(0, 2**32 - 1), st.floats(0, 1), st.floats(0, 1))
def test_raising_p_only_removes_cells_of_the_same_draw(seed, p, other):
    low, high = sorted((p, other))
    kept_low, kept_high = keep_mask(SHAPE, low, field(seed)), keep_mask(SHAPE, high, field(seed))
    assert (kept_high <= kept_low).all()


@FEW
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.99))
def test_a_kept_weight_is_a_over_1_minus_p_and_a_dropped_one_is_0(seed, p):
    weights = field(seed).random(SHAPE)
    keep = keep_mask(SHAPE, p, field(seed + 1))
    dropped = apply_dropout(weights, keep, p)
    np.testing.assert_allclose(dropped[keep], weights[keep] / (1 - p), rtol=1e-15, atol=0)
    assert (dropped[~keep] == 0).all()


@pytest.mark.parametrize("p", [0.1, 0.4, 0.9])
def test_about_a_fraction_p_of_the_cells_is_dropped(p):
    keep = keep_mask((400, 500), p, field(3))
    error = np.sqrt(p * (1 - p) / keep.size)
    assert abs(1 - keep.mean() - p) < 4.5 * error


def test_the_kept_cells_of_a_seed_are_where_its_uniform_field_is_at_least_p():
    np.testing.assert_array_equal(keep_mask(SHAPE, 0.3, field(9)), field(9).random(SHAPE) >= 0.3)


def test_a_cell_whose_uniform_number_is_exactly_p_is_kept():
    p = float(field(9).random(SHAPE)[1, 2, 3, 4])
    assert keep_mask(SHAPE, p, field(9))[1, 2, 3, 4]
    assert not keep_mask(SHAPE, np.nextafter(p, 1), field(9))[1, 2, 3, 4]


def test_dropout_comes_after_softmax_and_is_never_renormalised():
    layer = lesson_layer(4)
    calm = layer(X)
    record = layer(X, dropout=0.4, rng=field(1), training=True)
    np.testing.assert_array_equal(record.weights, calm.weights)
    np.testing.assert_array_equal(record.masked_scores, calm.masked_scores)
    keep = keep_mask(record.weights.shape, 0.4, field(1))
    np.testing.assert_allclose(record.dropped, np.where(keep, calm.weights / 0.6, 0), rtol=1e-15)
    assert set(np.round(row_sums(record.dropped)[..., 0].ravel(), 12)) <= {0, round(1 / 0.6, 12)}
    assert np.abs(row_sums(record.dropped) - 1).max() > 0.1
    v = (X @ layer.w_v).reshape(1, 6, 4, 3).swapaxes(1, 2)
    context = (record.dropped @ v).swapaxes(1, 2).reshape(1, 6, 12)
    np.testing.assert_allclose(record.context, context, atol=1e-14)


def test_at_inference_nothing_is_dropped_and_the_generator_is_not_touched():
    rng = field(2)
    record = lesson_layer(2)(X, dropout=0.9, rng=rng, training=False)
    assert record.dropped is record.weights
    assert rng.random() == field(2).random()


def test_without_dropout_training_draws_nothing():
    rng = field(2)
    record = lesson_layer(2)(X, dropout=0.0, rng=rng, training=True)
    assert record.dropped is record.weights
    assert rng.random() == field(2).random()


def test_dropping_everything_gives_zeros_and_not_nan():
    record = lesson_layer(3)(X, dropout=1.0, rng=field(0), training=True)
    assert (record.dropped == 0).all()
    assert (record.output == 0).all()
    assert dropped_cells(record.weights, record.dropped) == 3 * 21
    assert np.isnan(survivor_ratios(record.weights, record.dropped)).all()


def test_the_measured_survivor_ratio_is_1_over_1_minus_p():
    record = lesson_layer(4)(X, dropout=0.4, rng=field(4), training=True)
    low, high = survivor_ratios(record.weights, record.dropped)
    assert low == pytest.approx(1 / 0.6, rel=1e-12) == high
    lost = (record.weights > 0) & ~keep_mask(record.weights.shape, 0.4, field(4))
    assert dropped_cells(record.weights, record.dropped) == np.count_nonzero(lost)


def test_dropping_a_nan_weight_does_not_hide_it():
    q = np.array([[1.0], [np.nan], [2.0]])
    clean = np.array([[1.0], [1.0], [2.0]])
    record = scaled_dot_product_attention(q, clean, clean, causal=True, dropout=1.0, rng=field(0))
    np.testing.assert_array_equal(np.isnan(record.output[:, 0]), [False, True, False])


def test_the_same_seed_gives_the_same_draw_and_the_next_draw_another():
    layer, rng = lesson_layer(4), field(6)
    first, second = (layer(X, dropout=0.4, rng=rng, training=True).dropped for _ in range(2))
    again = layer(X, dropout=0.4, rng=field(6), training=True).dropped
    np.testing.assert_array_equal(first, again)
    assert (first != second).any()
