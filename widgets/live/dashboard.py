"""How does a lesson live on a Panel server or in a notebook?

The state drives the page: whoever changes a parameter, the student or Python, one message follows
with the slots that differ. Only the sections that were touched are rendered and compared.
"""

import json
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any

import panel as pn
import param
from bokeh.events import ModelEvent

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.page.figures import plots_text
from attention_widget.widgets.page.markup import DEFAULT_SCORE, MarkupOptions, skeleton
from attention_widget.widgets.page.scripts import page_scripts
from attention_widget.widgets.page.style import page_style
from attention_widget.widgets.section.section import Slots


class LessonAction(ModelEvent):
    """What a student did, as JSON; heard by the model itself, without Panel's busy indicator."""

    event_name = "lesson_action"

    def __init__(self, model: Any, text: str) -> None:
        super().__init__(model=model)
        self.text = text


class LessonView(pn.custom.JSComponent):
    """The page: markup, first slots and figures go out once; afterwards only what changed."""

    page = param.String(doc="Markup of the lesson, from `attention_widget.widgets.page.markup`.")
    plots = param.String(doc="JSON of the figures, from `attention_widget.widgets.page.figures`.")
    first = param.String(doc="JSON of every slot at the time the page is made.")
    answer = param.String(doc="The last answer, where a host hands on no messages.")
    recording = param.String(doc="Id of an element beside it that holds a recording, if any.")
    stale = param.Boolean(default=False, doc="Slots have changed since `first`: a page asks anew.")

    _esm = page_scripts("live/recording.js", "live/live.js")
    _stylesheets = [page_style()]  # noqa: RUF012 (Panel declares it so)

    by_messages = True  # else by the parameter `answer`

    def __init__(self, lesson: Lesson, score: str = DEFAULT_SCORE, **params: Any) -> None:
        self._lesson = lesson
        lesson.look()  # at what a link has set
        self._sent: Slots = lesson.render()
        self._touched: set[str] = set()
        self._acting = False
        self._lock = threading.RLock()  # Panel may run a user's own callbacks on other threads
        super().__init__(
            page=skeleton(lesson, MarkupOptions(score=score)),
            plots=plots_text(tuple(part.name for part in lesson.tabs)),
            first=as_json(self._sent),
            sizing_mode="stretch_width",
            **params,
        )
        for name, section in lesson.sections.items():
            parameters = [p for p in section.state.param if p != "name"]
            section.state.param.watch(partial(self._touch, name), parameters)
        self.on_msg(self._begin)

    def renew(self) -> None:
        """Let the next page start from what there is now."""
        with self._lock, param.discard_events(self):  # pages that are there know it
            if self.stale:
                self.first, self.stale = as_json(self._sent), False

    def hear(self, text: object) -> None:
        """Carry out an action, JSON from a page, and answer it; what is none is passed over."""
        action = read_action(text)
        if action is None:
            return
        with self._lock:
            self._acting = True
            try:
                self._touched |= self._lesson.act(action)
            finally:
                self._acting = False
            if action.get("all") is True:
                self._touched |= self._lesson.sections.keys()
                self._sent = {}
            seq, last = action.get("seq"), action.get("last")
            self._answer(
                seq if isinstance(seq, int) and abs(seq) < 2**53 else None,
                last[:100] if isinstance(last, str) else None,
            )

    def changes(self, last: str | None) -> Slots:
        """Return the slots that differ from what the page has; of announcements only the last's."""
        section, _, name = (last or "").partition(".")
        wanted = f"{section}.announcement.{name}"
        touched, self._touched = self._touched | self._lesson.followed(), set()
        changed = {
            key: value
            for key, value in self._lesson.render(touched).items()
            if (old := self._sent.get(key)) is not value
            and old != value
            and (".announcement." not in key or key == wanted)
        }
        self._sent |= changed
        return changed

    def _begin(self, event: Any) -> None:
        # The first message comes Panel's way and brings the model, which then listens itself.
        def listen() -> None:
            if LessonAction.event_name not in event.model.subscribed_events:
                event.model.on_event(LessonAction, lambda action: self.hear(action.text))
                event.model.document.callbacks.subscribe(LessonAction.event_name, event.model)

        # In a turn of its own: a message that came before the page was ready is heard without the
        # document's lock, and Bokeh then refuses any change of a model.
        pn.state.execute(listen, schedule=True)
        self.hear(event.data)

    def _touch(self, section: str, *_: Any) -> None:
        with self._lock:
            self._touched.add(section)
            if not self._acting and not self._lesson.following:  # else an answer will hold it
                self._lesson.act({})
                self._answer(None, None)

    def _answer(self, seq: int | None, last: str | None) -> None:
        changed = self.changes(last)
        if changed and not self.stale:
            with param.discard_events(self):  # of no interest to the pages that are there
                self.stale = True
        if changed or seq is not None:
            self._tell(as_json({"seq": seq, "last": last, "slots": changed}))

    def _tell(self, text: str) -> None:
        if self.by_messages:
            self._send_msg(text)
        else:
            self.answer = text


def as_json(value: object) -> str:
    """Return compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_action(text: object) -> Mapping[str, Any] | None:
    """Return the action that a message holds, or None."""
    try:
        action = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    return action if isinstance(action, dict) else None


class Dashboard(pn.viewable.Viewer):
    """The whole widget; displays itself in a notebook and under `panel serve`.

    Args:
        lesson: what to show; the default lesson when left out.
        score: which figure a course page gets, "mastery" or "completion".
    """

    def __init__(
        self, lesson: Lesson | None = None, score: str = DEFAULT_SCORE, **params: Any
    ) -> None:
        super().__init__(**params)
        self.lesson = lesson or Lesson()
        self.view = LessonView(self.lesson, score)

    @property
    def state(self) -> LessonState:
        """The main map's state; what is set here changes the page."""
        return self.lesson.map_state

    def __panel__(self) -> pn.viewable.Viewable:
        self.view.renew()
        return self.view
