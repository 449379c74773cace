"""How do loss and scores move together over the training?

Losses are read at the left, scores at the right. The moments stand at equal distances, though the
steps between them are not equal: most happens early.
"""

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, LinearAxis, Range1d
from bokeh.plotting import figure

from attention_widget.widgets.section.figure import LINE, make_figure
from attention_widget.widgets.section.heatmap import build_heatmap

FIRST, SECOND, PREVIOUS, INDUCTION = LINE, "#d9480f", "#2f7fd6", "#2a9d78"
TOOLTIPS = [("from", "@query"), ("to", "@key"), ("head", "@head"), ("weight", "@weight")]


def build_learned_map(name: str) -> figure:
    """Make the map of one trained head; its tooltip leaves the scores out."""
    plot = build_heatmap(name)
    plot.select_one(HoverTool).tooltips = TOOLTIPS
    return plot


def build_training_figure(name: str) -> figure:
    """Make "<name>.figure" with the sources `curves` and `now`."""
    columns = ("at", "first", "second", "previous", "induction")
    curves = ColumnDataSource(name=f"{name}.curves", data={column: [] for column in columns})
    now = ColumnDataSource(name=f"{name}.now", data={"at": [], "loss": []})
    plot = make_figure(
        name,
        x_range=Range1d(start=0, end=1, name=f"{name}.x_range"),
        y_range=Range1d(start=0, end=5.2),
        x_axis_label="training step, not evenly spaced",
        y_axis_label="loss, nats per word",
    )
    plot.extra_y_ranges = {"score": Range1d(start=0, end=1.04)}
    plot.add_layout(LinearAxis(y_range_name="score", axis_label="score of the head"), "right")
    ticks = FixedTicker(ticks=[], name=f"{name}.ticks")
    plot.xaxis[0].name, plot.xaxis[0].ticker = f"{name}.x_axis", ticks
    plot.xgrid.visible = False
    plot.line("at", "loss", source=now, line_color=LINE, line_width=5, line_alpha=0.5)
    for column, colour, dash in (
        ("first", FIRST, "dotted"),
        ("second", SECOND, "solid"),
        ("previous", PREVIOUS, "dashed"),
        ("induction", INDUCTION, "dotted"),
    ):
        options = {"y_range_name": "score"} if column in ("previous", "induction") else {}
        plot.line(
            "at",
            column,
            source=curves,
            line_color=colour,
            line_dash=dash,
            line_width=2.5,
            **options,
        )
    return plot
