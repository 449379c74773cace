"""How does the score tensor's memory grow with T, held whole and held in tiles?"""

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Range1d
from bokeh.plotting import figure

from attention_widget.widgets.section.figure import LINE, make_figure

WHOLE, TILED = "#d9480f", "#2f7fd6"
X_TICKS = {6: "6", 64: "64", 1024: "1,024", 131072: "131,072"}
Y_TICKS = {2**10: "1 KiB", 2**20: "1 MiB", 2**30: "1 GiB", 2**40: "1 TiB"}


def build_cost_figure(name: str) -> figure:
    """Make "<name>.figure" with the sources `curves` and `here`, both axes logarithmic."""
    curves = ColumnDataSource(
        name=f"{name}.curves",
        data={c: [] for c in ("t", "dense", "tiled", "dense_text", "tiled_text")},
    )
    here = ColumnDataSource(name=f"{name}.here", data={"t": [], "bytes": []})
    plot = make_figure(
        name,
        x_axis_type="log",
        y_axis_type="log",
        x_range=Range1d(start=4.5, end=200000),
        y_range=Range1d(start=64, end=2**41),
        x_axis_label="T (tokens)",
        y_axis_label="score memory, float32",
    )
    for axis, ticks in ((plot.xaxis[0], X_TICKS), (plot.yaxis[0], Y_TICKS)):
        axis.ticker = FixedTicker(ticks=list(ticks))
        axis.major_label_overrides = ticks
    for grid, ticks in ((plot.xgrid[0], X_TICKS), (plot.ygrid[0], Y_TICKS)):
        grid.ticker = FixedTicker(ticks=list(ticks))
    dots = []
    for column, colour, dash, marker in (
        ("dense", WHOLE, "solid", "circle"),
        ("tiled", TILED, "dashed", "square"),
    ):
        plot.line("t", column, source=curves, line_color=colour, line_width=2.5, line_dash=dash)
        dots.append(plot.scatter("t", column, source=curves, marker=marker, size=6, color=colour))
    plot.scatter("t", "bytes", source=here, size=15, fill_alpha=0, line_color=LINE, line_width=3)
    tips = [("T", "@t{0,0}"), ("whole", "@dense_text"), ("in tiles", "@tiled_text")]
    plot.add_tools(HoverTool(renderers=dots, tooltips=tips))
    return plot
