"""Does a key held on a slow line build up a backlog? The page ends where the student let go."""

import pytest

from tests.benchmarks.slow import HOLD, RATE, ROUND_TRIP
from tests.benchmarks.throttle import slow_line
from tests.browser.conftest import Lesson

pytestmark = pytest.mark.browser


def test_a_key_held_on_a_slow_line_ends_where_the_student_let_go(browser, server):
    with slow_line(server.port) as line:
        page = browser.new_context().new_page()
        page.set_default_timeout(120_000)
        meter = page.context.new_cdp_session(page)
        meter.send("Network.enable")
        sent: list[str] = []
        meter.on("Network.webSocketFrameSent", lambda e: sent.append(e["response"]["payloadData"]))
        lesson = Lesson(page, server.url, "server")
        lesson.url = f"http://localhost:{line.port}/app"
        page.route(
            "**/static/**",
            lambda route: route.continue_(
                url=route.request.url.replace(str(line.port), str(server.port))
            ),
        )
        lesson.open()
        line.slow_down(RATE, ROUND_TRIP)
        sent.clear()
        _, moved, shown, note = page.evaluate(HOLD, 3000)
        questions = sum("map.dropout" in frame for frame in sent)
        assert moved >= 20
        assert 2 <= questions < moved / 2, "what came before the answer was gathered, not queued"
        assert (shown, note) == ("0.7", "1/(1−p) = 3.33")
        lesson.kpi_becomes("survivors", "× 3.33")
        page.context.close()
