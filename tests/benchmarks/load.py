"""How heavy is the page, and when does its first control work on a slow line?"""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from attention_widget.widgets.cli import main as widget
from tests.benchmarks.browser import chromium, fresh_page
from tests.benchmarks.figures import Figure, median
from tests.benchmarks.serving import PLAIN, file_served, panel_serve, widget_serve
from tests.benchmarks.throttle import slow_line
from tests.browser.conftest import free_port

RATE, ROUND_TRIP = 10e6, 0.040  # bits a second, seconds


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures of the first load."""
    rounds, between = 2 if quick else 5, free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        panel_serve(PLAIN) as plain,
        widget_serve(through=between) as ours,
        chromium() as browser,
    ):
        path = Path(folder) / "lesson.html"
        widget(["export", str(path)])
        with file_served(path) as file_port:
            hosts = {
                "plain": (plain.port, "plain_app"),
                "server": (ours.port, "app"),
                "file": (file_port, ""),
            }
            loads: dict[str, list[tuple[float, float, int]]] = {name: [] for name in hosts}
            for _ in range(rounds):  # in turns
                for name, (port, path_part) in hosts.items():
                    loads[name].append(one_load(browser, port, path_part, between))
        offline = [open_offline(browser, path) for _ in range(rounds)]
    times, weights, requests = (
        {name: median(load[i] for load in all_) for name, all_ in loads.items()} for i in range(3)
    )
    figures = [
        Figure(
            group="load",
            name=f"first control works at 10 Mbit/s and 40 ms, {name}",
            value=times[name],
            unit="s",
            against=against,
            reference=times[reference],
            limit=limit,
        )
        for name, against, reference, limit in (
            ("server", "plain panel serve", "plain", 0.55),
            ("file", "server", "server", 1.0),
        )
    ]
    figures.append(
        Figure(
            group="load",
            name="first control works, file:// with all network blocked",
            value=median(offline),
            unit="s",
            against="two seconds",
            reference=2.0,
            limit=1.0,
        )
    )
    for name in ("server", "file"):
        figures += [
            Figure(
                group="load",
                name=f"page weight on the wire, {name}",
                value=weights[name],
                unit="MB",
                against="plain panel serve",
                reference=weights["plain"],
            ),
            Figure(
                group="load",
                name=f"requests, {name}",
                value=requests[name],
                unit="",
                against="plain panel serve",
                reference=requests["plain"],
            ),
        ]
    return figures


def open_offline(browser: Browser, path: Path) -> float:
    """Open the file itself, without a network; give seconds until its first control works."""
    page = fresh_page(browser)
    page.context.set_offline(True)
    page.goto(path.as_uri(), wait_until="commit")
    took = float(page.evaluate("() => measured.firstControl()"))
    page.context.close()
    return took / 1000


def one_load(browser: Browser, port: int, path: str, between: int) -> tuple[float, float, int]:
    """Load a page with an empty cache; give seconds, megabytes on the wire and requests."""
    with slow_line(port, RATE, ROUND_TRIP, between) as line:
        page = fresh_page(browser)
        asked: list[str] = []
        page.on("request", lambda r: asked.append(r.url) if r.url.startswith("http") else None)
        page.goto(f"http://localhost:{line.port}/{path}", wait_until="commit")
        took = page.evaluate("() => measured.firstControl()")
        page.context.close()
        return took / 1000, line.carried / 1e6, len(asked)
