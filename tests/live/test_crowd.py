"""Is nothing lost when many work at once, and is all freed when they leave?"""

import asyncio
import gc
import socket
import time
import weakref

from attention_widget.widgets.live.dashboard import LessonView
from tests.benchmarks.crowd import Outcome, gather_crowd, leave, work
from tests.live.serving import play, serving
from tests.live.websocket import Visitor

CROWD = 20
ANSWERED = 20  # s, within which an answer is there or lost


def test_twenty_students_at_once_each_get_their_own_answer():
    async def scenario() -> Outcome:
        outcome = Outcome()
        async with serving() as (port, _):
            crowd = await gather_crowd(port, CROWD, outcome)
            await work(crowd, 3, outcome)
            leave(crowd)
        return outcome

    outcome = play(scenario())
    assert len(outcome.answered) == CROWD * 3
    assert outcome.lost == 0


def test_who_acts_before_the_page_has_said_that_it_is_ready_gets_an_answer():
    async def scenario():
        async with serving() as (port, _):
            early = {"set": {"map.heads": 3}, "last": "map.heads"}
            visitor = await asyncio.wait_for(Visitor(port).open(first=early), ANSWERED)
            assert visitor.width == "4"
            for heads, width in ((4, "3"), (2, "6"), (1, "12")):
                await asyncio.wait_for(visitor.choose(heads), ANSWERED)
                assert visitor.width == width

    play(scenario())


def test_a_student_whose_line_takes_no_answer_fills_no_memory_and_keeps_nobody_waiting():
    async def scenario() -> None:
        said = 0
        async with serving() as (port, server):
            deaf, other = await gather_crowd(port, 2, Outcome())
            line = deaf._socket.protocol.stream.socket
            streams = [c._socket.ws_connection.stream for c in server._tornado._clients]
            for end in (line, *(stream.socket for stream in streams)):  # so that it is full soon
                end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

            async def shout() -> None:
                nonlocal said
                while True:
                    action = {"set": {"map.heads": said % 4 + 1}, "last": "map.heads"}
                    await deaf.say("PATCH-DOC", {"events": [deaf.event(action)]})
                    said += 1

            shouting = asyncio.create_task(shout())
            deadline, before = time.monotonic() + 120, -1
            while said != before:  # until the server takes no more either
                assert time.monotonic() < deadline, f"it still took more after {said} actions"
                before = said
                for heads in (2, 3):
                    answer = await other.act({"set": {"map.heads": heads}, "last": "map.heads"})
                    assert answer["slots"]["map.kpi.d-head"] == str(12 // heads)
                await asyncio.sleep(0.5)
            assert sum(len(stream._write_buffer) for stream in streams) < 1e6
            shouting.cancel()
            deaf.vanish()
            other.close()
        assert said > 20

    play(scenario())


def test_a_session_that_nobody_uses_any_more_is_freed_with_all_it_held(monkeypatch):
    held: list[weakref.ref[LessonView]] = []
    make = LessonView.__init__

    def note(self: LessonView, *args: object, **options: object) -> None:
        make(self, *args, **options)
        held.append(weakref.ref(self))

    monkeypatch.setattr(LessonView, "__init__", note)

    async def scenario() -> None:
        async with serving() as (port, server):
            contexts = server._tornado.applications.values()
            crowd = await gather_crowd(port, CROWD, Outcome())
            for visitor in crowd:
                await visitor.act({"set": {"map.causal": True}, "last": "map.causal"})
            assert len(held) == CROWD
            leave(crowd[:10])
            for visitor in crowd[10:]:
                visitor.vanish()
            deadline = time.monotonic() + 60
            while any(session.connection_count for c in contexts for session in c.sessions):
                assert time.monotonic() < deadline, "the server did not notice that they had gone"
                await asyncio.sleep(0.05)
            for context in contexts:
                await context._cleanup_sessions(0)
            while any(True for c in contexts for _ in c.sessions):
                assert time.monotonic() < deadline, "a session was not discarded"
                await asyncio.sleep(0.05)

    play(scenario())
    gc.collect()
    left = [ref for ref in held if ref() is not None]
    assert len(left) <= 1, "all but the one that a last frame may still hold"
