"""How does the wall look to the eye: as squares that grow, and as a curve on linear axes?

Each square holds one cell for each pair of words. Its side is the context, its area the memory.
"""

from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from attention_widget.cost import attention_cost, tile_score_bytes
from attention_widget.widgets.labs.cost.figure import TILED, WHOLE
from attention_widget.widgets.labs.cost.words import SQUARE, SQUARES_ALOUD, WALL_ALOUD, WORDS_AXIS
from attention_widget.widgets.labs.units import exact, human_bytes
from attention_widget.widgets.section.figure import make_figure
from attention_widget.widgets.section.palette import in_role
from attention_widget.widgets.section.section import Slots

HALVINGS = (1, 2, 4)  # T, half of it, a quarter of it
POINTS = 16  # of the curve
MARGIN = 1.04


def build_squares_figure(name: str) -> figure:
    """Make "<name>.figure" with the source `sides`: one square in the other, from one corner."""
    columns = ("left", "bottom", "side", "at", "text")
    sides = ColumnDataSource(name=f"{name}.sides", data={c: [] for c in columns})
    plot = make_figure(
        name,
        x_range=Range1d(0, 1, name=f"{name}.x_range"),
        y_range=Range1d(0, 1, name=f"{name}.y_range"),
        x_axis_label=WORDS_AXIS,
        match_aspect=True,
        aspect_scale=1,
    )
    plot.grid.visible = False
    plot.yaxis.visible = False
    axis = plot.xaxis[0]
    axis.name, axis.ticker = f"{name}.x_axis", FixedTicker(ticks=[], name=f"{name}.x_ticks")
    plot.quad(
        left="left",
        bottom="bottom",
        right="side",
        top="side",
        source=sides,
        fill_color=WHOLE,
        fill_alpha=0.16,
        line_color=WHOLE,
        line_width=2.5,
    )
    text = plot.text(
        x="at",
        y="side",
        text="text",
        source=sides,
        text_align="right",
        text_baseline="top",
        text_font_size="13px",
        y_offset=6,
        name=f"{name}.text.sides",
    )
    in_role(text.glyph, text_color="ink")
    return plot


def build_wall_figure(name: str) -> figure:
    """Make "<name>.figure" with the source `points`: memory over context, both axes linear."""
    points = ColumnDataSource(name=f"{name}.points", data={c: [] for c in ("t", "whole", "tiled")})
    plot = make_figure(
        name,
        x_range=Range1d(0, 1, name=f"{name}.x_range"),
        y_range=Range1d(0, 1, name=f"{name}.y_range"),
        x_axis_label=WORDS_AXIS,
    )
    for axis, key in ((plot.xaxis[0], "x"), (plot.yaxis[0], "y")):
        axis.name = f"{name}.{key}_axis"
        axis.ticker = FixedTicker(ticks=[], name=f"{name}.{key}_ticks")
    for column, colour, dash in (("whole", WHOLE, "solid"), ("tiled", TILED, "dashed")):
        plot.line("t", column, source=points, line_color=colour, line_width=3, line_dash=dash)
    return plot


def render_wall(t: int, d: int, heads: int) -> Slots:
    """Render both pictures for the context T."""

    def whole(length: int) -> int:
        return attention_cost(length, d, heads).score_bytes

    sides = [t // n for n in HALVINGS]
    texts = [SQUARE.format(tokens=exact(n), memory=human_bytes(whole(n))) for n in sides]
    lengths = sorted({max(1, t * n // POINTS) for n in range(1, POINTS + 1)})
    top = whole(t)
    ticks = {0: "0", t // 2: exact(t // 2), t: exact(t)}
    return {
        "source:squares.sides.left": [0] * len(sides),
        "source:squares.sides.bottom": [0] * len(sides),
        "source:squares.sides.side": sides,
        "source:squares.sides.at": [0.98 * n for n in sides],
        "source:squares.sides.text": texts,
        "model:squares.x_range": {"start": 0, "end": MARGIN * t},
        "model:squares.y_range": {"start": 0, "end": MARGIN * t},
        "model:squares.x_ticks": {"ticks": [0, *reversed(sides)]},
        "model:squares.x_axis": {"major_label_overrides": [[n, exact(n)] for n in (0, *sides)]},
        "squares.figure": {"aria-label": SQUARES_ALOUD.format(squares=", ".join(texts))},
        "source:wall.points.t": lengths,
        "source:wall.points.whole": [whole(n) for n in lengths],
        "source:wall.points.tiled": [tile_score_bytes(n, heads, 64) for n in lengths],
        "model:wall.x_range": {"start": 0, "end": MARGIN * t},
        "model:wall.y_range": {"start": 0, "end": MARGIN * top},
        "model:wall.x_ticks": {"ticks": list(ticks)},
        "model:wall.x_axis": {"major_label_overrides": [[n, text] for n, text in ticks.items()]},
        "model:wall.y_ticks": {"ticks": [0, top // 4, top // 2, top]},
        "model:wall.y_axis": {
            "major_label_overrides": [
                [n, human_bytes(n) if n else "0"] for n in (0, top // 4, top // 2, top)
            ]
        },
        "wall.figure": {
            "aria-label": WALL_ALOUD.format(
                tokens=exact(t),
                memory=human_bytes(top),
                half=exact(t // 2),
                quarter=human_bytes(whole(t // 2)),
            )
        },
    }
