"""How does a lesson live on a Panel server or in a notebook?"""

import json
from collections.abc import Mapping
from typing import Any

import panel as pn
import param

from attention_widget.assets import read_asset
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.codec import pack_slots
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.page.figures import plots_text
from attention_widget.widgets.page.markup import skeleton
from attention_widget.widgets.section.section import Slots

SCRIPTS = (
    "page/render.js",
    "live/codec.js",
    "section/controls.js",
    "page/address.js",
    "page/shell.js",
    "page/connect.js",
    "live/live.js",
)


class LessonView(pn.custom.JSComponent):
    """The page: markup, first paint and figures go out once; afterwards only what changed."""

    page = param.String(doc="Markup of the lesson, from `attention_widget.widgets.page.markup`.")
    plots = param.String(doc="JSON of the figures, from `attention_widget.widgets.page.figures`.")
    first = param.String(doc="JSON of every painted slot at the time the page is made.")

    _esm = "\n".join(read_asset(name) for name in SCRIPTS)
    _stylesheets = [read_asset("page/style.css")]  # noqa: RUF012 (Panel declares it so)

    def __init__(self, lesson: Lesson, **params: Any) -> None:
        self._lesson = lesson
        lesson.look()  # at what a link has set
        self._sent: Slots = lesson.render()
        self._places = {key: n for n, key in enumerate(self._sent)}
        super().__init__(
            page=skeleton(lesson),
            plots=plots_text(tuple(part.name for part in lesson.tabs)),
            sizing_mode="stretch_width",
            **params,
        )
        lesson.push = self.push

    def _get_model(self, *where: Any, **comm: Any) -> Any:
        with param.discard_events(self):  # another page of this view starts where the first one is
            self.first = json.dumps(self._sent, ensure_ascii=False, separators=(",", ":"))
        return super()._get_model(*where, **comm)

    def push(self) -> None:
        """Send what changed without having been asked, for work that goes on in the background."""
        self._answer(None, None)

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, Mapping):
            return
        self._lesson.act(data)
        last = data.get("last")
        last = last[:100] if isinstance(last, str) else None
        seq = data.get("seq")
        self._answer(seq if isinstance(seq, int) and abs(seq) < 2**53 else None, last)

    def _answer(self, seq: Any, last: str | None) -> None:
        before = self._sent
        changed = self.changes(last)
        paint = pack_slots(changed, before, self._places)
        self._send_msg({"seq": seq, "last": last, "paint": paint})

    def changes(self, last: str | None) -> Slots:
        """Return the slots that differ from what the page has; of announcements only the last's."""
        section, _, name = (last or "").partition(".")
        wanted = f"{section}.announcement.{name}"
        changed = {
            key: value
            for key, value in self._lesson.render().items()
            if (old := self._sent.get(key)) is not value
            and old != value
            and (".announcement." not in key or key == wanted)
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
