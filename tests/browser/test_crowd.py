"""Is nothing lost when many work at once, when a line is slow, and when students leave?"""

import asyncio
import gc
import time
import weakref

import pytest

from tests.benchmarks.crowd import Outcome, gather_crowd, leave, work
from tests.benchmarks.slow import HOLD, RATE, ROUND_TRIP
from tests.benchmarks.throttle import slow_line
from tests.browser.conftest import Lesson
from widgets.dashboard import LessonView
from widgets.server import ServerSettings, make_server

CROWD = 20


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

    outcome = asyncio.run(scenario())
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

    asyncio.run(scenario())
    gc.collect()
    left = [ref for ref in held if ref() is not None]
    assert len(left) <= 1, "all but the one that a last frame may still hold"


@pytest.mark.browser
def test_a_key_held_on_a_slow_line_ends_where_the_student_let_go(browser, server):
    with slow_line(server.port, RATE, ROUND_TRIP) as line:
        page = browser.new_context().new_page()
        page.set_default_timeout(120_000)
        meter = page.context.new_cdp_session(page)
        meter.send("Network.enable")
        sent: list[str] = []
        meter.on("Network.webSocketFrameSent", lambda e: sent.append(e["response"]["payloadData"]))
        lesson = Lesson(page, server.url, "server")
        lesson.url = f"http://localhost:{line.port}/app"
        page.route("**/static/**", lambda route: route.continue_(
            url=route.request.url.replace(str(line.port), str(server.port))))
        lesson.open()
        sent.clear()
        _, moved, shown, note = page.evaluate(HOLD, 3000)
        questions = sum("map.dropout" in frame for frame in sent)
        assert moved >= 20
        assert 2 <= questions < moved / 2, "what came before the answer was gathered, not queued"
        assert (shown, note) == ("0.7", "1/(1−p) = 3.33")
        lesson.kpi_becomes("survivors", "× 3.33")
        page.context.close()
