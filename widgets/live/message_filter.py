"""What may a visitor's browser send? The page's address and the student's actions, nothing else.

Bokeh's protocol would also let a browser rewrite every model of its session. This page never has
to, so everything but an action is passed over, and what is no message at all ends the line, with
one line in the log. No detail of a failure goes back to the visitor.
"""

import json
import logging
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit

from bokeh.server.urls import per_app_patterns
from panel.io.server import AutoloadJsHandler, DocHandler, WSHandler
from tornado.web import HTTPError

from attention_widget.widgets.map.state import LessonState

EVENTS = 8  # of one message; the page sends one
ACTIONS = frozenset((("data_event", "data"), ("lesson_action", "text")))  # the first, the others
LONGEST_ACTION = 20_000  # characters
LONGEST = 600  # characters of a query's value that are looked at
READ = frozenset(LessonState().values())
BOKEH = frozenset(("bokeh-autoload-element", "bokeh-app-path", "bokeh-absolute-url", "resources"))
log = logging.getLogger(__name__)


def is_action(event: Any, models: Collection[str]) -> bool:
    """Say whether an event is an action for one of the models, or the sign of a ready page."""
    match event:
        case {
            "kind": "MessageSent",
            "msg_type": "bokeh_event",
            "msg_data": {"type": "event", "name": str(name), "values": {"type": "map", **values}},
        }:
            match values:
                case {"entries": [["model", {"id": str(model), **more}], [str(key), str(text)]]}:
                    known = (name, key) in ACTIONS and model in models and not more
                    return known and len(text) <= LONGEST_ACTION
            return name == "document_ready" and not values
    return False


def filtered(header: str, content: str, models: Collection[str]) -> tuple[str, str]:
    """Return what Bokeh may read of a message: header and content, with actions as events.

    Raises:
        ValueError: it is none of the messages that a page sends.
        RecursionError: it is nested too deep to be read.
    """
    match json.loads(header):
        case {"msgid": str(name), "msgtype": "PULL-DOC-REQ" | "PATCH-DOC" as kind, **more}:
            if more.get("num_buffers", 0) != 0:
                raise ValueError("a message with binary parts")
        case _:
            raise ValueError("a message that no page sends")
    kept: list[Any] = []
    match json.loads(content):
        case None:
            raise ValueError("a message without content")
        case {"events": list(events)} if kind == "PATCH-DOC":
            kept = [event for event in events if is_action(event, models)][:EVENTS]
    body = {"events": kept} if kind == "PATCH-DOC" else {}
    return json.dumps({"msgid": name, "msgtype": kind}), json.dumps(body)


class LessonSocket(WSHandler):
    """The line of one page."""

    def open(self, *args: Any, **kwargs: Any) -> None:
        """Let in whoever shows a token that this server gave out."""
        self._frames: list[str] = []
        self._over = False
        try:
            super().open(*args, **kwargs)
            self.set_nodelay(True)  # an answer is several small frames: none waits for another
        except Exception as error:  # a token may be any text
            self._end(error)

    async def on_message(self, fragment: str | bytes) -> None:
        """Gather a message; hand it on as far as it is an action, or end the line."""
        if self._over:
            return
        try:
            if not isinstance(fragment, str) or self.connection is None:
                raise ValueError("a frame that no page sends")
            self._frames.append(fragment)
            if len(self._frames) < 3:  # header, metadata, content
                return
            (header, _, content), self._frames = self._frames, []
            models = {root.id for root in self.connection.session.document.roots}
            header, content = filtered(header, content, models)
        except Exception as error:  # whatever it was, it was none of our page's messages
            self._end(error)
            return
        for part in (header, "{}", content):
            await super().on_message(part)

    async def send_message(self, message: Any) -> None:
        """Send a message of Bokeh's, without the detail of a failure."""
        if message.msgtype == "ERROR":
            message.content = {"text": "The server could not do that.", "traceback": None}
        await super().send_message(message)

    def _end(self, error: Exception) -> None:
        self._over = True
        log.warning("a visitor's line was ended: %s", type(error).__name__)
        self.close(1008)


class _Guarded:
    """Leaves out of an address what the lesson does not read, above all somebody else's session,
    and tells browsers who may frame the page.
    """

    request: Any
    settings: Any
    set_header: Callable[[str, str], None]
    read = READ

    def set_default_headers(self) -> None:
        """Set what goes with every answer, a refusal too."""
        super().set_default_headers()  # type: ignore[misc]
        ancestors = self.settings.get("frame_ancestors")
        if ancestors is not None:
            self.set_header("Content-Security-Policy", f"frame-ancestors {' '.join(ancestors)}")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "strict-origin-when-cross-origin")

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Answer the address as far as it is read."""
        self.request.arguments = {
            name: [values[0].decode(errors="replace")[:LONGEST].encode()]
            for name, values in self.request.arguments.items()
            if name in self.read
        }
        self.request.query = ""  # Panel would read it, too, and log what it cannot parse
        self.request.headers.pop("Bokeh-Session-Id", None)
        await super().get(*args, **kwargs)  # type: ignore[misc]


class LessonPage(_Guarded, DocHandler):
    """The page of a visitor, who brings no session along."""


class LessonScript(_Guarded, AutoloadJsHandler):
    """The script that puts the lesson into another page."""

    read = READ | BOKEH

    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Write the script, unless what is asked for is no address."""
        try:
            urlsplit(self.get_argument("bokeh-absolute-url", ""))
        except ValueError:
            raise HTTPError(400) from None
        await super().get(*args, **kwargs)


def guard_routes() -> None:
    """Put these handlers before every lesson that a server of this process will serve."""
    guarded = {WSHandler: LessonSocket, DocHandler: LessonPage, AutoloadJsHandler: LessonScript}
    per_app_patterns[:] = [(path, guarded.get(kind, kind)) for path, kind, *_ in per_app_patterns]
