"""A server, a recorded file, a browser: made once a worker, shared by every browser test."""

import json
import math
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from attention_widget.widgets.map.arcs import filled
from tests.browser.chromium import FLAGS, find_chromium, install_chromium
from tests.looked_up import looked_up

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A `panel serve app.py` of its own."""

    def __init__(self, port: int, *options: str, env: dict[str, str] | None = None) -> None:
        self.port = port
        self.url = f"http://localhost:{port}/app"
        self.log = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "panel", "serve", "app.py", "--port", str(port), *options],
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(self.url, timeout=60).close()
                return
            except urllib.error.HTTPError as error:
                self.stop()
                raise AssertionError(f"the page answered {error.code}: {self.log}") from None
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.process.kill()
                    out = self.process.stdout.read() if self.process.stdout else ""
                    raise AssertionError(f"the server did not start: {out}") from None
                time.sleep(0.1)  # polling another process, not the page

    def stop(self) -> None:
        self.process.terminate()
        self.log, _ = self.process.communicate(timeout=20)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    running = Server(free_port())
    yield running
    running.stop()


@pytest.fixture(scope="session")
def recorded_file(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The default exported lesson; the first worker that needs it makes it for all."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent
    path, claim = folder / "lesson.html", folder / "lesson.claim"
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        deadline = time.monotonic() + 240
        while not path.exists():
            assert time.monotonic() < deadline, "the other worker did not finish the export"
            time.sleep(0.2)
        return path
    from attention_widget.widgets.cli import main

    assert main(["export", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=find_chromium() or install_chromium(), args=FLAGS
        )
        yield running
        running.close()


class Pages:
    """Pages to open a lesson in, kept for the next test with the same options of a context.

    A context of its own costs as much processor time as the lesson that is opened in it. A page
    comes back empty and as it was made: what the lesson has stored is deleted, nobody listens or
    answers for the network any more, and size and scheme are those of its options.
    """

    MOST = 4  # kept at once

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._kept: list[tuple[str, Page]] = []

    def take(self, **options: Any) -> Page:
        """Return a page at nowhere, in a context that no other test uses now."""
        for n, (kind, page) in enumerate(self._kept):
            if kind == repr(sorted(options.items())):
                del self._kept[n]
                return page
        return self.browser.new_context(**options).new_page()

    def give_back(self, page: Page, home: str, **options: Any) -> None:
        """Keep a page that is open no more; `home` is an empty page with the lesson's storage."""
        page.goto(home)
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.context.clear_cookies()
        page.unroute_all()
        page.set_viewport_size(options.get("viewport", {"width": 1280, "height": 720}))
        page.emulate_media(
            media="null",
            color_scheme=options.get("color_scheme", "light"),
            reduced_motion=options.get("reduced_motion", "no-preference"),
            forced_colors=options.get("forced_colors", "none"),
        )
        self._kept.append((repr(sorted(options.items())), page))
        while len(self._kept) > self.MOST:
            self._kept.pop(0)[1].context.close()


@pytest.fixture(scope="session")
def pages(browser: Browser) -> Pages:
    return Pages(browser)


class Lesson:
    """A page with the lesson on it, as a student sees it, and what its console said."""

    def __init__(self, page: Page, url: str, host: str) -> None:
        self.page, self.url, self.host = page, url, host
        self.console: list[str] = []
        self.requests: list[str] = []
        page.add_init_script("window.strictNames = true")
        self._ears = {
            "console": lambda m: self._hear(m.type, m.text),
            "pageerror": lambda e: self.console.append(f"error: {e}"),
            "request": lambda r: self.requests.append(r.url),
        }
        for event, ear in self._ears.items():
            page.on(event, ear)

    def leave(self) -> None:
        """Listen to the page no more."""
        for event, ear in self._ears.items():
            self.page.remove_listener(event, ear)

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.console.append(f"{kind}: {text}")

    def open(self, query: str = "") -> "Lesson":
        self.page.goto(self.url + query)
        self.page.wait_for_selector("[data-ready=true]", state="attached", timeout=30000)
        self.settle()
        self.page.evaluate(OPEN_CONTROLS)
        return self

    def settle(self) -> None:
        self.page.wait_for_function(SETTLED)

    def address(self) -> str:
        """Return the page's address, once what the student did is written into it."""
        self.page.wait_for_function("() => !attentionWidget.busy() && !attentionWidget.linkDue")
        return self.page.url

    def dispatch(self, action: dict[str, Any]) -> None:
        self.page.evaluate("(action) => attentionWidget.dispatch(action)", action)
        self.settle()

    def set(self, **values: Any) -> None:
        """Move controls of the map as their events would, all at once."""
        self.page.evaluate(SET_CONTROLS, values)
        self.settle()

    def kpi(self, key: str) -> str:
        return self.page.locator(f"[data-kpi={key}]").inner_text()

    def kpi_becomes(self, key: str, text: str) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator(f"[data-kpi={key}]")).to_have_text(text)

    def drawn(self) -> dict[str, Any]:
        """What is really on the page: texts of slots, attributes, columns of sources."""
        return json.loads(self.page.evaluate(READ_PAGE))

    def switch(self, name: str) -> Any:
        return self.page.get_by_role("switch", name=name)

    def slider(self, name: str) -> Any:
        return self.page.get_by_role("slider", name=name, exact=True)


SETTLED = """() => {
  const page = window.attentionWidget;
  if (page?.wrong) throw new Error(page.wrong);
  return page && !page.busy();
}"""
OPEN_CONTROLS = "() => { attentionWidget.root.querySelector('.more-controls').open = true; }"

SET_CONTROLS = """(values) => {
  for (const [name, value] of Object.entries(values)) {
    const el = attentionWidget.controls.get(name.includes('.') ? name : 'map.' + name);
    const kind = el.dataset.kind;
    if (kind === 'switch') el.checked = value;
    else if (kind === 'range' || kind === 'text') el.value = value;
    else if (kind === 'choice') {
      const radio = [...el.querySelectorAll('input')].find((r) => r.value === value);
      radio.checked = true;
      radio.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
      continue;
    } else {
      el.dataset.value = value - 1;
      el.click();
      continue;
    }
    const type = kind === 'text' ? 'change' : 'input';
    el.dispatchEvent(new Event(type, {bubbles: true, composed: true}));
  }
}"""

READ_PAGE = """() => {
  const page = attentionWidget, out = {texts: {}, columns: {}, controls: {}, tables: {}};
  for (const [key, els] of page.targets) {
    if (typeof page.slots[key] === 'string' || page.slots[key]?.fill)
      out.texts[key] = els.map((el) => el.textContent);
    else if (Array.isArray(page.slots[key])) out.tables[key] = els.map((el) => el.textContent);
  }
  for (const [name, model] of page.models) {
    if (model.type !== 'ColumnDataSource') continue;
    const data = model.data instanceof Map ? Object.fromEntries(model.data) : model.data;
    for (const [c, v] of Object.entries(data)) out.columns[`source:${name}.${c}`] = [...v];
  }
  for (const [name, el] of page.controls) out.controls[name] = el.dataset.value;
  return JSON.stringify(out);
}"""


def text_of(nodes: Any) -> str:
    """The text content that nested ["tag", {}, ...] nodes must have."""
    if isinstance(nodes, str):
        return nodes
    return "".join(text_of(child) for child in nodes[2:])


def js_text(value: Any) -> str:
    """How JavaScript writes a control's value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def chosen_part(paint: dict[str, Any], value: Any) -> Any:
    """What the page shows of a slot of which a control chooses a part."""
    if isinstance(value, dict) and "like" in value:
        same = chosen_part(paint, paint[value["like"]])
        return f"{value['first']} {same}" if "first" in value else same
    if not isinstance(value, dict) or "by" not in value:
        return looked_up(paint, value)
    at = paint[value["by"]]["value"] - 1
    if "fill" in value:
        return filled(value["of"][at], paint[value["fill"]])
    if "of" in value:
        return value["of"][at]
    cells = np.array(paint[value["row_of"]], dtype=float)
    return cells.reshape(math.isqrt(len(cells)), -1)[at].tolist()


def assert_drawn(drawn: dict[str, Any], paint: dict[str, Any]) -> None:
    """Compare the page with what Python paints; announcements have no place of their own."""
    compared = 0
    for key, whole in paint.items():
        value = chosen_part(paint, whole)
        if key in drawn["texts"]:
            text = value if isinstance(value, str) else "".join(map(text_of, value))
            assert drawn["texts"][key] == [text] * len(drawn["texts"][key]), key
        elif key in drawn["tables"]:
            assert drawn["tables"][key] == ["".join(map(text_of, value))] * len(
                drawn["tables"][key]
            ), key
        elif key in drawn["columns"]:
            column = drawn["columns"][key]
            assert column == (value if isinstance(value, list) else [value] * len(column)), key
        elif ".control." in key and (name := key.replace(".control.", ".")) in drawn["controls"]:
            assert drawn["controls"][name] == js_text(value["value"]), key
        else:
            continue
        compared += 1
    assert compared > 40, "too few slots were compared for this to mean anything"


@pytest.fixture
def visit(pages: Pages, tmp_path: Path) -> Iterator[Callable[..., Lesson]]:
    """Open a lesson at an address in a page that is like new."""
    made: list[tuple[Lesson, dict[str, Any]]] = []

    def make(url: str, host: str, query: str = "", **context: Any) -> Lesson:
        lesson = Lesson(pages.take(**context), url, host)
        made.append((lesson, context))
        return lesson.open(query)

    yield make
    for lesson, context in made:
        lesson.leave()
        home = f"{lesson.url}/nowhere"
        if lesson.host == "file":
            (tmp_path / "empty.html").touch()
            home = (tmp_path / "empty.html").as_uri()
        pages.give_back(lesson.page, home, **context)


@pytest.fixture(params=["server", "file"])
def open_lesson(
    request: pytest.FixtureRequest, visit: Callable[..., Lesson]
) -> Callable[..., Lesson]:
    """Open the lesson in either host; the file has every network request blocked."""

    def make(query: str = "", **context: Any) -> Lesson:
        if request.param == "server":
            url = request.getfixturevalue("server").url
        else:
            url = request.getfixturevalue("recorded_file").as_uri()
            context["offline"] = True
        context.setdefault("viewport", {"width": 1200, "height": 900})
        return visit(url, request.param, query, **context)

    return make
