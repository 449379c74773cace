"""How does a lesson live on a Panel server or in a notebook?"""

from collections.abc import Mapping
from typing import Any

import panel as pn
import param

from assets import read_asset
from widgets.lesson import Lesson
from widgets.markup import skeleton
from widgets.scene import Paint
from widgets.state import LessonState

SCRIPTS = ("paint.js", "controls.js", "shell.js", "connect.js", "live.js")


class LessonView(pn.custom.JSComponent):
    """The page: markup, first paint and figures go out once; afterwards only what changed."""

    page = param.String(doc="Markup of the lesson, from `widgets.markup`.")
    first = param.Dict(doc="Every painted slot at the time the page is made.")
    figures = pn.custom.Children()

    _esm = "\n".join(read_asset(name) for name in SCRIPTS)
    _stylesheets = [read_asset("style.css")]  # noqa: RUF012 (Panel declares it so)

    def __init__(self, lesson: Lesson, **params: Any) -> None:
        self._lesson = lesson
        lesson.look()  # at what a link has set
        self._sent: Paint = lesson.paint()
        super().__init__(
            page=skeleton(lesson),
            first=self._sent,
            figures=[pn.pane.Bokeh(figure) for figure in lesson.figures()],
            sizing_mode="stretch_width",
            **params,
        )

        lesson.push = self.push

    def push(self) -> None:
        """Send what changed without having been asked, for work that goes on in the background."""
        self._send_msg({"paint": self.changes(None)})

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, Mapping):
            return
        self._lesson.act(data)
        last = data.get("last") if isinstance(data.get("last"), str) else None
        self._send_msg({"seq": data.get("seq"), "last": last, "paint": self.changes(last)})

    def changes(self, last: str | None) -> Paint:
        """Give the slots that differ from what the page has; of "said" ones only the last's."""
        scene, _, name = (last or "").partition(".")
        wanted = f"{scene}.said.{name}"
        changed = {
            key: value
            for key, value in self._lesson.paint().items()
            if self._sent.get(key) != value and (".said." not in key or key == wanted)
        }
        self._sent = self._sent | changed
        return changed


class Dashboard(pn.viewable.Viewer):
    """The whole widget; displays itself in a notebook and under `panel serve`.

    Args:
        lesson: what to show; the default lesson when left out.
    """

    def __init__(self, lesson: Lesson | None = None, **params: Any) -> None:
        super().__init__(**params)
        self.lesson = lesson or Lesson()
        self.view = LessonView(self.lesson)

    @property
    def state(self) -> LessonState:
        """The main map's state."""
        return self.lesson.map_state

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view
