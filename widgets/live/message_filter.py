"""What may a visitor's browser send? The page's address and the student's actions, nothing else.

Bokeh's protocol would also let a browser rewrite every model of its session. This page never has
to, so everything but an action is passed over, and what is no message at all ends the line, with
one line in the log. No detail of a failure goes back to the visitor.
"""

import logging
from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from bokeh.server.urls import per_app_patterns
from panel.io.server import AutoloadJsHandler, DocHandler, WSHandler
from tornado.web import HTTPError

from attention_widget.widgets.map.state import LessonState

EVENTS = 8  # of one message; the page sends one
DEPTH = 6  # of {"set": {control: value}, ...} and its like, with room
LONGEST = 600  # characters of a query's value that are looked at
READ = frozenset(LessonState().values())
BOKEH = frozenset(("bokeh-autoload-element", "bokeh-app-path", "bokeh-absolute-url", "resources"))
log = logging.getLogger(__name__)


def is_plain(value: Any, depth: int = DEPTH) -> bool:
    """Say whether what came holds only texts, numbers, lists and mappings, not too deep."""
    if isinstance(value, dict):
        entries = value.get("entries", [])
        if value.get("type") != "map" or len(value) > 2 or not isinstance(entries, list):
            return False
        pairs = all(isinstance(e, list) and len(e) == 2 and isinstance(e[0], str) for e in entries)
        return pairs and depth > 0 and all(is_plain(e[1], depth - 1) for e in entries)
    if isinstance(value, list):
        return depth > 0 and all(is_plain(item, depth - 1) for item in value)
    return value is None or isinstance(value, (bool, int, float, str))


def is_action(event: Any, models: Collection[str]) -> bool:
    """Say whether an event is an action for one of the models, or the sign of a ready page."""
    match event:
        case {
            "kind": "MessageSent",
            "msg_type": "bokeh_event",
            "msg_data": {"type": "event", "name": str(name), "values": {"type": "map", **values}},
        }:
            match name, values:
                case "document_ready", {}:
                    return not values
                case "data_event", {"entries": [["model", {"id": str(model), **more}], [key, it]]}:
                    return model in models and not more and key == "data" and is_plain(it)
    return False


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

    async def _receive(self, fragment: str | bytes) -> Any:
        if self._over:
            return None
        try:
            if not isinstance(fragment, str):
                raise ValueError("a binary frame")
            self._frames.append(fragment)
            if len(self._frames) < 3:  # header, metadata, content
                return None
            message = self.connection.protocol.assemble(*self._frames)
            self._frames = []
            if not message.complete or message.msgtype not in ("PULL-DOC-REQ", "PATCH-DOC"):
                raise ValueError("a message that no page sends")
            return message
        except Exception as error:  # whatever it was, it was none of our page's messages
            return self._end(error)

    async def _handle(self, message: Any) -> Any:
        if message.msgtype == "PATCH-DOC":
            content = message.content if isinstance(message.content, dict) else {}
            events = content.get("events")
            models = {root.id for root in self.connection.session.document.roots}
            kept = [e for e in events if is_action(e, models)] if isinstance(events, list) else []
            message.content = {"events": kept[:EVENTS]}
        reply = await super()._handle(message)
        if reply is not None and reply.msgtype == "ERROR":
            reply.content = {"text": "The server could not do that.", "traceback": None}
        return reply

    def _end(self, error: Exception) -> None:
        self._over = True
        log.warning("a visitor's line was ended: %s", type(error).__name__)
        self.close(1008)


class _Known:
    """Leaves out of an address what the lesson does not read, above all somebody else's session."""

    request: Any
    read = READ

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


class LessonPage(_Known, DocHandler):
    """The page of a visitor, who brings no session along."""


class LessonScript(_Known, AutoloadJsHandler):
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
