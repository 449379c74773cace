"""Does the page follow the state when Python sets it, and does Python see what the student does?"""

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocket

from attention_widget.widgets.live.dashboard import Dashboard
from tests.browser.conftest import Lesson, assert_drawn

pytestmark = pytest.mark.browser


class Cell:
    """A lesson on a page of Chromium, and its dashboard as a cell of Python has it."""

    def __init__(self, browser: Browser, port: int, made: list[Dashboard]) -> None:
        page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
        self.answers: list[dict[str, object]] = []
        page.on("websocket", self._listen)
        self.lesson = Lesson(page, f"http://localhost:{port}/cell", "server").open()
        (self.dashboard,) = made

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        if '"esm_event"' not in text:
            return
        for event in json.loads(text)["events"]:
            if event.get("msg_data", {}).get("name") == "esm_event":
                values = dict(event["msg_data"]["values"]["entries"])
                self.answers.append(json.loads(values["data"]))

    def shows(self, section: str, name: str, value: object) -> None:
        """Wait until the page has that value of a control."""
        self.lesson.page.wait_for_function(
            "([key, value]) => attentionWidget.slots[key].value === value",
            arg=[f"{section}.control.{name}", value],
        )


@pytest.fixture
def cell(browser: Browser) -> Iterator[Cell]:
    from panel.io.server import get_server

    made: list[Dashboard] = []
    begun, ended, ports = threading.Event(), asyncio.Event(), []

    def page() -> None:
        made.append(Dashboard())
        made[-1].servable()

    async def serve() -> None:
        server = get_server({"cell": page}, port=0, address="localhost")
        server.start()
        ports.append((server.port, asyncio.get_running_loop()))
        begun.set()
        await ended.wait()
        server.stop()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert begun.wait(60)
    port, loop = ports[0]
    on_page = Cell(browser, port, made)
    yield on_page
    on_page.lesson.page.context.close()
    loop.call_soon_threadsafe(ended.set)
    thread.join(60)


def test_every_parameter_of_every_section_set_in_python_changes_the_page_in_one_message(
    cell: Cell,
) -> None:
    sections = cell.dashboard.lesson.sections
    cell.dashboard.state.heads = 4  # so that another head can be viewed
    cell.shows("map", "heads", 4)
    changed = 0
    for section in sections.values():
        for name in section.names:
            now = getattr(section.state, name)
            others = [v for v in section.control(name).values() if v != now]
            value = others[0] if others else {"sentence": "the river is red", "seed": 11}[name]
            if (section.name, name) == ("map", "heads"):
                value = 3
            before = len(cell.answers)
            setattr(section.state, name, value)
            cell.shows(section.name, name, value)
            assert len(cell.answers) == before + 1, (section.name, name)
            changed += 1
    assert changed > 30
    assert cell.lesson.page.locator("[data-kpi=masked-cells]").inner_text() == "6"  # of 4 words
    assert_drawn(cell.lesson.drawn(), cell.dashboard.lesson.render())
    assert cell.lesson.console == []


def test_several_parameters_at_once_are_one_message(cell: Cell) -> None:
    before = len(cell.answers)
    cell.dashboard.state.param.update(causal=True, heads=3, head=2)
    cell.lesson.kpi_becomes("masked-cells", "15")
    cell.lesson.kpi_becomes("d-head", "4")
    assert len(cell.answers) == before + 1


def test_a_watcher_sees_a_click(cell: Cell) -> None:
    seen, heard = [], threading.Event()

    def follow(event: object) -> None:
        seen.append(event)
        heard.set()

    cell.dashboard.state.param.watch(follow, "causal")
    for on in (True, False):  # the first goes by Panel's event, the second by the model's own
        heard.clear()
        cell.lesson.switch("Causal mask").click()
        cell.lesson.kpi_becomes("masked-cells", "15" if on else "0")
        assert heard.wait(30)
        assert (seen[-1].name, seen[-1].new) == ("causal", on)
    assert len(seen) == 2
    model = "Bokeh.documents[0].roots()[0].subscribed_events"
    assert cell.lesson.page.evaluate(f"() => {model}.has('lesson_action')")
    assert cell.lesson.console == []
