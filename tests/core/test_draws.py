"""A single draw of dropout says little; the mean over many draws says what the rescale is for."""

import itertools

import numpy as np
import pytest

from attention_widget.draws import draw_row_sums, draw_statistics, exact_mean, exact_spread
from attention_widget.dropout import apply_dropout, keep_mask

T = 5
WEIGHTS = np.random.default_rng(2).dirichlet(np.ones(T), size=(3, T))  # (h, T, T)


def every_keep(cells: int) -> np.ndarray:
    return np.array(list(itertools.product((False, True), repeat=cells)))


@pytest.mark.parametrize("rescaled", [True, False])
@pytest.mark.parametrize("p", [0.1, 0.3, 0.7, 0.9])
def test_the_exact_mean_and_spread_are_those_of_all_possible_draws(
    p: float, rescaled: bool
) -> None:
    row = WEIGHTS[0, 0]
    keep = every_keep(T)  # (2**T, T)
    chance = np.prod(np.where(keep, 1 - p, p), axis=1)
    sums = (keep * row).sum(axis=1) / ((1 - p) if rescaled else 1)
    mean = (chance * sums).sum()
    spread = np.sqrt((chance * (sums - mean) ** 2).sum())
    assert chance.sum() == pytest.approx(1)
    assert exact_mean(row, p, rescaled=rescaled) == pytest.approx(mean)
    assert exact_spread(row, p, rescaled=rescaled) == pytest.approx(spread)


@pytest.mark.parametrize("p", [0.0, 1.0])
@pytest.mark.parametrize("rescaled", [True, False])
def test_nothing_is_left_to_chance_at_p_0_and_p_1(p: float, rescaled: bool) -> None:
    np.testing.assert_array_equal(exact_spread(WEIGHTS, p, rescaled=rescaled), np.zeros((3, T)))
    np.testing.assert_allclose(
        exact_mean(WEIGHTS, p, rescaled=rescaled), np.full((3, T), 1.0 - p), atol=1e-12
    )


def test_many_draws_at_once_are_the_draws_one_by_one() -> None:
    together = draw_row_sums(WEIGHTS, 0.4, np.random.default_rng(7), 11)
    rng = np.random.default_rng(7)
    one_by_one = [
        apply_dropout(WEIGHTS, keep_mask(WEIGHTS.shape, 0.4, rng), 0.4).sum(axis=-1)
        for _ in range(11)
    ]
    np.testing.assert_array_equal(together, one_by_one)


def test_the_statistics_are_those_of_the_sums() -> None:
    sums = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 0.0], [0.0, 0.5]])
    found = draw_statistics(sums)
    assert found.draws == 4
    np.testing.assert_allclose(found.mean, [0.75, 0.5])
    np.testing.assert_allclose(found.spread, [np.sqrt(2.75 / 3), np.sqrt(0.5 / 3)])
    np.testing.assert_allclose(found.standard_error, found.spread / 2)
    np.testing.assert_allclose(found.empty, [0.5, 0.25])


def test_a_single_draw_has_no_spread_to_measure() -> None:
    found = draw_statistics(np.array([[0.4, 1.2]]))
    np.testing.assert_array_equal(found.spread, [0, 0])
    np.testing.assert_array_equal(found.mean, [0.4, 1.2])


def test_no_draws_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match=r"draws must be a whole number of at least 1: got 0"):
        draw_row_sums(WEIGHTS, 0.3, np.random.default_rng(0), 0)
