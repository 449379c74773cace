"""Tile by tile, attention reaches the result of the whole matrix without holding it."""

import re
from itertools import pairwise

import numpy as np
import pytest

from attention_widget.lesson import lesson_inputs, lesson_layer
from attention_widget.widgets.labs.cost.words import TILES
from attention_widget.widgets.labs.tiles.lab import TilesState, tiles_section
from attention_widget.widgets.labs.tiles.measure import TILE, TOKENS, rows_after, walk
from attention_widget.widgets.labs.tiles.render import CLOSE, render_tiles
from attention_widget.widgets.recorded.lookup_table import record_section
from attention_widget.widgets.section.section import Section

T = len(TOKENS)


@pytest.fixture
def section() -> Section:
    return tiles_section()


@pytest.mark.parametrize("causal", [False, True])
def test_the_last_step_equals_the_whole_matrix(causal: bool) -> None:
    done = walk(causal)
    rows = rows_after(done, len(done.steps))
    assert all(row.finished for row in rows)
    np.testing.assert_allclose([row.output for row in rows], done.dense.output, rtol=0, atol=CLOSE)
    assert "all rows are the same as" in render_tiles(causal, len(done.steps))["note.finished"]


@pytest.mark.parametrize("causal", [False, True])
def test_the_whole_matrix_is_head_one_of_the_lessons_layer(causal: bool) -> None:
    layer = lesson_layer(4)(lesson_inputs(TOKENS), causal=causal)
    np.testing.assert_allclose(walk(causal).dense.output, layer.context[0][:, :3], atol=CLOSE)
    np.testing.assert_allclose(walk(causal).dense.weights, layer.weights[0, 0], atol=CLOSE)


def test_the_mask_spares_the_tiles_above_the_diagonal() -> None:
    assert len(walk(True).steps) == 6
    assert len(walk(False).steps) == 9
    assert render_tiles(True, 1)["note.read"] == "3 of 9 are never read"
    assert render_tiles(False, 1)["note.read"] == "0 of 9 are never read"


@pytest.mark.parametrize("causal", [False, True])
def test_maximum_and_sum_are_those_of_the_keys_read_so_far(causal: bool) -> None:
    done = walk(causal)
    for count in range(len(done.steps) + 1):
        read = np.zeros((T, T), dtype=bool)
        for step in done.steps[:count]:
            read[step.queries, step.keys] = True
        for i, row in enumerate(rows_after(done, count)):
            scores = done.dense.masked_scores[i][read[i]]
            top = scores.max(initial=-np.inf)
            assert row.top == pytest.approx(top, abs=CLOSE)
            total = np.exp(scores - top).sum() if scores.size else 0.0
            assert row.total == pytest.approx(total, abs=CLOSE)


@pytest.mark.parametrize("causal", [False, True])
def test_the_running_maximum_never_falls(causal: bool) -> None:
    done = walk(causal)
    tops = [[row.top for row in rows_after(done, n)] for n in range(len(done.steps) + 1)]
    assert all(np.greater_equal(later, earlier).all() for earlier, later in pairwise(tops))


def states(causal: bool, read: int) -> list[list[str]]:
    return [
        [cell[1]["data-state"] for cell in line[3:]]
        for line in render_tiles(causal, read)["grid"][1:]
    ]


def test_the_grid_shows_the_tile_at_hand_the_read_ones_and_the_skipped_ones() -> None:
    marks = np.array(states(True, 3))
    assert set(marks[2:4, 2:4].flat) == {"now"}
    assert set(marks[2:4, 0:2].flat) == {"read"}
    assert set(marks[0:2, 2:6].flat) == {"skip"}
    assert set(marks[4:6].flat) == {"wait"}
    assert (marks == "now").sum() == TILE * TILE


def test_before_the_first_tile_nothing_is_known() -> None:
    paint = render_tiles(True, 0)
    assert "now" not in np.array(states(True, 0))
    assert paint["kpi.finished"] == f"0 of {T}"
    assert paint["note.finished"] == "none to compare yet"


@pytest.mark.parametrize("causal", [False, True])
def test_what_is_finished_is_compared_with_the_whole_matrix_and_counted_as_some_or_all(causal):
    said = set()
    for n in range(len(walk(causal).steps) + 1):
        paint = render_tiles(causal, n)
        finished = int(paint["kpi.finished"].split()[0])
        which = "all rows are" if finished == T else "those are"
        same = f"{which} the same as the whole-matrix result, but for rounding"
        assert paint["note.finished"] == (same if finished else "none to compare yet")
        said.add(paint["note.finished"])
    assert len(said) == 3


def test_a_larger_score_shrinks_what_was_summed_and_the_page_says_so() -> None:
    done = walk(False)
    shrunk = 0
    for n in range(1, len(done.steps) + 1):
        before, after = rows_after(done, n - 1), rows_after(done, n)
        grew = any(a.top > b.top > -np.inf for a, b in zip(after, before, strict=True))
        assert ("are multiplied by" in render_tiles(False, n)["now"]) is grew
        shrunk += grew
    assert 0 < shrunk < len(done.steps)


def numbers(text: str) -> list[float]:
    return [float(n.replace("−", "-")) for n in re.findall(r"−?[0-9]+\.[0-9]+", text)]


@pytest.mark.parametrize("causal", [False, True])
def test_a_reader_can_do_the_sums_of_every_tile(causal: bool) -> None:
    done = walk(causal)
    for n in range(1, len(done.steps) + 1):
        paint = render_tiles(causal, n)
        assert len(paint["updates"]) == 2 * TILE
        for line in paint["updates"]:
            name, _, old, factor, added, new = (cell[2] for cell in line[2:])
            shrink = numbers(factor)[0]
            parts = [numbers(part) or [0.0] * 3 for part in (old, added, new)]
            for was, plus, now in zip(*parts, strict=False):
                rounding = 0.0005 * (1 + shrink + abs(was) + 1)
                assert was * shrink + plus == pytest.approx(now, abs=rounding), (n, name)


@pytest.mark.parametrize("causal", [False, True])
def test_what_is_carried_is_what_the_whole_matrix_gives_before_it_is_divided(causal: bool) -> None:
    done = walk(causal)
    layer, x = lesson_layer(4), lesson_inputs(TOKENS)
    v = (x @ layer.w_v)[0, :, :3]
    for n in range(len(done.steps) + 1):
        read = np.zeros((T, T), dtype=bool)
        for step in done.steps[:n]:
            read[step.queries, step.keys] = True
        shown = [[cell[2] for cell in line[2:]] for line in render_tiles(causal, n)["rows"]]
        for i, (_, top, total, accumulated, output, state) in enumerate(shown):
            scores = np.where(read[i], done.dense.masked_scores[i], -np.inf)
            if not read[i].any():
                assert (top, total, accumulated, output) == ("−∞", "0.000", "0", "not yet")
                continue
            exps = np.exp(scores - scores.max())
            assert numbers(top) == [pytest.approx(scores.max(), abs=5e-4)]
            assert numbers(total) == [pytest.approx(exps.sum(), abs=5e-4)]
            assert numbers(accumulated) == pytest.approx(exps @ v, abs=5.1e-4)
            if state == "finished":
                assert numbers(output) == pytest.approx(exps @ v / exps.sum(), abs=5.1e-4)
            else:
                assert output == "not yet"


def by_heading(heads: str, line: list) -> dict[str, str]:
    """Return the cells of a table's row by the heading above each."""
    return dict(zip(TILES[heads], (cell[2] for cell in line[2:]), strict=True))


@pytest.mark.parametrize("causal", [False, True])
def test_the_sentence_and_both_tables_call_the_same_numbers_the_accumulated_output(causal) -> None:
    done, said = walk(causal), 0
    for n in range(1, len(done.steps) + 1):
        before, paint = render_tiles(causal, n - 1), render_tiles(causal, n)
        carried = [
            {row["query"]: row["accumulated output"] for row in rows}
            for rows in (
                [by_heading("rows-head", line) for line in state["rows"]]
                for state in (before, paint)
            )
        ]
        for update in (by_heading("updates-head", line) for line in paint["updates"]):
            query, _, what = update["query"].partition(": ")
            if what == "accumulated":
                assert update["before"] == carried[0][query]
                assert update["now"] == f"= {carried[1][query]}"
        sentence = "the sum and the accumulated output from before are multiplied by"
        assert (sentence in paint["now"]) is ("are multiplied by" in paint["now"])
        said += sentence in paint["now"]
        for row in (by_heading("rows-head", line) for line in paint["rows"]):
            if row["state"] == "finished":
                total = numbers(row["sum l"])[0]
                divided = numbers(row["output = accumulated / l"])
                whole = [part / total for part in numbers(row["accumulated output"])]
                assert divided == pytest.approx(whole, abs=0.002)
    assert said > 0


def test_with_the_mask_on_the_slider_ends_at_the_sixth_tile(section: Section) -> None:
    section.set({"causal": False})
    section.set({"read": 9})
    assert section.render()["tiles.kpi.read"] == "9 of 9"
    section.set({"causal": True})
    assert section.render()["tiles.kpi.read"] == "6 of 6"
    assert section.render()["tiles.limit.read"]["max"] == 6
    section.set({"read": 8})
    assert section.values()["read"] == 6


def test_a_tile_takes_a_ninth_of_the_memory() -> None:
    done = walk(True)
    assert done.tile_bytes * 9 == done.dense_bytes == T * T * 4


def test_the_stepper_can_be_recorded(section: Section) -> None:
    table = record_section(section)
    assert [axis["name"] for axis in table["axes"]] == ["causal", "read"]
    assert TilesState().read == table["axes"][1]["values"][table["axes"][1]["start"]]
