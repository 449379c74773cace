"""Do all figures leave for the page in one look, with nothing that swallows a scroll?"""

from collections.abc import Iterator
from typing import Any

import pytest

from attention_widget.widgets.lesson import TABS
from attention_widget.widgets.page.figures import plot_items
from attention_widget.widgets.section.figure import LINE

ITEMS = plot_items(tuple(tab.name for tab in TABS))


def models(item: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return the attributes of every model of a kind in a figure's JSON."""

    def walk(node: Any) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            if node.get("type") == "object" and node.get("name", "").endswith(kind):
                yield node.get("attributes", {})
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    return list(walk(item["json"]["doc"]))


@pytest.fixture(params=ITEMS, ids=lambda item: item["name"])
def item(request: pytest.FixtureRequest) -> dict[str, Any]:
    return request.param


def test_every_figure_is_see_through_fills_its_place_and_has_no_toolbar(item):
    (plot,) = models(item, "Figure")
    assert plot["name"].endswith(".figure")
    assert plot["background_fill_alpha"] == plot["border_fill_alpha"] == 0
    assert plot["outline_line_color"] is None
    assert plot["sizing_mode"] == "stretch_both"
    assert plot["toolbar_location"] is None


def test_no_figure_takes_a_drag_or_a_wheel(item):
    (toolbar,) = models(item, "Toolbar")
    assert toolbar["active_drag"] is toolbar["active_scroll"] is None
    assert {tool["name"] for tool in toolbar.get("tools", [])} <= {"HoverTool"}


def test_what_is_drawn_of_grids_and_axes_has_one_colour(item):
    grids, axes = models(item, "Grid"), models(item, "Axis")
    assert len(grids) == 2
    assert len(axes) >= 2
    assert {grid["grid_line_color"] for grid in grids} == {LINE}
    assert {axis["axis_line_color"] for axis in axes} <= {LINE, None}
