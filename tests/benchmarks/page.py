"""How long is it from a control to the pixel, and how much goes over the line for that?"""

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from attention_widget.widgets.cli import main as widget
from tests.benchmarks.browser import Meter, chromium, fresh_page
from tests.benchmarks.figures import Figure, median, p95
from tests.benchmarks.serving import LESSON, NAIVE, panel_serve, widget_serve
from tests.benchmarks.throttle import slow_line
from tests.browser.conftest import free_port

FRAME = 1000 / 60
SWEPT = 700.0  # ms: the mask's sweep stands still by then
READY = "() => window.attentionWidget && !attentionWidget.busy()"
DRAWN = "() => window.Bokeh?.documents?.[0]?.is_idle"


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures of one page on this machine."""
    rounds, count = (1, 20) if quick else (3, 60)
    between = free_port()
    times: dict[str, list[float]] = {"naive": [], "server": [], "file": [], "floor": []}
    sweeps: dict[str, list[float]] = {"server": [], "file": []}
    with (
        tempfile.TemporaryDirectory() as folder,
        panel_serve(NAIVE) as naive,
        panel_serve(LESSON) as server,
        widget_serve(through=between) as compressed,
        slow_line(compressed.port, port=between) as line,
        chromium() as browser,
    ):
        file = Path(folder) / "lesson.html"
        widget(["export", str(file)])
        pages = {
            "naive": open_page(browser, naive.url, DRAWN),
            "server": open_page(browser, server.url, READY),
            "file": open_page(browser, file.as_uri(), READY),
        }
        meters = {name: Meter(pages[name]) for name in ("naive", "server")}
        for page in pages.values():  # the first time everything is cold
            play(page, "naive" if page is pages["naive"] else "lesson", 4)
        for meter in meters.values():
            meter.bytes = 0
        for _ in range(rounds):  # in turns, so that a busy moment of the machine hits all
            for name, page in pages.items():
                page.bring_to_front()
                times[name] += play(page, "naive" if name == "naive" else "lesson", count)
            times["floor"] += pages["file"].evaluate("n => measured.floor(n)", count)
        for name, seen in sweeps.items():
            pages[name].bring_to_front()
            seen += pages[name].evaluate("n => measured.sweeps(n)", count // 2)
        payload = {name: meter.bytes / rounds / count for name, meter in meters.items()}
        through_line = open_page(browser, f"http://localhost:{line.port}/app", READY)
        meter, before = Meter(through_line), line.carried
        through_line.evaluate("n => measured.varied(n)", 120)
        payload["varied"] = meter.bytes / 120
        payload["wire"] = (line.carried - before) / 120
    return figures(times | {f"sweep, {name}": seen for name, seen in sweeps.items()}, payload)


def open_page(browser: Browser, url: str, ready: str) -> Page:
    """Open a page of its own and wait until its controls work."""
    page = fresh_page(browser)
    page.goto(url)
    page.wait_for_function(ready)
    return page


def play(page: Page, kind: str, count: int) -> Any:
    """Move controls `count` times; give the times, ms."""
    return page.evaluate("([kind, n]) => measured.interactions(kind, n)", [kind, count])


def figures(times: dict[str, list[float]], payload: dict[str, float]) -> list[Figure]:
    """Turn what was measured into figures."""
    floor = times["floor"]

    def figure(name: str, value: float, against: str, reference: float, **more: Any) -> Figure:
        unit = more.pop("unit", "ms")
        return Figure(
            group="page",
            name=name,
            value=value,
            unit=unit,
            against=against,
            reference=reference,
            **more,
        )

    kb = {name: size / 1000 for name, size in payload.items()}
    return [
        figure(
            "control to painted, server, median",
            median(times["server"]),
            "naive, median",
            median(times["naive"]),
            limit=0.2,
        ),
        figure(
            "control to painted, server, 95th percentile",
            p95(times["server"]),
            "four frames",
            4 * FRAME,
            limit=1.0,
        ),
        figure(
            "control to painted, server, median",
            median(times["server"]),
            "floor, median",
            median(floor),
        ),
        figure(
            "control to painted, file, 95th percentile",
            p95(times["file"]),
            "floor, 95th percentile, and a frame",
            p95(floor) + FRAME,
            limit=1.0,
        ),
        figure(
            "control to painted, file, median",
            median(times["file"]),
            "floor, median",
            median(floor),
        ),
        *(
            figure(
                f"mask to the end of the sweep, {name}, 95th percentile",
                p95(times[f"sweep, {name}"]),
                "700 ms",
                SWEPT,
                limit=1.0,
            )
            for name in ("server", "file")
        ),
        figure(
            "bytes an interaction, mask and heads, uncompressed",
            kb["server"],
            "3 kB",
            3.0,
            unit="kB",
        ),
        figure(
            "bytes an interaction, mask and heads, uncompressed",
            kb["server"],
            "naive",
            kb["naive"],
            unit="kB",
        ),
        figure(
            "bytes an interaction, any control, uncompressed",
            kb["varied"],
            "3 kB",
            3.0,
            unit="kB",
        ),
        figure(
            "bytes an interaction, any control, as attention-widget serve sends it",
            kb["wire"],
            "3 kB",
            3.0,
            unit="kB",
            limit=1.0,
        ),
    ]
