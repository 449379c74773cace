"""Is nothing lost when many work at once, and is all freed when they leave?"""

import asyncio
import gc
import time
import weakref
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.benchmarks.crowd import Outcome, gather_crowd, leave, work
from widgets.dashboard import LessonView
from widgets.server import ServerSettings, make_server

CROWD = 20


def play(scenario: Coroutine[Any, Any, Any]) -> Any:
    """Run it on a thread of its own: a browser test may have left a loop on this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scenario).result()


def test_twenty_students_at_once_each_get_their_own_answer():
    async def scenario() -> Outcome:
        server = make_server(ServerSettings(port=0, address="localhost"))
        server.start()
        outcome = Outcome()
        try:
            crowd = await gather_crowd(server.port, CROWD, outcome)
            await work(crowd, 3, outcome)
            leave(crowd)
        finally:
            server.stop()
        return outcome

    outcome = play(scenario())
    assert len(outcome.answered) == CROWD * 3
    assert outcome.lost == 0


def test_a_session_that_nobody_uses_any_more_is_freed_with_all_it_held(monkeypatch):
    held: list[weakref.ref[LessonView]] = []
    make = LessonView.__init__

    def note(self: LessonView, *args: object, **options: object) -> None:
        make(self, *args, **options)
        held.append(weakref.ref(self))

    monkeypatch.setattr(LessonView, "__init__", note)

    async def scenario() -> None:
        server = make_server(ServerSettings(port=0, address="localhost"))
        server.start()
        contexts = server._tornado.applications.values()
        try:
            crowd = await gather_crowd(server.port, CROWD, Outcome())
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
        finally:
            server.stop()

    play(scenario())
    gc.collect()
    left = [ref for ref in held if ref() is not None]
    assert len(left) <= 1, "all but the one that a last frame may still hold"
