"""Do the measures read the arrays, whatever made them?"""

import math

import numpy as np
import pytest

from attention_widget.measures import (
    answer_weights,
    cell_states,
    closest_heads,
    dropped_cells,
    masked_cells,
    row_change,
    row_sums,
    sees_future,
    survivor_ratios,
    total_variation,
    weight_on_answers,
)

PAST = np.tril(np.full((5, 5), 0.2))


@pytest.mark.parametrize("leak", [1e-300, -1e-300, np.nan, np.inf])
@pytest.mark.parametrize("cell", [(0, 1), (0, 4), (3, 4)])
def test_any_weight_above_the_diagonal_counts_as_seeing_the_future(leak, cell):
    weights = np.tile(PAST, (2, 3, 1, 1))
    assert sees_future(weights) is False
    weights[(1, 2, *cell)] = leak
    assert sees_future(weights) is True


@pytest.mark.parametrize("cell", [(0, 0), (4, 0), (4, 4)])
def test_nan_at_or_below_the_diagonal_is_not_the_future(cell):
    weights = PAST.copy()
    weights[cell] = np.nan
    assert sees_future(weights) is False


def test_a_cell_is_masked_when_its_score_is_minus_infinity_and_only_then():
    scores = np.array([[0.0, -np.inf, np.inf], [np.nan, -1.7e308, -np.inf]])
    assert masked_cells(scores) == 2
    assert masked_cells(np.stack([scores, scores, scores])) == 6


def test_row_sums_run_along_the_keys():
    np.testing.assert_allclose(row_sums(PAST), [0.2, 0.4, 0.6, 0.8, 1.0])
    assert row_sums(np.ones((2, 3, 5, 7))).shape == (2, 3, 5)


def test_a_masked_cell_was_not_dropped():
    weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    assert dropped_cells(weights, np.array([[2.0, 0.0], [0.0, 1.5]])) == 1
    assert dropped_cells(weights, weights) == 0


def test_a_cell_is_masked_before_it_can_be_dropped_and_seen_otherwise():
    scores = np.array([[0.0, -np.inf, -np.inf], [1.0, -2.0, -np.inf], [0.5, 3.0, -800.0]])
    weights = np.array([[1.0, 0.0, 0.5], [0.9, 0.1, 0.0], [0.1, 0.9, 0.0]])
    dropped = np.array([[0.0, 0.0, 0.0], [1.8, 0.0, 0.0], [0.0, 1.8, 0.0]])
    assert cell_states(scores, weights, dropped).tolist() == [
        ["dropped", "masked", "masked"],
        ["seen", "dropped", "masked"],
        ["dropped", "seen", "seen"],  # a weight that underflowed to 0 was neither
    ]
    assert cell_states(*(np.zeros((2, 3, 5, 7)),) * 3).shape == (2, 3, 5, 7)


def test_survivor_ratios_are_the_extremes_over_the_cells_that_survived():
    weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    assert survivor_ratios(weights, np.array([[1.0, 0.0], [0.0, 1.5]])) == (1.0, 2.0)
    assert all(math.isnan(r) for r in survivor_ratios(weights, np.zeros((2, 2))))


def test_the_answer_of_row_t_is_key_t_plus_1():
    weights = np.arange(2 * 5 * 5.0).reshape(2, 5, 5)
    np.testing.assert_array_equal(answer_weights(weights)[0], [1, 7, 13, 19])
    np.testing.assert_array_equal(answer_weights(weights)[1], [26, 32, 38, 44])
    assert weight_on_answers(weights[0]) == 10
    assert weight_on_answers(PAST) == 0
    assert weight_on_answers(np.ones((1, 1))) == 0


def test_row_change_is_total_variation():
    a, b = np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.25, 0.75]])
    np.testing.assert_array_equal(row_change(a, b), [1.0, 0.25])
    np.testing.assert_array_equal(row_change(a, a), [0.0, 0.0])
    assert total_variation(a, b) == 0.625
    assert total_variation(np.zeros((0, 0)), np.zeros((0, 0))) == 0


def test_the_closest_heads_are_the_two_that_differ_least():
    maps = np.array([[[1.0, 0.0]], [[0.0, 1.0]], [[0.25, 0.75]]])
    assert closest_heads(maps) == 0.25
    assert math.isnan(closest_heads(maps[:1]))
