"""How is a map drawn, once, so that afterwards only its data change?

One Bokeh figure: queries are rows, keys are columns, row sums stand at the right. What a cell is
("seen", "masked", "dropped") is read from the `kind` column, never from its value.
"""

from bokeh.models import (
    CDSView,
    ColumnDataSource,
    FixedTicker,
    GroupFilter,
    HoverTool,
    LinearColorMapper,
    Range1d,
)
from bokeh.plotting import figure

from widgets import palette

KINDS = ("seen", "masked", "dropped")
TOOLTIPS = [
    ("query", "@query"),
    ("key", "@key"),
    ("head", "@head"),
    ("score", "@score"),
    ("weight", "@weight"),
    ("state", "@kind"),
]
_INK = {"masked": palette.MASKED_INK, "dropped": palette.DROPPED_INK}
_FILL = {"masked": palette.MASKED, "dropped": palette.DROPPED}


def build_heatmap(name: str) -> figure:
    """Make the figure of the scene `name`; its sources and ranges are named for the paint."""
    cells = ColumnDataSource(
        name=f"{name}.cells",
        data={c: [] for c in ("x", "y", "query", "key", "head", "score", "weight")}
        | {c: [] for c in ("value", "text", "kind")},
    )
    sums = ColumnDataSource(name=f"{name}.sums", data={c: [] for c in ("x", "y", "text", "kind")})
    answers = ColumnDataSource(name=f"{name}.answers", data={"x": [], "y": []})
    plot = figure(
        name=f"{name}.figure",
        sizing_mode="stretch_both",
        min_width=0,
        x_range=Range1d(0, 8, name=f"{name}.x_range"),
        y_range=Range1d(6, 0, name=f"{name}.y_range"),
        x_axis_location="above",
        toolbar_location=None,
        tools="",
        match_aspect=False,
        lod_threshold=None,
        output_backend="canvas",
    )
    plot.toolbar.active_drag = None
    plot.toolbar.active_scroll = None
    plot.background_fill_alpha = plot.border_fill_alpha = 0
    plot.outline_line_color = None
    plot.grid.visible = False
    for side, axis in (("x", plot.xaxis[0]), ("y", plot.yaxis[0])):
        axis.name = f"{name}.{side}_axis"
        axis.ticker = FixedTicker(ticks=[], name=f"{name}.{side}_ticks")
        axis.axis_line_color = axis.major_tick_line_color = None
        axis.major_label_text_font_size = "12px"
        axis.major_label_standoff = 4
    plot.xaxis[0].major_label_orientation = 0.7

    colour = LinearColorMapper(palette=list(palette.SEEN), low=0, high=1, name=f"{name}.colour")
    ink = LinearColorMapper(palette=list(palette.INKS), low=0, high=1, name=f"{name}.ink")
    boxes = []
    for kind in KINDS:
        view = CDSView(filter=GroupFilter(column_name="kind", group=kind))
        box = {"x": "x", "y": "y", "width": 0.96, "height": 0.96, "line_color": None}
        if kind == "seen":
            boxes.append(plot.rect(**box, source=cells, view=view, fill_color=_by(colour)))
        else:
            boxes.append(
                plot.rect(
                    **box,
                    source=cells,
                    view=view,
                    fill_color=_FILL[kind],
                    hatch_pattern="/" if kind == "masked" else "x",
                    hatch_color=(
                        palette.MASKED_HATCH if kind == "masked" else palette.DROPPED_HATCH
                    ),
                    hatch_alpha=1.0 if kind == "masked" else 0.35,
                    hatch_scale=8,
                )
            )
        plot.text(
            x="x",
            y="y",
            text="text",
            source=cells,
            view=view,
            text_align="center",
            text_baseline="middle",
            text_font_size="12px",
            text_color=_by(ink) if kind == "seen" else _INK[kind],
            name=f"{name}.text.{kind}",
        )
    plot.rect(
        x="x",
        y="y",
        width=0.92,
        height=0.92,
        source=answers,
        fill_alpha=0,
        line_color="#d9480f",
        line_width=2.5,
        line_dash="solid",
        name=f"{name}.answer_outline",
    )
    for kind, fill, text in (("one", "#e7f5ec", "#0b4a26"), ("off", "#ffe3d1", "#7a2a05")):
        view = CDSView(filter=GroupFilter(column_name="kind", group=kind))
        plot.rect(
            x="x",
            y="y",
            width=0.94,
            height=0.7,
            source=sums,
            view=view,
            fill_color=fill,
            line_color=None,
        )
        plot.text(
            x="x",
            y="y",
            text="text",
            source=sums,
            view=view,
            text_align="center",
            text_baseline="middle",
            text_font_size="12px",
            text_color=text,
            name=f"{name}.text.{kind}",
        )
    plot.add_tools(HoverTool(renderers=boxes, tooltips=TOOLTIPS, name=f"{name}.hover"))
    return plot


def _by(mapper: LinearColorMapper) -> dict[str, object]:
    return {"field": "value", "transform": mapper}
