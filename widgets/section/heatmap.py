"""How is a map drawn, once, so that afterwards only its data change?

One Bokeh figure: queries are rows, keys are columns, row sums stand at the right, arcs above, the
scale below. All of it is placed in units of one cell, so cells are square whatever the size. How a
cell looks is read from its `palette_index`, which its state decides before its value does.

Every renderer costs time at every change of its source, and a hatch most of all. So the hatch of
masked cells lies still on the ground and shows through those cells; the marks of dropped cells have
a source of their own, which changes only when other cells are dropped.
"""

from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    ColumnDataSource,
    GlyphRenderer,
    HoverTool,
    LinearColorMapper,
    LinearInterpolator,
    Range1d,
)
from bokeh.plotting import figure

from attention_widget.widgets.section.figure import make_figure
from attention_widget.widgets.section.palette import SCHEMES, in_role

TOOLTIPS = [
    ("query", "@query"),
    ("key", "@key"),
    ("head", "@head"),
    ("score", "@score"),
    ("weight", "@weight"),
    ("state", "@state"),
]
COLUMNS = {
    "cells": "x y query key head score weight palette_index text state",
    "ground": "x y",
    "drops": "x y",
    "sums": "x y text verdict",
    "answers": "x y ring",
    "labels": "x y text align style angle",
    "bar": "left right top bottom palette_index",
    "notes": "x y text align",
    "sample.masked": "x y size",
    "sample.dropped": "x y size",
    "sample.answer": "x y size ring palette_index",
}
WITH_ARCS = {  # the last three change by the page alone, or only with it
    "cells": f"{COLUMNS['cells']} value",  # which the page gives to who takes the map away
    "arcs": "x0 x1 cx0 cx1 y0 cy width kind",
    "veil": "x y size palette_index alpha",
    "fading_arcs": "x0 x1 cx0 cx1 y0 cy width kind alpha",
    "under": "x y palette_index text",
}
_CELL = {"x": "x", "y": "y", "width": 0.96, "height": 0.96, "line_color": None}
_ABOVE = {"level": "overlay"}  # a canvas of its own: what changes is painted without the rest
_TEXT = {
    "x": "x",
    "y": "y",
    "text": "text",
    "text_baseline": "middle",
    "text_font_size": "12px",
    "text_font": value("system-ui, sans-serif"),
}
_SAMPLE = {"x": "x", "y": "y", "width": "size", "height": "size", "line_color": None}
_NIGHT = {"hatch_pattern": "/", "hatch_scale": 8, "hatch_weight": 2}
_CROSS = {"hatch_pattern": "x", "hatch_scale": 8, "hatch_alpha": 0.35}


def build_heatmap(name: str, *, arcs: bool = False) -> figure:
    """Return the figure of the section `name`; its sources and ranges are named for the paint."""
    sources = {
        key: ColumnDataSource(name=f"{name}.{key}", data={c: [] for c in columns.split()})
        for key, columns in (COLUMNS | (WITH_ARCS if arcs else {})).items()
    }
    plot = make_figure(
        name,
        min_border=0,
        x_range=Range1d(0, 8, name=f"{name}.x_range"),
        y_range=Range1d(6, 0, name=f"{name}.y_range"),
    )
    plot.grid.visible = plot.axis.visible = False

    _draw_ground(plot, sources, name)
    boxes = _draw_cells(plot, sources, name)
    _draw_around(plot, sources, name)
    plot.add_tools(HoverTool(renderers=[boxes], tooltips=TOOLTIPS, name=f"{name}.hover"))
    return plot


def _draw_ground(plot: figure, sources: dict[str, ColumnDataSource], name: str) -> None:
    """Draw what lies still: the hatch under masked cells, the scale and a sample of each mark."""
    ground = {**_CELL, "width": 0.92, "height": 0.92}  # no edge of it beside an opaque cell
    for key, size in (
        ("ground", ground),
        ("sample.masked", _SAMPLE),
        ("sample.answer", _SAMPLE),
    ):
        rect = plot.rect(**size, **_NIGHT, source=sources[key])
        in_role(rect.glyph, fill_color="masked", hatch_color="hatch")
    rect = plot.rect(**_SAMPLE, **_CROSS, source=sources["sample.dropped"])
    in_role(rect.glyph, fill_color="dropped", hatch_color="cross")
    plot.rect(  # a cell with its outline, over the ground, as in the map
        **_SAMPLE | {"line_width": 2.5, "line_color": _by("ring", "rings")},
        source=sources["sample.answer"],
        fill_color=_by("palette_index", "fills"),
    )
    plot.quad(
        left="left",
        right="right",
        top="top",
        bottom="bottom",
        source=sources["bar"],
        line_color=None,
        fill_color=_by("palette_index", "fills"),
        name=f"{name}.colour_bar",
    )


def _draw_cells(plot: figure, sources: dict[str, ColumnDataSource], name: str) -> GlyphRenderer:
    """Draw what changes with the state; return the cells' renderer."""
    cells, drops, answers = sources["cells"], sources["drops"], sources["answers"]
    boxes = plot.rect(**_CELL, **_ABOVE, source=cells, fill_color=_by("palette_index", "fills"))
    rect = plot.rect(**_CELL, **_ABOVE, **_CROSS, source=drops, fill_color=None)
    in_role(rect.glyph, hatch_color="cross")
    if "arcs" in sources:
        _draw_under(plot, sources, name)
    plot.text(
        **_TEXT,
        **_ABOVE,
        source=cells,
        text_align="center",
        text_color=_by("palette_index", "inks"),
        name=f"{name}.text.cells",
    )
    plot.rect(
        x="x",
        y="y",
        width=0.9,
        height=0.9,
        source=answers,
        **_ABOVE,
        fill_alpha=0,
        line_color=_by("ring", "rings"),
        line_width=2.5,
        name=f"{name}.answer_outline",
    )
    if "arcs" in sources:
        _draw_arcs(plot, sources, name)
    return boxes


def _draw_under(plot: figure, sources: dict[str, ColumnDataSource], name: str) -> None:
    """Draw the cells as they were, and inside each one the map without the mask."""
    _draw_veil(plot, sources["veil"])
    under = {"visible": False, "name": f"{name}.text.under", "text_align": "center"}
    plot.rect(
        **_CELL | _ABOVE | {"width": 0.7, "height": 0.7, "visible": False},
        source=sources["under"],
        fill_color=_by("palette_index", "fills"),
        name=f"{name}.under.boxes",
    )
    plot.text(
        **_TEXT, **_ABOVE, **under, source=sources["under"], text_color=_by("palette_index", "inks")
    )


def _draw_arcs(plot: figure, sources: dict[str, ColumnDataSource], name: str) -> None:
    """Draw the arcs above the words, and those that fade out."""
    some = LinearInterpolator(x=[0, 0.005], y=[0, 0.8], clip=False)  # no stroke without a weight
    thickness = _thickness(name)
    for key, alpha in (
        ("arcs", {"field": "width", "transform": some}),
        ("fading_arcs", {"field": "alpha"}),
    ):
        plot.bezier(
            x0="x0",
            x1="x1",
            cx0="cx0",
            cx1="cx1",
            y0="y0",
            y1="y0",
            cy0="cy",
            cy1="cy",
            source=sources[key],
            **_ABOVE,
            line_color=_by("kind", "arcs"),
            line_alpha=alpha,
            line_width={"field": "width", "transform": thickness},
            name=f"{name}.{key}.lines",
        )


def _draw_veil(plot: figure, veil: ColumnDataSource) -> None:
    """Draw the cells as they were, for the page to fade out over what they are now.

    Without a hatch: Bokeh makes one anew at every change, which takes ten times the paint.
    """
    place = _CELL | _ABOVE | {"width": "size", "height": "size", "source": veil}
    plot.rect(**place, fill_color=_by("palette_index", "veil"), fill_alpha="alpha")


def _draw_around(plot: figure, sources: dict[str, ColumnDataSource], name: str) -> None:
    """Draw the words at the rows and columns, the row sums, and the words at the scale."""
    for key, aligned, more in (
        ("labels", "align", {"text_font_style": "style", "angle": "angle"}),
        ("notes", "align", {}),
        ("sums", "center", {}),
    ):
        text = plot.text(
            **_TEXT,
            **more,
            **_ABOVE,
            source=sources[key],
            text_align=aligned if aligned == "center" else {"field": aligned},
            name=f"{name}.text.{key}",
        )
        if key == "sums":
            text.glyph.text_color = _by("verdict", "sums")
        else:
            in_role(text.glyph, text_color="ink")


def _thickness(name: str) -> LinearInterpolator:
    """Return how thick a weight's arc is; the page fits it to the size of a cell."""
    return LinearInterpolator(name=f"{name}.arc_thickness", x=[0, 1], y=[1, 18], clip=False)


def _by(column: str, role: str) -> dict[str, Any]:
    """Return the colour whose index in a scheme's list of this role the column holds."""
    colours = SCHEMES["light"][role]
    mapper = LinearColorMapper(palette=list(colours), low=-0.5, high=len(colours) - 0.5)
    in_role(mapper, palette=role)
    return {"field": column, "transform": mapper}
