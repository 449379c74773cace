"""How do the two training losses fall, and where do they end when the future is taken away?"""

from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from attention_widget.models.leak.runs import LeakConfig
from attention_widget.widgets.section.figure import LINE, make_figure

LEAKY, MASKED, GUESS = "#d9480f", "#2f7fd6", LINE
LAST = LeakConfig().context
LOWEST, HIGHEST = 0.003, 60.0  # nats per word; further values are drawn at the edge
TICKS = {0.01: "0.01", 0.1: "0.1", 1: "1", 10: "10"}


def build_leak_figure(name: str) -> figure:
    """Make "<name>.figure" with the sources `curves`, `guess` and `ends`; the loss axis is log."""
    curves = ColumnDataSource(name=f"{name}.curves", data={"at": [], "leaky": [], "masked": []})
    guess = ColumnDataSource(name=f"{name}.guess", data={"at": [], "loss": []})
    plot = make_figure(
        name,
        y_axis_type="log",
        x_range=Range1d(start=0, end=1, name=f"{name}.steps"),
        y_range=Range1d(start=LOWEST, end=HIGHEST),
        x_axis_label="training step",
        y_axis_label=f"loss at positions 1 to {LAST - 1}, nats per word",
    )
    plot.xgrid.visible = False
    plot.yaxis[0].ticker = plot.ygrid[0].ticker = FixedTicker(ticks=list(TICKS))
    plot.yaxis[0].major_label_overrides = {at: text for at, text in TICKS.items()}  # noqa: C416
    plot.line("at", "loss", source=guess, line_color=GUESS, line_width=2, line_dash="dotted")
    for who, colour, dash, marker in (
        ("leaky", LEAKY, "solid", "circle"),
        ("masked", MASKED, "dashed", "square"),
    ):
        end = ColumnDataSource(name=f"{name}.{who}", data={"at": [], "loss": []})
        plot.line("at", who, source=curves, line_color=colour, line_width=2.5, line_dash=dash)
        plot.line("at", "loss", source=end, line_color=colour, line_width=1.5, line_dash="dotted")
        plot.scatter("at", "loss", source=end, marker=marker, size=11, color=colour)
    return plot
