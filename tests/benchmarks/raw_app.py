"""What a server has to do at the least: Bokeh alone, and a third of what the lesson answers.

`python -m tests.benchmarks.raw_app PORT` serves one slider, one heat map with its numbers and three
figures below it. No Panel, no checkpoint, no labs, no sentences; signed sessions and compression
as `attention-widget serve` has them, and the same core behind it.
"""

import sys

from bokeh.document import Document
from bokeh.layouts import column
from bokeh.models import ColumnDataSource, Div, LinearColorMapper, Slider
from bokeh.plotting import figure
from bokeh.server.server import Server
from bokeh.util.token import generate_secret_key

from attention_widget.widgets.map.render import number
from attention_widget.widgets.map.snapshot import Snapshot, snapshot
from attention_widget.widgets.map.state import LessonState

LEVEL = 6  # of compression, as the lesson's


def cells(snap: Snapshot) -> dict[str, list[object]]:
    """Return the columns of the heat map."""
    t = len(snap.tokens)
    return {
        "x": [j + 0.5 for _ in range(t) for j in range(t)],
        "y": [i + 0.5 for i in range(t) for _ in range(t)],
        "value": [float(v) for v in snap.shown.flat],
        "text": [number(v) for v in snap.shown.flat],
    }


def words(snap: Snapshot) -> str:
    """Return the three figures as markup."""
    seen = "yes" if snap.sees_future else "no"
    return f"<p>{seen}</p><p>{snap.masked_cells}</p><p id='d-head'>{snap.d_head}</p>"


def make_page(document: Document) -> None:
    """Fill a visitor's document."""
    state = LessonState()
    first = snapshot(state.settings())
    slider = Slider(title="Heads", start=1, end=4, value=1, name="heads")
    text = Div(text=words(first), name="words")
    source = ColumnDataSource(cells(first), name="cells")
    plot = figure(width=560, height=480)
    fill = {"field": "value", "transform": LinearColorMapper("Cividis256", low=0, high=1)}
    plot.rect("x", "y", 0.95, 0.95, source=source, fill_color=fill, line_color=None)
    plot.text("x", "y", "text", source=source, text_align="center", text_baseline="middle")

    def moved(_: str, __: int, heads: int) -> None:
        state.heads = heads
        snap = snapshot(state.settings())
        source.data = cells(snap)
        text.text = words(snap)

    slider.on_change("value", moved)
    document.add_root(column(slider, plot, text))


def main(port: int) -> None:
    """Serve until interrupted."""
    server = Server(
        {"/app": make_page},
        port=port,
        sign_sessions=True,
        secret_key=generate_secret_key().encode(),
        websocket_compression_level=LEVEL,
        session_token_expiration=3600,
    )
    server.start()
    server.run_until_shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]))
