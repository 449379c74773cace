"""How do the figures reach the page without every session building them again?

A figure never changes in Python: only the page sets its columns, from the painted slots. So its
JSON is made once a process and every page makes its own models from it.
"""

import json
from functools import lru_cache
from typing import Any

from bokeh.embed import json_item

from attention_widget.widgets.lesson import choose_tabs
from attention_widget.widgets.section.figure import THEME


def plot_items(parts: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return [{"name", "json"}] of the figures of these parts; `Bokeh.embed` takes the "json"."""
    plots = [plot for part in choose_tabs(parts) for plot in part.figures()]
    for renderer in (r for plot in plots for r in plot.renderers):
        renderer.nonselection_glyph = renderer.muted_glyph = None  # nothing is selected or muted
    return [{"name": plot.name, "json": json_item(plot, theme=THEME)} for plot in plots]


@lru_cache(maxsize=16)
def plots_text(parts: tuple[str, ...]) -> str:
    """Return the same as JSON text, made once for all sessions."""
    return json.dumps(plot_items(parts), separators=(",", ":"))
