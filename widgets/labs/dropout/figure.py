"""How are the row sums of one draw and of many drawn, so that only their data change?

One line a row of the map: a bar for the mean plus and minus one spread, a dot for the mean, a
diamond for the draw on screen, and a dashed line for the exact mean.
"""

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure

from attention_widget.widgets.section.figure import LINE, make_figure

SPREAD, MEAN, DRAW, EXACT = LINE, "#0b6fb8", "#d9480f", "#8a5a9e"


def build_sums_figure(name: str) -> figure:
    """Make the figure "<name>.figure" with the sources `rows` and `exact`."""
    rows = ColumnDataSource(
        name=f"{name}.rows",
        data={c: [] for c in ("y", "row", "draw", "mean", "low", "high", "tip")},
    )
    exact = ColumnDataSource(name=f"{name}.exact", data={"x": [], "y0": [], "y1": []})
    plot = make_figure(
        name,
        x_range=Range1d(start=0, end=2, name=f"{name}.x_range"),
        y_range=Range1d(start=6, end=0, name=f"{name}.y_range"),
        x_axis_label="sum of the row's weights",
    )
    plot.ygrid.visible = False
    axis = plot.yaxis[0]
    axis.name, axis.ticker = f"{name}.y_axis", FixedTicker(ticks=[], name=f"{name}.y_ticks")
    axis.axis_line_color = axis.major_tick_line_color = None
    plot.segment(
        x0="x",
        x1="x",
        y0="y0",
        y1="y1",
        source=exact,
        line_color=EXACT,
        line_width=2.5,
        line_dash="dashed",
    )
    plot.segment(
        x0="low",
        x1="high",
        y0="y",
        y1="y",
        source=rows,
        line_color=SPREAD,
        line_width=6,
        line_alpha=0.6,
        line_cap="round",
    )
    means = plot.scatter(
        x="mean", y="y", source=rows, marker="circle", size=11, fill_color=MEAN, line_color="#fff"
    )
    draws = plot.scatter(
        x="draw",
        y="y",
        source=rows,
        marker="diamond",
        size=15,
        fill_color=DRAW,
        line_color="#fff",
    )
    plot.add_tools(
        HoverTool(
            renderers=[means, draws],
            tooltips=[("row", "@row"), ("", "@tip")],
            name=f"{name}.hover",
        )
    )
    return plot
