"""Does deploy/nginx.conf serve a class over two processes, and does losing one lose nothing?"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, Lesson, free_port
from tests.browser.test_faults import LOST, still_there, work
from tests.live.nginx import find_nginx, install_nginx

pytestmark = pytest.mark.browser

CHROMIUM = "Chrome/"  # a part of the name it gives itself
LINE = "$upstream_addr $uri $http_user_agent"  # of nginx's log


class Class:
    """nginx, as it is shipped but for ports and folders, before two processes.

    Attributes:
        url: of the page through nginx.
        processes: port -> process.
    """

    def __init__(self, folder: Path) -> None:
        self.nginx_port, *ports = (free_port() for _ in range(3))
        self.url = f"http://localhost:{self.nginx_port}/app"
        self.log = folder / "upstreams.log"
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        for port in ports:
            self.start(port)
        for port in ports:
            answer(f"http://localhost:{port}/app")
        conf = folder / "nginx.conf"
        conf.write_text(self._adapted(folder, ports), encoding="utf-8")
        directives = f"daemon off; pid {folder}/pid; error_log stderr;"
        if os.geteuid() == 0:
            directives += " user root;"  # the test's folder is its owner's alone
        else:
            kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
            conf.write_text(conf.read_text().replace("http {", "http { " + paths, 1))
        command = [find_nginx() or install_nginx(), "-p", str(folder), "-c", str(conf)]
        self.nginx = subprocess.Popen([*command, "-g", directives])
        answer(self.url)

    def _adapted(self, folder: Path, ports: list[int]) -> str:
        text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        for old, new in (
            ("listen 80;", f"listen 127.0.0.1:{self.nginx_port};"),
            ("server_name lesson.example.org;", "server_name localhost;"),
            ("127.0.0.1:5006", f"127.0.0.1:{ports[0]}"),
            ("127.0.0.1:5007", f"127.0.0.1:{ports[1]}"),
            ("/tmp/lesson-cache", f"{folder}/cache"),
            ("access_log off;", f"log_format up '{LINE}'; access_log {self.log} up;"),
        ):
            assert len(re.findall(re.escape(old) + r"(?! \\)", text)) >= 1, old
            text = text.replace(old, new)
        return text

    def start(self, port: int) -> None:
        code = "import sys; from attention_widget.widgets.cli import main; sys.exit(main())"
        options = ["--port", str(port), "--address", "127.0.0.1"]
        origin = ["--allow-origin", f"localhost:{self.nginx_port}"]
        self.processes[port] = subprocess.Popen(
            [sys.executable, "-c", code, "serve", *options, *origin],
            cwd=ROOT,
            env={**os.environ, "BOKEH_SECRET_KEY": "one-key-for-all-processes-of-this-test"},
            stdout=subprocess.DEVNULL,
        )

    def pages(self, agent: str) -> list[int]:
        """Return the ports of the processes that gave out a page, one per page.

        nginx writes its log after the answer: what another browser asked for may come late, so
        pages are told apart by who asked.

        Args:
            agent: a part of the browser's name.
        """
        lines = re.findall(r"^127\.0\.0\.1:(\d+) /app (.*)$", self.log.read_text(), re.MULTILINE)
        return [int(port) for port, name in lines if agent in name]

    def stop(self) -> None:
        for process in (self.nginx, *self.processes.values()):
            process.terminate()
        for process in (self.nginx, *self.processes.values()):
            process.wait(20)


def answer(url: str, **headers: str):
    """Ask until there is an answer."""
    deadline = time.monotonic() + 90
    while True:
        try:
            return urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60)
        except OSError:
            assert time.monotonic() < deadline, f"{url} does not answer"
            time.sleep(0.1)  # polling another process, not the page


@pytest.fixture
def class_of_two(tmp_path):
    running = Class(tmp_path)
    yield running
    running.stop()


def test_two_processes_behind_nginx_serve_a_class_and_losing_one_loses_nothing(
    class_of_two, browser
):
    page = answer(class_of_two.url, **{"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    policies = page.headers.get_all("Content-Security-Policy")
    assert policies == ["frame-ancestors 'self' https://course.example.org"]
    assert page.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert page.headers.get_all("Referrer-Policy") == ["strict-origin-when-cross-origin"]
    home = answer(class_of_two.url.replace("/app", "/"))
    assert home.url.endswith("/app")

    context = browser.new_context()
    kept: dict[str, dict[str, str]] = {}
    view = context.new_page()
    view.on("response", lambda r: kept.update({r.url: r.headers}))
    lesson = Lesson(view, class_of_two.url, "server").open()
    scripts = {url: h for url, h in kept.items() if "/static/js/bokeh.min.js" in url}
    assert scripts
    for headers in scripts.values():
        assert headers["content-encoding"] == "gzip"
        assert "max-age=315360000" in headers["cache-control"]
    work(lesson)  # over the websocket
    (used,) = set(class_of_two.pages(CHROMIUM))
    gone = class_of_two.processes[used]
    gone.send_signal(signal.SIGKILL)
    expect(view.locator("[data-connection]")).to_contain_text(LOST)
    expect(view.locator("[data-connection]")).to_be_hidden(timeout=60000)
    still_there(lesson)
    assert set(class_of_two.pages(CHROMIUM)) == set(class_of_two.processes)
    context.close()


def test_one_browser_stays_with_one_process_and_other_browsers_use_the_other(class_of_two):
    used = set()
    for agent in (f"Browser {n:02}" for n in range(24)):
        for _ in range(2):
            answer(class_of_two.url, **{"User-Agent": agent}).close()
        deadline = time.monotonic() + 20
        while len(class_of_two.pages(agent)) < 2:
            assert time.monotonic() < deadline
        assert len(set(class_of_two.pages(agent))) == 1, agent
        used.update(class_of_two.pages(agent))
    assert used == set(class_of_two.processes)


def test_a_file_of_the_page_is_asked_of_a_process_only_once(class_of_two):
    html = answer(class_of_two.url).read().decode()
    script = re.search(r'src="([^"]*bokeh\.min\.js[^"]*)"', html)
    assert script
    url = class_of_two.url.replace("/app", "/") + script[1]
    first = answer(url, **{"Accept-Encoding": "gzip"}).read()
    for process in class_of_two.processes.values():
        process.send_signal(signal.SIGSTOP)
    try:
        with contextlib.closing(answer(url, **{"Accept-Encoding": "gzip"})) as again:
            assert again.read() == first
    finally:
        for process in class_of_two.processes.values():
            process.send_signal(signal.SIGCONT)
