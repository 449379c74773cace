"""How does the lesson come into a notebook's cell, with nothing set up and no network?

Panel's scripts go along with the first display. A recording of the map and the checkpoint lies
beside the live lesson: in an exported page, or when no kernel runs, nobody answers, and the page
shows the recording instead (`assets/live/recording.js`).
"""

import base64
import gzip
import sys
from functools import lru_cache
from html import escape
from typing import Any
from uuid import uuid4

import panel as pn

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.dashboard import Dashboard as LiveDashboard
from attention_widget.widgets.recorded.commands import recorded_lesson
from attention_widget.widgets.recorded.export import export_html, record
from attention_widget.widgets.recorded.options import LessonOptions

PARTS = ("map",)
DRAWS = 1
NO_KERNEL = (
    "No Python answers this page, so here is a recording of the map and the checkpoint. "
    "All parts, with your own settings, make one file: attention-widget export lesson.html"
)


@lru_cache(maxsize=8)
def recording(sentence: str, seed: int) -> str:
    """Return the recorded map and checkpoint as one page, compressed, in base64; about 0.6 MB."""
    lesson = recorded_lesson(sentence, seed, DRAWS, PARTS)
    page = export_html(lesson, DRAWS, LessonOptions(parts=PARTS), record(lesson))
    return base64.b64encode(gzip.compress(page.encode(), 6, mtime=0)).decode()


class Dashboard(LiveDashboard):
    """The whole widget; displays itself in a notebook and under `panel serve`.

    Args:
        lesson: what to show; the default lesson when left out.
    """

    def __init__(self, lesson: Lesson | None = None, **params: Any) -> None:
        super().__init__(lesson, **params)
        if "marimo" in sys.modules:  # it displays Panel's objects itself, and drops messages
            pn.config.inline = True
            self.view.by_messages = False

    def __panel__(self) -> pn.viewable.Viewable:
        view = super().__panel__()
        self.view.stale = True  # another cell may run before the page is there: it asks for all
        return view

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return what a notebook displays."""
        if not pn.extension._loaded:
            pn.extension(inline=True)
        self.view.recording = f"lesson-{uuid4().hex}"
        shown = super()._repr_mimebundle_(include, exclude)
        if shown is not None and "text/html" in shown[0]:
            state = self.state
            shown[0]["text/html"] += (
                f'<script type="application/gzip" id="{self.view.recording}" '
                f'data-words="{escape(NO_KERNEL)}">{recording(state.sentence, state.seed)}</script>'
            )
        return shown
