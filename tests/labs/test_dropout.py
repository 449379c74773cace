"""The dropout lab shows one draw beside 1,000, and what the rescale keeps."""

import itertools
from typing import Any

import numpy as np
import pytest

from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.labs.dropout.lab import RECORDED_DRAWS, dropout_section
from attention_widget.widgets.labs.dropout.measure import DRAWS, look
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from tests.recorded.whole import walk

PS = [round(0.1 * i, 1) for i in range(1, 10)]
T = len(tokenize(SENTENCE))


def weights() -> np.ndarray:
    return lesson_layer(4)(lesson_inputs(tokenize(SENTENCE))).weights[0, 0]


@pytest.mark.parametrize("row", range(T))
@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("rescale", [True, False])
def test_the_mean_of_1000_draws_lies_within_four_standard_errors_of_the_exact_value(
    rescale: bool, p: float, row: int
) -> None:
    now = look(rescale, p, 0)
    exact = 1.0 if rescale else 1 - p
    error = np.sqrt(p * (1 - p) * (weights()[row] ** 2).sum() / DRAWS)
    error /= (1 - p) if rescale else 1
    assert now.many.draws == DRAWS == 1000
    assert abs(now.many.mean[row] - exact) <= 4 * error
    assert now.mean[row] == pytest.approx(exact)
    assert now.agrees[row]


@pytest.mark.parametrize("p", PS)
@pytest.mark.parametrize("rescale", [True, False])
def test_the_measured_spread_is_near_the_exact_one(rescale: bool, p: float) -> None:
    now = look(rescale, p, 0)
    np.testing.assert_allclose(now.many.spread, now.spread, rtol=0.15)


@pytest.mark.parametrize("p", PS)
def test_row_1_is_never_1_in_a_draw_that_is_rescaled(p: float) -> None:
    seen = {round(float(look(True, p, draw).sums[0]), 9) for draw in range(30)}
    assert seen <= {0.0, round(1 / (1 - p), 9)}


def test_a_row_that_is_all_zero_is_normal_and_is_said_to_be() -> None:
    section = dropout_section()
    section.set({"p": 0.9})
    slots = section.render()
    now = look(True, 0.9, 0)
    assert now.empty_rows > 0
    assert now.sums[now.sums == 0].size == now.empty_rows
    assert "all zero" in slots["dropout.kpi.this-draw"] or "all zero" in str(slots["dropout.rows"])
    assert "which is normal" in slots["dropout.announcement.draw"]
    assert now.many.empty[0] == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / DRAWS))


def test_without_the_rescale_training_is_1_minus_p_times_the_right_size() -> None:
    for p in PS:
        assert look(False, p, 0).against_inference == pytest.approx(1 - p, abs=0.03)
        assert look(True, p, 0).against_inference == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize(("p", "draw"), list(itertools.product([0.1, 0.3, 0.9], [0, 1, 17])))
def test_the_lab_drops_the_same_cells_as_the_main_map(p: float, draw: int) -> None:
    chosen = LessonState(causal=True, heads=4, dropout=p, training=True, draw=draw)
    main = snapshot(chosen.settings())
    np.testing.assert_array_equal(look(True, p, draw).layer.dropped[0, 0], main.shown)
    np.testing.assert_array_equal(look(True, p, draw).sums, main.row_sums)
    np.testing.assert_array_equal(look(True, p, draw).many.mean, main.mean_row_sums)
    bare = look(False, p, draw).layer.dropped[0, 0]
    np.testing.assert_allclose(bare, main.shown * (1 - p), atol=1e-12)


def test_every_recorded_state_paints_the_same_slots_and_says_its_numbers() -> None:
    keys: set[str] | None = None
    count = 0
    for _, slots in walk(dropout_section(recorded=True)):
        keys = keys or set(slots)
        assert set(slots) == keys
        rescale, p, draw = (value_of(slots, name) for name in ("rescale", "p", "draw"))
        now = look(rescale, p, draw)
        assert slots["dropout.kpi.dropped"].startswith(f"{now.dropped} of 21")
        assert slots["source:dropout.plot.rows.mean"] == [round(float(v), 6) for v in now.many.mean]
        count += 1
    assert count == 2 * len(PS) * RECORDED_DRAWS


def value_of(slots: dict[str, Any], name: str) -> Any:
    return slots[f"dropout.control.{name}"]["value"]


def test_the_figure_shows_every_sum_whatever_the_draw() -> None:
    for _, slots in walk(dropout_section(recorded=True)):
        ends = slots["model:dropout.plot.x_range"]
        for column in ("draw", "mean", "low", "high"):
            values = slots[f"source:dropout.plot.rows.{column}"]
            assert ends["start"] <= min(values)
            assert max(values) <= ends["end"]
