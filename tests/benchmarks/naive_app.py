"""The obvious way to write the widget: Panel's own controls, and a new figure for every change."""

import panel as pn
from bokeh.models import ColumnDataSource, LinearColorMapper
from bokeh.plotting import figure

from attention_widget.widgets.map.render import number
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState

pn.extension()
causal = pn.widgets.Switch(name="causal")
heads = pn.widgets.IntSlider(name="heads", start=1, end=4, value=1)


def view(causal: bool, heads: int) -> pn.Column:
    """Draw everything anew."""
    state = LessonState()
    state.choose(causal=causal, heads=heads)
    snap = snapshot(state.settings())
    t = len(snap.tokens)
    plot = figure(width=560, height=480, x_range=list(snap.tokens), y_range=list(snap.tokens)[::-1])
    source = ColumnDataSource(
        {
            "x": [token for _ in range(t) for token in snap.tokens],
            "y": [token for token in snap.tokens for _ in range(t)],
            "value": snap.shown.ravel(),
            "text": [number(v) for v in snap.shown.flat],
        }
    )
    colour = LinearColorMapper("Cividis256", low=0, high=1)
    fill = {"field": "value", "transform": colour}
    plot.rect("x", "y", 0.95, 0.95, source=source, fill_color=fill, line_color=None)
    plot.text("x", "y", "text", source=source, text_align="center", text_baseline="middle")
    kpis = (
        f"<p><b data-kpi='sees-future'>{'yes' if snap.sees_future else 'no'}</b> "
        f"<b data-kpi='masked-cells'>{snap.masked_cells}</b> "
        f"<b data-kpi='d-head'>{snap.d_head}</b></p>"
    )
    return pn.Column(pn.pane.HTML(kpis), pn.pane.Bokeh(plot))


pn.Column(causal, heads, pn.bind(view, causal, heads)).servable()
