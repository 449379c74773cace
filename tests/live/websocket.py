"""A visitor without a browser: Bokeh's own messages over a real websocket."""

import json
import re
from typing import Any

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, WebSocketClosedError, websocket_connect

TOKEN = re.compile(r'"token":\s*"([^"]+)"')
PATIENCE = 90


class GoneError(Exception):
    """The server has closed the line."""


class Visitor:
    """One open session.

    Attributes:
        root: id of the lesson's model in this session.
        token: opens the session's websocket.
        doc: the document as it was pulled.
        slots: what the page has been given to paint.
    """

    root: str
    token: str
    doc: dict[str, Any]
    slots: dict[str, Any]
    _socket: WebSocketClientConnection
    _sent = 0
    _begun = False

    def __init__(self, port: int) -> None:
        self.host = f"localhost:{port}/app"

    async def fetch(self, query: str = "", **options: Any) -> Any:
        """Get the page, whatever its status."""
        request = HTTPRequest(f"http://{self.host}{query}", request_timeout=PATIENCE, **options)
        return await AsyncHTTPClient().fetch(request, raise_error=False)

    async def open(self, query: str = "", **options: Any) -> "Visitor":
        """Get the page, open its websocket and pull the document; `options` are `connect`'s."""
        found = TOKEN.search((await self.fetch(query)).body.decode())
        assert found, "the page has no token"
        self.token = found[1]
        return await self.connect(**options)

    async def connect(self, *, first: dict[str, Any] | None = None) -> "Visitor":
        """Open the websocket, pull the document and say that it is ready.

        `first` is an action that the page takes before that, as a slow machine's does.
        """
        # Compressed both ways, as browsers do.
        self._socket = await websocket_connect(
            f"ws://{self.host}/ws",
            subprotocols=["bokeh", self.token],
            max_message_size=10**8,
            compression_options={},
        )
        self._socket.protocol.set_nodelay(True)  # as browsers do
        assert (await self.hear())[0] == "ACK"
        self.doc = (await self.ask("PULL-DOC-REQ", {}))["doc"]
        self._begin()
        ready = {"type": "event", "name": "document_ready", "values": {"type": "map"}}
        message = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ready}
        if first is None:
            await self.ask("PATCH-DOC", {"events": [message]})
        else:
            await self.act(first, message)
        return self

    def _begin(self) -> None:
        root = next(r for r in self.doc["roots"] if r["name"].endswith("ReactiveESM"))
        self.root = root["id"]
        self.slots = json.loads(root["attributes"]["data"]["attributes"]["first"])

    @property
    def width(self) -> str:
        """What the page shows as the width of a head."""
        return str(self.slots["map.kpi.d-head"])

    async def choose(self, heads: int) -> None:
        """Move the slider of heads, and wait for what comes of it."""
        await self.act({"set": {"map.heads": heads}, "last": "map.heads"})

    def close(self) -> None:
        self._socket.close()

    def vanish(self) -> None:
        """Drop the line without a word."""
        self._socket.protocol.stream.close()

    async def raw(self, frame: str | bytes) -> None:
        """Send one frame, whatever it holds.

        Raises:
            GoneError: the line was closed.
        """
        try:
            await self._socket.write_message(frame, binary=isinstance(frame, bytes))
        except WebSocketClosedError:
            raise GoneError from None

    async def say(self, kind: str, content: Any) -> str:
        """Send a message; give its id."""
        self._sent += 1
        header = {"msgid": str(self._sent), "msgtype": kind}
        for part in (header, {}, content):
            await self.raw(part if isinstance(part, str) else json.dumps(part))
        return str(self._sent)

    async def hear(self) -> tuple[str, str | None, Any]:
        """Wait for a message; give its type, what it answers and its content.

        Raises:
            GoneError: the line was closed.
        """
        header = json.loads(await self._frame())
        await self._frame()
        content = json.loads(await self._frame())
        for _ in range(header.get("num_buffers", 0)):
            await self._frame(), await self._frame()
        return header["msgtype"], header.get("reqid"), content

    async def ask(self, kind: str, content: Any) -> Any:
        """Send a message and wait for what answers it."""
        sent = await self.say(kind, content)
        while True:
            _, answers, content = await self.hear()
            if answers == sent:
                return content

    async def act(self, action: dict[str, Any], *beside: dict[str, Any]) -> dict[str, Any]:
        """Do what the page does for a student's action; return the rendered answer.

        `beside` are events that travel in the same message, after the action.
        """
        mine = 10**9 + self._sent
        event = self.event({**action, "seq": mine})
        await self.say("PATCH-DOC", {"events": [event, *beside]})
        while True:
            kind, _, content = await self.hear()
            for event in content.get("events", ()) if kind == "PATCH-DOC" else ():
                self._begun |= event.get("attr") == "subscribed_events"
                if event.get("msg_data", {}).get("name") == "esm_event":
                    answer = dict(json.loads(plain(event["msg_data"]["values"])["data"]))
                    self.slots |= answer["slots"]
                    if answer["seq"] == mine:
                        return answer

    def event(self, data: Any, **changes: Any) -> dict[str, Any]:
        """Return the event that carries an action, with `changes` to it.

        The first one goes to Panel, which hands it on; the later ones go to the model.
        """
        name, key = ("lesson_action", "text") if self._begun else ("data_event", "data")
        text = json.dumps(data) if isinstance(data, (dict, list)) else data
        values = {"model": {"id": self.root}, key: text, **changes.pop("values", {})}
        message = {"type": "event", "name": name, "values": mapped(values)}
        return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": message, **changes}

    async def _frame(self) -> str:
        frame = await self._socket.read_message()
        if frame is None:
            raise GoneError
        return frame if isinstance(frame, str) else frame.decode()


def mapped(value: Any) -> Any:
    """Write mappings as the protocol does, but for references."""
    if isinstance(value, dict) and set(value) != {"id"}:
        return {"type": "map", "entries": [[k, mapped(v)] for k, v in value.items()]}
    return [mapped(v) for v in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Undo `mapped`."""
    if isinstance(value, dict) and value.get("type") == "map":
        return {k: plain(v) for k, v in value.get("entries", [])}
    return [plain(v) for v in value] if isinstance(value, list) else value
