"""Course pages for the tests: web sites of different origins, and a page that frames the lesson."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.sync_api import Frame, Page

from attention_widget.widgets.checkpoint.machine import Open, earned
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.steps import STEPS
from tests.checkpoint.student import GRADED, KEYS, Bench, moves, next_answer


class Site:
    """A web site of its own origin; what is posted to it is kept."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.posted: list[Any] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body, headers = site.files.get(self.path.split("?")[0], (b"", {}))
                self.send_response(200 if body else 404)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"]))
                site.posted.append(json.loads(text))
                body = b'{"result": true, "errorCode": 0}'
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def put(self, path: str, body: str | bytes, **headers: str) -> str:
        """Offer a file and give its address; header names are written with "_" for "-"."""
        kinds = {"js": "text/javascript", "html": "text/html; charset=utf-8"}
        words = {"Content-Type": kinds[path.rsplit(".", 1)[-1]]}
        words |= {name.replace("_", "-"): value for name, value in headers.items()}
        self.files[path] = (body.encode() if isinstance(body, str) else body, words)
        return self.origin + path

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def sites(count: int) -> Iterator[list[Site]]:
    made = [Site() for _ in range(count)]
    yield made
    for site in made:
        site.close()


# Everything the lesson says to its host is kept; `answer` is what SPLICE.getState gets.
EAR = """<script>
window.heard = [];
addEventListener("message", (event) => {
  const frame = document.querySelector("iframe");
  if (event.source !== frame?.contentWindow) return;
  heard.push(event.data);
  if (event.data.subject === "SPLICE.getState" && "answer" in window) {
    event.source.postMessage({subject: "SPLICE.getState.response",
      message_id: event.data.message_id, state: window.answer}, "*");
  }
});
</script>"""


def host_page(body: str, answer: Any = ...) -> str:
    """A page around `body`; without an answer the host does not speak SPLICE."""
    word = "" if answer is ... else f"<script>window.answer = {json.dumps(answer)};</script>"
    return (
        f'<!doctype html><html lang="en"><head><title>Course</title>'
        f'<link rel="icon" href="data:,">{word}{EAR}</head>'
        f"<body><h1>Course</h1>{body}</body></html>"
    )


def lesson_frame(page: Page) -> Frame:
    """The frame's lesson, ready."""
    handle = page.wait_for_selector("iframe", state="attached")
    frame = handle.content_frame() if handle else None
    assert frame is not None
    frame.wait_for_selector("[data-ready=true]", state="attached", timeout=30000)
    return frame


def heard(page: Page, subject: str) -> list[dict[str, Any]]:
    everything: list[dict[str, Any]] = page.evaluate("() => window.heard")
    return [m for m in everything if m["subject"] == subject]


def wait_heard(page: Page, subject: str, count: int) -> list[dict[str, Any]]:
    page.wait_for_function(
        "([subject, count]) => heard.filter((m) => m.subject === subject).length >= count",
        arg=[subject, count],
    )
    return heard(page, subject)


ALL = len(GRADED)


class Student:
    """Does the checkpoint step by step in a page or a frame, with the actions of its controls."""

    def __init__(self, place: Page | Frame, graded: int = ALL) -> None:
        self.place, self.bench = place, Bench()
        self.steps = STEPS[: KEYS.index(GRADED[graded - 1]) + 1]  # those that the page has

    def dispatch(self, action: dict[str, Any]) -> None:
        self.place.evaluate("(action) => attentionWidget.dispatch(action)", action)
        self.place.wait_for_function("() => !attentionWidget.busy()")

    def earn(self, steps: int = 1) -> "Student":
        for n in range(steps):
            bench = self.bench
            if n == 0 and record_of(self.place).split(";")[2] not in GRADED:
                self.dispatch({"open": GRADED[0], "last": "checkpoint.open"})
            if earned(bench.now):
                key = KEYS[bench.progress.at + 1]
                bench.do(Open(key))
                self.dispatch({"open": key, "last": "checkpoint.open"})
            key = KEYS[bench.progress.at]
            for controls, answer in moves(bench):
                if earned(bench.now):
                    break
                bench.do(**controls)
                self.dispatch({"set": {f"map.{name}": v for name, v in controls.items()}})
                if answer is not None and not earned(bench.now):
                    bench.answer(answer)
                    self.dispatch({"answer": [key, answer], "last": "checkpoint.answer"})
            while not earned(bench.now) and (said := next_answer(bench)) is not None:
                bench.answer(said)
                self.dispatch({"answer": [key, said], "last": "checkpoint.answer"})
            assert earned(bench.now), bench.now
            there = record_of(self.place)
            progress = replace(bench.progress, states=bench.progress.states[: len(self.steps)])
            assert there == to_text(progress, self.steps), there
        return self


def record_of(place: Page | Frame) -> str:
    return str(place.evaluate("() => attentionWidget.slots['checkpoint.record'].value"))


def earned_record(steps: int) -> str:
    """The record of a student who has just earned so many steps, with nothing else done."""
    bench = Bench()
    for key in GRADED[:steps]:
        bench.do(Open(key))
        for controls, answer in moves(bench):
            if not earned(bench.now):
                bench.do(**controls)
                if answer is not None and not earned(bench.now):
                    bench.answer(answer)
    return to_text(bench.progress, STEPS)


OPTIONS = re.compile(r'(<script type="application/json" id="lesson-options">).*?(</script>)', re.S)


def with_options(text: str, options: str) -> str:
    """The exported file after somebody changed its options with a text editor."""
    changed, count = OPTIONS.subn(lambda m: m[1] + options + m[2], text, count=1)
    assert count == 1
    return changed
