"""What can a visitor do to the server with Bokeh's own protocol? No more than with the page."""

import asyncio
import contextlib
import gc
import json
import logging
import random

import pytest
from tornado.websocket import websocket_connect

from attention_widget.widgets.live.dashboard import LessonView
from attention_widget.widgets.live.message_filter import is_action
from tests.live import junk
from tests.live.serving import play, serving
from tests.live.websocket import GoneError, Visitor


@pytest.fixture(autouse=True)
def nothing_went_wrong(caplog):
    """Whatever a test sends: no error, no traceback and no text of the visitor in the log."""
    yield
    for record in caplog.records:
        if record.levelno < logging.WARNING:
            continue
        text = record.getMessage()
        assert record.levelno == logging.WARNING, text
        assert record.exc_info is None, text
        assert text.isprintable(), text
        assert record.name == "tornado.access" or len(text) < 300, text


async def still_works(visitor):
    await visitor.act({"reset": "map"})
    answer = await visitor.act({"set": {"map.causal": True}, "last": "map.causal"})
    assert answer["slots"]["map.kpi.masked-cells"] == "15"


def changed(visitor, attr, new):
    return {"kind": "ModelChanged", "model": {"id": visitor.root}, "attr": attr, "new": new}


def named(name, values):
    message = {"type": "event", "name": name, "values": values}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": message}


def hostile_events(v):
    """Every way of the protocol to reach into a document, and a few that are none."""
    data = next(r for r in v.doc["roots"] if r["id"] == v.root)["attributes"]["data"]
    return [
        changed(v, "data", 5),
        changed(v, "esm", "window.hit = 1"),
        changed(v, "esm", 7),
        changed(v, "children", ["page"]),
        changed(v, "nothing", None),
        {**changed(v, "page", "<script>window.hit=1</script>"), "model": {"id": data["id"]}},
        {**changed(v, "first", {}), "model": {"id": data["id"]}},
        {**changed(v, "figures", []), "model": {"id": data["id"]}},
        {"kind": "RootRemoved", "model": {"id": v.root}},
        {"kind": "RootAdded", "model": {"type": "object", "name": "Plot", "id": "x"}},
        {"kind": "TitleChanged", "title": "<script>window.hit=1</script>"},
        {"kind": "TitleChanged", "title": 5},
        {"kind": "ColumnDataChanged", "model": {"id": v.root}, "attr": "data", "data": {}},
        {"kind": "ColumnsStreamed", "model": {"id": v.root}, "attr": "data", "data": 1},
        {"kind": "ColumnsPatched", "model": {"id": v.root}, "attr": "data", "patches": 1},
        {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": 5},
        {"kind": "nothing"},
        {},
        5,
        None,
        [],
        named("button_click", {"type": "map", "entries": [["model", {"id": v.root}]]}),
        named("connection_lost", {"type": "map"}),
        named("nothing", {"type": "map"}),
        named("data_event", {"type": "map"}),
        named("data_event", {"type": "map", "entries": [1, 2]}),
        named("document_ready", {"type": "map", "entries": [["x", 1]]}),
        v.event({}, values={"model": {"id": "p1"}}),
        v.event({}, values={"model": {"id": [1]}}),
        v.event({}, values={"model": v.root}),
        v.event({"set": {"type": "object", "name": "Plot", "id": "y"}}),
        v.event({"type": "ndarray", "array": "", "dtype": "object", "shape": [1], "order": "big"}),
        v.event(junk.nested(40)),
        v.event(5),
        v.event(None),
        v.event([]),
        v.event("text"),
    ]


def test_no_event_but_an_action_reaches_the_session():
    async def scenario():
        async with serving() as (port, _):
            visitor, other = await Visitor(port).open("?heads=2"), await Visitor(port).open()
            for event in hostile_events(visitor):
                reply = await visitor.ask("PATCH-DOC", {"events": [event]})
                assert reply == {}, event
            for content in ([], {}, 5, '"x"', {"events": None}, {"events": {}}, [[]] * 50):
                assert await visitor.ask("PATCH-DOC", content) == {}
            fresh = (await visitor.ask("PULL-DOC-REQ", {}))["doc"]
            assert fresh["title"] == visitor.doc["title"]
            assert [r["id"] for r in fresh["roots"]] == [r["id"] for r in visitor.doc["roots"]]
            assert "window.hit" not in json.dumps(fresh)
            await still_works(visitor)
            await still_works(other)

    play(scenario())


@pytest.mark.parametrize(
    "frames",
    [
        [b"\0\xff"],
        ["junk"] * 3,
        ["[" * 100_000 + "]" * 100_000] * 3,
        ["{}", "{}", "9" * 5000],
        ['{"msgid":"1","msgtype":"PATCH-DOC"}', "{}", "9" * 5000],
        ["5", "{}", "{}"],
        ['{"msgid":"1","msgtype":"PATCH-DOC"}', "{}", "null"],
        ['{"msgid":"1","msgtype":"NOPE"}', "{}", "{}"],
        ['{"msgid":"1","msgtype":["PATCH-DOC"]}', "{}", "{}"],
        ['{"msgid":"1","msgtype":"PUSH-DOC"}', "{}", '{"doc":{"roots":[],"title":"x"}}'],
        ['{"msgid":"1","msgtype":"PATCH-DOC","num_buffers":1000000}', "{}", '{"events":[]}'],
        ['{"msgid":"1","msgtype":"PATCH-DOC","num_buffers":"x"}', "{}", '{"events":[]}'],
        ['{"msgtype":"PATCH-DOC"}', "{}", '{"events":[]}'],
        ["a" * 1_100_000],
    ],
    ids=lambda frames: f"{len(frames)} of {frames[0][:40]!r}",
)
def test_what_is_no_message_ends_that_line_only(frames):
    async def scenario():
        async with serving() as (port, _):
            visitor, other = await Visitor(port).open(), await Visitor(port).open()
            with contextlib.suppress(GoneError):
                for frame in frames:
                    await visitor.raw(frame)
            with pytest.raises(GoneError):
                await visitor.ask("PULL-DOC-REQ", {})
            await still_works(other)
            await still_works(await visitor.connect())  # the session itself is unharmed

    play(scenario())


def test_a_line_needs_a_token_of_this_server():
    async def scenario():
        async with serving() as (port, _):
            visitor = await Visitor(port).open()
            good = visitor.token
            forged = "eyJzZXNzaW9uX2lkIjogImEiLCAic2Vzc2lvbl9leHBpcnkiOiA5OTk5OTk5OTk5fQ"
            tokens = ["junk", "e30", forged, f"{forged}.x", good[:-4], good.swapcase(), "a.b.c"]
            for token in tokens:
                socket = await websocket_connect(
                    f"ws://{visitor.host}/ws", subprotocols=["bokeh", token]
                )
                assert await asyncio.wait_for(socket.read_message(), 60) is None
            for protocols in ([], ["bokeh"], ["soap", good], ["bokeh", good, "x"]):
                socket = await websocket_connect(f"ws://{visitor.host}/ws", subprotocols=protocols)
                assert await asyncio.wait_for(socket.read_message(), 60) is None
            await still_works(visitor)

    play(scenario())


@pytest.mark.parametrize("name", ["bokeh-session-id", "bokeh-token"])
def test_a_link_cannot_lead_two_visitors_into_one_session(name):
    async def scenario():
        async with serving() as (port, server):
            first = await Visitor(port).open()
            (session,) = server.get_sessions("/app")
            taken = session.id if name == "bokeh-session-id" else first.token
            second = await Visitor(port).open(f"?{name}={taken}")
            assert second.root != first.root
            assert len(server.get_sessions("/app")) == 2

    play(scenario())


def test_a_header_cannot_lead_two_visitors_into_one_session():
    async def scenario():
        async with serving() as (port, server):
            await Visitor(port).open()
            (session,) = server.get_sessions("/app")
            answer = await Visitor(port).fetch(headers={"Bokeh-Session-Id": session.id})
            assert answer.code == 200
            assert len(server.get_sessions("/app")) == 2

    play(scenario())


def test_the_longest_sentence_of_a_link_arrives_whole():
    words = [letter * 24 for letter in "abcdefghijklmnop"]

    async def scenario():
        async with serving() as (port, _):
            visitor = await Visitor(port).open(f"?sentence={'%20'.join(words)}&heads=3")
            assert visitor.slots["map.control.sentence"]["value"] == " ".join(words)
            assert visitor.width == "4"

    play(scenario())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20260])
def test_fuzzed_addresses_give_a_page_or_a_refusal(seed):
    rng = random.Random(seed)
    names = [
        "heads",
        "sentence",
        "seed",
        "causal",
        "bokeh-session-id",
        "bokeh-autoload-element",
        "bokeh-absolute-url",
        "bokeh-app-path",
        "resources",
        "theme",
        "__proto__",
    ]

    def query():
        parts = []
        for _ in range(rng.randrange(6)):
            raw = junk.text(rng)[:300].encode("utf-8", "surrogatepass")
            word = "".join(f"%{b:02x}" if rng.random() < 0.97 else "%" for b in raw)
            parts.append(f"{rng.choice(names)}={word}")
        return "?" + "&".join(parts)

    async def scenario():
        async with serving() as (port, _):
            visitor = Visitor(port)
            for n in range(40):
                path = "/autoload.js" if n % 3 == 2 else ""
                address = path + query()
                answer = await visitor.fetch(address)
                assert answer.code in (200, 400), (address, answer.code)
                assert b"Traceback" not in answer.body
            for path in (
                "/autoload.js?bokeh-autoload-element=x&bokeh-absolute-url=http://[",
                "/metadata",
                "/nothing",
                "?sentence=" + "a" * 20_000,
            ):
                assert (await visitor.fetch(path)).code in (200, 400, 404), path
            assert (await visitor.fetch("", method="POST", body="x")).code == 405
            long = await Visitor(port).open("?" + "&".join(f"x{n}=%00" for n in range(600)))
            await still_works(long)

    play(scenario())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20261])
def test_fuzzed_messages_leave_a_session_that_works(seed):
    rng = random.Random(seed)

    async def scenario():
        async with serving() as (port, _):
            visitor, other = await Visitor(port).open(), await Visitor(port).open()
            for _ in range(250):
                data = {
                    rng.choice(
                        ("set", "reset", "act", "answer", "open", "restore", "seq")
                    ): wire_value(rng)
                    for _ in range(3)
                }
                event = visitor.event(data)
                if rng.random() < 0.5:
                    event = mutated(rng, event)
                await visitor.say("PATCH-DOC", {"events": [event]})
            await still_works(visitor)
            await still_works(other)

    play(scenario())


def wire_value(rng):
    """A value of `junk` that JSON can write."""
    while True:
        value = junk.value(rng)
        with contextlib.suppress(ValueError, RecursionError, TypeError):
            json.dumps(value)
            return value


def mutated(rng, value):
    """Return the JSON value with something in it replaced."""
    if rng.random() < 0.2 or not value or not isinstance(value, (dict, list)):
        return wire_value(rng)
    place = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place] = mutated(rng, copy[place])
    return copy


def is_safe(value):
    """Whether Bokeh makes nothing but texts, numbers, lists and mappings of it."""
    if isinstance(value, dict):
        return (
            set(value) <= {"type", "entries"}
            and value["type"] == "map"
            and all(isinstance(k, str) and is_safe(v) for k, v in value.get("entries", []))
        )
    return all(map(is_safe, value)) if isinstance(value, list) else True


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20262])
def test_of_20000_fuzzed_events_only_plain_actions_pass(seed):
    rng = random.Random(seed)
    visitor = Visitor(0)
    visitor.root = "p1"
    passed = 0
    for n in range(20_000):
        event = mutated(rng, visitor.event({"set": {"map.heads": wire_value(rng)}, "seq": n}))
        if rng.random() < 0.1:
            event = visitor.event({"set": {junk.text(rng): wire_value(rng)}})
        if not is_action(event, {"p1"}):
            continue
        passed += 1
        message = event["msg_data"]
        assert (event["kind"], event["msg_type"]) == ("MessageSent", "bokeh_event")
        if message["name"] == "data_event":
            (_, model), (_, data) = message["values"]["entries"]
            assert model == {"id": "p1"}
            assert isinstance(data, str)
    assert 1000 < passed < 15_000


def test_a_flood_in_one_session_leaves_the_others_their_turn(monkeypatch):
    handled = []
    hear = LessonView.hear

    def note(self, text):
        handled.append(json.loads(text))
        hear(self, text)

    monkeypatch.setattr(LessonView, "hear", note)

    async def scenario():
        async with serving() as (port, _):
            noisy, other = await Visitor(port).open(), await Visitor(port).open()
            for n in range(40):
                await noisy.say("PATCH-DOC", {"events": [noisy.event({"set": {}, "n": n})] * 20})
            await other.act({"open": "me"})
            while {"set": {}, "n": 39} not in handled:
                await noisy.hear()

    play(scenario())
    turn = next(n for n, data in enumerate(handled) if data.get("open") == "me")
    assert {"set": {}, "n": 39} in handled[turn:]
    assert len(handled) == 40 * 8 + 1, "of one message only a few events are taken"


def test_a_visitor_who_vanishes_leaves_no_memory_behind():
    async def scenario():
        async with serving() as (port, server):
            visitors = [await Visitor(port).open() for _ in range(3)]
            for visitor in visitors:
                await still_works(visitor)
            assert len(server.get_sessions("/app")) == 3
            for visitor in visitors:
                visitor.vanish()
            server._tornado._unused_session_lifetime_milliseconds = 0
            for _ in range(100):
                await server._tornado._cleanup_sessions()
                if not server.get_sessions("/app"):
                    break
                await asyncio.sleep(0.05)  # until the server has seen that the line is dead
            assert server.get_sessions("/app") == []

    gc.collect()
    before = sum(isinstance(thing, LessonView) for thing in gc.get_objects())
    play(scenario())
    gc.collect()
    assert sum(isinstance(thing, LessonView) for thing in gc.get_objects()) <= before
