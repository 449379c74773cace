"""Does each mark of a figure read the columns that it is to show, and does each tooltip tell all?

What is in the columns is tested beside what renders them; here, that it is drawn from them.
"""

from typing import Any

import pytest
from bokeh.core.property.vectorization import Field
from bokeh.models import GlyphRenderer, HoverTool
from bokeh.plotting import figure

from attention_widget.widgets.lesson import TABS

FIGURES = {plot.name: plot for tab in TABS for plot in tab.figures()}
MAPS = [name for name, plot in FIGURES.items() if plot.select({"name": f"{name[:-7]}.text.cells"})]
MAP_TIPS = ["query", "key", "head", "score", "weight", "state"]


def drawn(plot: figure, source: str) -> list[dict[str, Any]]:
    """Return the columns that each mark of a source reads, by the property they are read for."""
    return [
        {
            name: spec.field
            for name, spec in renderer.glyph.properties_with_values().items()
            if isinstance(spec, Field)
        }
        for renderer in plot.renderers
        if isinstance(renderer, GlyphRenderer) and renderer.data_source.name == source
    ]


def tips(plot: figure) -> list[tuple[str, str]]:
    return [tuple(tip) for hover in plot.select(HoverTool) for tip in hover.tooltips]


def test_there_are_maps_and_other_figures():
    assert "map.figure" in MAPS
    assert len(MAPS) >= 4
    assert len(FIGURES) - len(MAPS) >= 4


@pytest.mark.parametrize("name", MAPS)
def test_a_cell_is_coloured_by_its_place_in_the_palette_and_never_by_its_value(name):
    boxes, text = drawn(FIGURES[name], name.replace("figure", "cells"))
    assert boxes == {"x": "x", "y": "y", "fill_color": "palette_index"}
    assert text == {"x": "x", "y": "y", "text": "text", "text_color": "palette_index"}
    (bar,) = drawn(FIGURES[name], name.replace("figure", "bar"))
    assert bar["fill_color"] == "palette_index"
    for under in drawn(FIGURES[name], name.replace("figure", "under")):
        assert {under.get("fill_color", "palette_index"), under["x"], under["y"]} == {
            "palette_index",
            "x",
            "y",
        }


@pytest.mark.parametrize("name", MAPS)
def test_the_answers_the_dropped_cells_and_the_sums_are_drawn_where_they_are_said_to_be(name):
    for source in ("answers", "drops", "sums", "labels"):
        (mark,) = drawn(FIGURES[name], name.replace("figure", source))
        assert (mark["x"], mark["y"]) == ("x", "y"), source


@pytest.mark.parametrize("name", MAPS)
def test_the_tooltip_of_a_cell_names_its_words_its_head_and_its_numbers(name):
    if name == "learned.figure":
        told = [("from", "@query"), ("to", "@key"), ("head", "@head"), ("weight", "@weight")]
    else:
        told = [(tip, f"@{tip}") for tip in MAP_TIPS]
    assert tips(FIGURES[name]) == told
    (hover,) = FIGURES[name].select(HoverTool)
    assert [r.data_source.name for r in hover.renderers] == [name.replace("figure", "cells")]


def test_a_row_of_sums_has_its_spread_from_low_to_high_its_mean_and_its_draw():
    plot = FIGURES["dropout.plot.figure"]
    spread, mean, draw = drawn(plot, "dropout.plot.rows")
    assert spread == {"x0": "low", "x1": "high", "y0": "y", "y1": "y"}
    assert mean == {"x": "mean", "y": "y"}
    assert draw == {"x": "draw", "y": "y"}
    (exact,) = drawn(plot, "dropout.plot.exact")
    assert exact == {"x0": "x", "x1": "x", "y0": "y0", "y1": "y1"}


def test_the_marks_of_the_other_figures_tell_what_they_are():
    assert tips(FIGURES["dropout.plot.figure"]) == [("row", "@row"), ("", "@tip")]
    assert tips(FIGURES["heads.figure"]) == [("", "@who"), ("adds", "@share")]
    told = [("T", "@t{0,0}"), ("whole", "@dense_text"), ("in tiles", "@tiled_text")]
    assert tips(FIGURES["cost.figure"]) == told
    for name in ("dropout.plot.figure", "heads.figure", "cost.figure"):
        (hover,) = FIGURES[name].select(HoverTool)
        assert len(hover.renderers) >= 1, name
