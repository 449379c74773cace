"""How do the heads' shares add up to one output number?

A staircase: every head's bar starts where the one above it ended, and the output's at 0.
"""

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure

from attention_widget.widgets.section.figure import LINE, make_figure

COLOURS = ("#2f86c9", "#c77700", "#2a9d78", "#b3589a")
HATCHES = (" ", "/", "x", ".")
TOTAL = LINE


def build_shares_figure(name: str) -> figure:
    """Make the figure "<name>.figure" with the source `shares`: left, right, y, ..."""
    shares = ColumnDataSource(
        name=f"{name}.shares",
        data={c: [] for c in ("y", "left", "right", "colour", "hatch", "who", "share")},
    )
    joints = ColumnDataSource(name=f"{name}.joints", data={"x": [], "y0": [], "y1": []})
    plot = make_figure(
        name,
        x_range=Range1d(start=-1, end=1, name=f"{name}.x_range"),
        y_range=Range1d(start=5, end=0, name=f"{name}.y_range"),
        x_axis_label="running sum",
    )
    plot.ygrid.visible = False
    axis = plot.yaxis[0]
    axis.name, axis.ticker = f"{name}.y_axis", FixedTicker(ticks=[], name=f"{name}.y_ticks")
    axis.axis_line_color = axis.major_tick_line_color = None
    plot.vspan(x=[0], line_color=TOTAL, line_width=2)
    bars = plot.hbar(
        y="y",
        left="left",
        right="right",
        height=0.62,
        source=shares,
        fill_color="colour",
        line_color=TOTAL,
        hatch_pattern="hatch",
        hatch_color="#ffffff",
        hatch_alpha=0.55,
    )
    plot.segment(
        x0="x", x1="x", y0="y0", y1="y1", source=joints, line_color=TOTAL, line_dash="dotted"
    )
    plot.add_tools(HoverTool(renderers=[bars], tooltips=[("", "@who"), ("adds", "@share")]))
    return plot
