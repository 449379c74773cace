"""The cost lab counts what others counted, and says what it measured."""

import json
import math
import re
from itertools import pairwise
from typing import Any

import pytest

from attention_widget.cost import attention_cost, tile_score_bytes
from attention_widget.widgets.labs.cost.lab import COST, PRESETS, CostState, cost_section
from attention_widget.widgets.labs.cost.render import (
    HEADS,
    STOPS,
    TILE,
    WIDTHS,
    constant_in_heads,
    exponentials,
    grow,
    grows,
    render_cost,
)
from attention_widget.widgets.labs.cost.words import FREE_HELP
from attention_widget.widgets.labs.tiles.render import render_tiles
from attention_widget.widgets.labs.units import exact, human_bytes, human_count
from attention_widget.widgets.map.section import render_map
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.recorded.lookup_table import record_section
from attention_widget.widgets.section.section import Section
from tests.oracles.cases import load

ORACLE = load("arithmetic")["cases"]
SHOWN = [
    case
    for case in ORACLE
    if case["attributes"]["num_heads"] in HEADS and case["attributes"]["T"] in STOPS
]


@pytest.fixture
def section() -> Section:
    return cost_section()


def render_of(case: dict[str, Any]) -> dict[str, Any]:
    at = case["attributes"]
    return render_cost(STOPS.index(at["T"]), at["d_model"], at["num_heads"])


@pytest.mark.parametrize("case", SHOWN, ids=lambda case: case["id"])
def test_the_lab_shows_the_counts_of_the_oracle(case: dict[str, Any]) -> None:
    paint, want = render_of(case), case["expected"]
    assert paint["kpi.parameters"] == exact(want["attn_params_no_bias"])
    assert paint["note.parameters"] == f"{exact(want['attn_params_bias'])} with biases"
    assert paint["note.flops"] == exact(want["flops"]["matmul_total"])
    assert paint["note.scores"] == f"{exact(want['score_bytes_fp32'])} bytes as float32"
    assert paint["kpi.head-width"] == str(want["d_head"])
    assert paint["kpi.shape"] == " × ".join(exact(n) for n in want["score_shape"])


def test_most_of_the_oracle_is_reachable_in_the_lab() -> None:
    assert len(SHOWN) == 5  # all but h = 768, which the lab does not offer


@pytest.mark.parametrize("case", ORACLE, ids=lambda case: case["id"])
def test_there_is_one_exponential_for_every_score(case: dict[str, Any]) -> None:
    at = case["attributes"]
    cost = attention_cost(at["T"], at["d_model"], at["num_heads"])
    assert exponentials(cost) == case["expected"]["score_elements"]


@pytest.mark.parametrize(("t", "text"), [(1024, "48 MiB"), (8192, "3 GiB"), (131072, "768 GiB")])
def test_a_gpt2_layers_scores_in_units_one_can_take_in(t: int, text: str) -> None:
    assert render_cost(STOPS.index(t), 768, 12)["kpi.scores"] == text


def test_the_lengths_are_six_and_every_power_of_two_from_16() -> None:
    assert STOPS[0] == 6
    assert STOPS[1] == 16
    assert STOPS[-1] == 131072
    assert all(b == 2 * a for a, b in pairwise(STOPS[1:]))


@pytest.mark.parametrize("stop", range(len(STOPS)))
def test_twice_the_context_is_four_times_the_scores_at_every_length(stop: int) -> None:
    assert "the score tensor grows × 4," in render_cost(stop, 768, 12)["doubling"]


def test_in_tiles_the_scores_stop_growing() -> None:
    assert tile_score_bytes(131072, 12, TILE) == tile_score_bytes(TILE, 12, TILE)
    assert "the scores held by tiles do not grow." in render_cost(7, 768, 12)["doubling"]
    assert "the scores held by tiles grow × 4." in render_cost(0, 12, 1)["doubling"]


@pytest.mark.parametrize("d", list(WIDTHS.values()))
def test_heads_change_the_scores_and_nothing_else(d: int) -> None:
    paints = [render_cost(5, d, h) for h in HEADS]
    assert len({p["note.flops"] for p in paints}) == 1
    assert len({p["kpi.parameters"] for p in paints}) == 1
    assert len({p["kpi.scores"] for p in paints}) == len(HEADS)
    marked = [h for h in HEADS if paints[0][f"row.{h}"]["aria-current"] == "true"]
    assert marked == [HEADS[0]]
    assert "are the same for every h" in constant_in_heads(STOPS[5], d)
    assert "grows × 12 from h = 1 to h = 12" in constant_in_heads(STOPS[5], d)


def test_the_slider_says_the_length_not_the_stop(section: Section) -> None:
    section.set({"stop": 14})
    paint = section.render()
    assert paint["cost.limit.stop"] == {"aria-valuetext": "131,072 tokens"}
    assert paint["cost.readout.stop"] == "131,072"
    assert paint["cost.announcement.stop"].startswith(
        "131,072 tokens. The score tensor takes 768 GiB"
    )


def test_the_curves_hold_every_length_and_mark_the_chosen_one(section: Section) -> None:
    paint = section.render()
    dense = paint["source:cost.curves.dense"]
    assert dense == [12 * t * t * 4 for t in STOPS]
    assert paint["source:cost.here.bytes"][0] == dense[STOPS.index(1024)]
    columns = {key.rpartition(".")[2] for key in paint if key.startswith("source:cost.curves")}
    made = next(f for f in COST.figures() if f.name == "cost.figure")
    sources = {r.data_source.name: r.data_source for r in made.renderers}
    assert set(sources["cost.curves"].data) == columns
    for y in dense:
        assert made.y_range.start <= y <= made.y_range.end


@pytest.mark.parametrize("stop", [0, 7, len(STOPS) - 1])
def test_the_squares_and_the_linear_curve_are_to_scale(stop: int) -> None:
    paint = render_cost(stop, 768, 12)
    t = STOPS[stop]
    sides = paint["source:squares.sides.side"]
    assert sides == [t, t // 2, t // 4]
    for side, text in zip(sides, paint["source:squares.sides.text"], strict=True):
        memory = attention_cost(side, 768, 12).score_bytes
        assert memory == 12 * 4 * side**2, "the area of the square"
        assert text == f"{side:,}: {human_bytes(memory)}"
    ends = [paint[f"model:squares.{axis}_range"]["end"] for axis in "xy"]
    assert ends[0] == ends[1] >= t, "one scale for both sides"
    lengths, whole = paint["source:wall.points.t"], paint["source:wall.points.whole"]
    assert whole == [12 * 4 * n * n for n in lengths]
    assert lengths[-1] == t
    figures = {f.name: f for f in COST.figures()}
    for name in ("cost.squares.figure", "cost.wall.figure"):
        kinds = {type(axis).__name__ for axis in figures[name].axis}
        assert kinds == {"LinearAxis"}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda p: str(p["label"]))
def test_a_preset_sets_what_it_says(preset: dict[str, Any], section: Section) -> None:
    section.set({name: preset[name] for name in ("stop", "d", "heads")})
    t = STOPS[section.values()["stop"]]  # type: ignore[index]
    assert f"T = {t}, d = {preset['d']}, h = {preset['heads']}" in preset["label"]
    assert not section.problems


def test_a_recording_keeps_the_lab_small(section: Section) -> None:
    table = record_section(section)
    assert table["slots"]["cost.kpi.flops"]["axes"] == [0, 1]  # T and d, not h
    assert table["slots"]["cost.kpi.scores"]["axes"] == [0, 2]  # T and h, not d
    assert len(json.dumps(table)) < 180_000


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (432, "432 bytes"),
        (1023, "1023 bytes"),
        (1024, "1 KiB"),
        (1728, "1.69 KiB"),
        (3 * 2**30, "3 GiB"),
        (768 * 2**30, "768 GiB"),
        (2**70, "1048576 PiB"),
    ],
)
def test_bytes_in_words(count: int, text: str) -> None:
    assert human_bytes(count) == text


@pytest.mark.parametrize(
    ("count", "text"), [(144, "144"), (8640, "8.64 thousand"), (8053063680, "8.05 billion")]
)
def test_counts_in_words(count: int, text: str) -> None:
    assert human_count(count) == text


def test_a_width_that_was_not_offered_is_refused_in_words(section: Section) -> None:
    section.set({"d": "13"})
    assert "Width d is one of 12, 768" in section.problems["d"]
    assert section.values()["d"] == 768
    assert math.isfinite(CostState().stop)


def test_a_factor_of_one_is_said_in_words() -> None:
    said = [
        render_cost(stop, d, h)["doubling"]
        for stop in range(len(STOPS))
        for d in (12, 768)
        for h in HEADS
    ]
    assert any("do not grow" in text for text in said)
    assert (grow(1.0), grows(1.0)) == ("do not grow", "does not grow")
    assert (grow(4.0), grows(2.19)) == ("grow × 4", "grows × 2.19")
    assert not any(re.search(r"grows? × 1(?![\d.])", text) for text in said)


def test_every_count_of_bytes_names_its_dtype_and_it_is_one_everywhere() -> None:
    cost = render_cost(0, 12, 4)
    assert cost["note.scores"] == "576 bytes as float32"
    tiles = render_tiles(True, 1)
    assert tiles["kpi.held"] == "16 bytes as float32"
    assert "144 bytes as float32" in tiles["note.held"]
    state = LessonState()
    state.choose(heads=4)
    assert render_map(state.settings())["note.score-shape"] == "576 bytes as float32"


def test_the_tab_says_how_operations_are_counted() -> None:
    t, d = 6, 12
    multiply_adds = 4 * t * d * d + 2 * t * t * d  # projections and W_o, then Q K^T and A V
    assert attention_cost(t, d, 4).flops == 2 * multiply_adds  # with no half left out
    assert "a multiply-add counts as two" in FREE_HELP
    assert "the half of the scores that the causal mask makes useless is counted too" in FREE_HELP
