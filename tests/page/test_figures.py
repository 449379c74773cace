"""Do all figures leave for the page in one look, with nothing that swallows a scroll?"""

from collections.abc import Iterator
from typing import Any

import pytest

from attention_widget.widgets.lesson import TABS
from attention_widget.widgets.page.figures import plot_items
from attention_widget.widgets.section.figure import LINE


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


@pytest.fixture(scope="module")
def items() -> list[dict[str, Any]]:
    found = plot_items(tuple(tab.name for tab in TABS))
    assert len(found) > len(TABS) / 2
    return found


def test_every_figure_is_see_through_fills_its_place_and_has_no_toolbar(items):
    for item in items:
        (plot,) = models(item, "Figure")
        assert plot["name"].endswith(".figure")
        assert plot["background_fill_alpha"] == plot["border_fill_alpha"] == 0, plot["name"]
        assert plot["outline_line_color"] is None, plot["name"]
        assert plot["sizing_mode"] == "stretch_both", plot["name"]
        assert plot["toolbar_location"] is None, plot["name"]


def test_no_figure_takes_a_drag_or_a_wheel(items):
    for item in items:
        (toolbar,) = models(item, "Toolbar")
        assert toolbar["active_drag"] is toolbar["active_scroll"] is None, item["name"]
        assert {tool["name"] for tool in toolbar.get("tools", [])} <= {"HoverTool"}, item["name"]


def test_what_is_drawn_of_grids_and_axes_has_one_colour(items):
    for item in items:
        grids, axes = models(item, "Grid"), models(item, "Axis")
        assert len(grids) == 2, item["name"]
        assert len(axes) >= 2, item["name"]
        assert {grid["grid_line_color"] for grid in grids} == {LINE}, item["name"]
        assert {axis["axis_line_color"] for axis in axes} <= {LINE, None}, item["name"]
