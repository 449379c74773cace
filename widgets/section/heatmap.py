"""How is a map drawn, once, so that afterwards only its data change?

One Bokeh figure: queries are rows, keys are columns, row sums stand at the right. How a cell looks
is read from its `palette_index`, which its state decides before its value does.

Every renderer costs time at every change of its source, and a hatch most of all. So the hatch of
masked cells lies still on the ground and shows through those cells; the marks of dropped cells have
a source of their own, which changes only when other cells are dropped.
"""

from bokeh.models import (
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    LinearColorMapper,
    Range1d,
)
from bokeh.plotting import figure
from bokeh.transform import factor_cmap

from attention_widget.widgets.section import palette
from attention_widget.widgets.section.figure import make_figure

TOOLTIPS = [
    ("query", "@query"),
    ("key", "@key"),
    ("head", "@head"),
    ("score", "@score"),
    ("weight", "@weight"),
    ("state", "@state"),
]
_CELL = {"x": "x", "y": "y", "width": 0.96, "height": 0.96, "line_color": None}
_ABOVE = {"level": "overlay"}  # a canvas of its own: what changes is painted without the rest
_TEXT = {
    "x": "x",
    "y": "y",
    "text": "text",
    "text_align": "center",
    "text_baseline": "middle",
    "text_font_size": "12px",
}
_SUMS = ("one", "off")


def build_heatmap(name: str) -> figure:
    """Make the figure of the section `name`; its sources and ranges are named for the paint."""
    cells = ColumnDataSource(
        name=f"{name}.cells",
        data={c: [] for c in ("x", "y", "query", "key", "head", "score", "weight")}
        | {c: [] for c in ("value", "palette_index", "text", "state")},
    )
    ground = ColumnDataSource(name=f"{name}.ground", data={"x": [], "y": []})
    drops = ColumnDataSource(name=f"{name}.drops", data={"x": [], "y": []})
    sums = ColumnDataSource(
        name=f"{name}.sums", data={c: [] for c in ("x", "y", "text", "verdict")}
    )
    answers = ColumnDataSource(name=f"{name}.answers", data={"x": [], "y": []})
    plot = make_figure(
        name,
        x_range=Range1d(0, 8, name=f"{name}.x_range"),
        y_range=Range1d(6, 0, name=f"{name}.y_range"),
        x_axis_location="above",
    )
    plot.grid.visible = False
    for side, axis in (("x", plot.xaxis[0]), ("y", plot.yaxis[0])):
        axis.name = f"{name}.{side}_axis"
        axis.ticker = FixedTicker(ticks=[], name=f"{name}.{side}_ticks")
        axis.axis_line_color = axis.major_tick_line_color = None
        axis.major_label_text_font_size = "12px"
        axis.major_label_standoff = 4
    plot.xaxis[0].major_label_orientation = 0.7

    plot.rect(
        **_CELL | {"width": 0.95, "height": 0.95},  # no edge of it beside an opaque cell
        source=ground,
        fill_color=palette.MASKED,
        hatch_pattern="/",
        hatch_color=palette.MASKED_HATCH,
        hatch_scale=8,
    )
    boxes = plot.rect(
        **_CELL, **_ABOVE, source=cells, fill_color=_by("palette_index", palette.FILLS)
    )
    plot.rect(
        **_CELL,
        **_ABOVE,
        source=drops,
        fill_color=None,
        hatch_pattern="x",
        hatch_color=palette.DROPPED_HATCH,
        hatch_alpha=0.35,
        hatch_scale=8,
    )
    plot.text(
        **_TEXT,
        **_ABOVE,
        source=cells,
        text_color=_by("palette_index", palette.CELL_INKS),
        name=f"{name}.text.cells",
    )
    plot.rect(
        x="x",
        y="y",
        width=0.92,
        height=0.92,
        source=answers,
        **_ABOVE,
        fill_alpha=0,
        line_color="#d9480f",
        line_width=2.5,
        line_dash="solid",
        name=f"{name}.answer_outline",
    )
    plot.rect(
        **_CELL | _ABOVE | {"width": 0.94, "height": 0.7},
        source=sums,
        fill_color=factor_cmap("verdict", ("#e7f5ec", "#ffe3d1"), _SUMS),
    )
    plot.text(
        **_TEXT,
        **_ABOVE,
        source=sums,
        text_color=factor_cmap("verdict", ("#0b4a26", "#7a2a05"), _SUMS),
        name=f"{name}.text.sums",
    )
    plot.add_tools(HoverTool(renderers=[boxes], tooltips=TOOLTIPS, name=f"{name}.hover"))
    return plot


def _by(column: str, colours: tuple[str, ...]) -> dict[str, object]:
    """Return the colour whose index in `colours` the column holds."""
    mapper = LinearColorMapper(palette=list(colours), low=0, high=len(colours))
    return {"field": column, "transform": mapper}
