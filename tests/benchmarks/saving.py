"""Does a learning system that stops the page for every save slow the controls down?"""

import tempfile
import zipfile
from pathlib import Path

from playwright.sync_api import Browser, Frame

from attention_widget.widgets.cli import main as widget
from attention_widget.widgets.recorded.scorm import PAGE
from tests.benchmarks.browser import chromium, fresh_page
from tests.benchmarks.figures import Figure, median, p95
from tests.browser.course import Site, lesson_frame, sites

SLOW = 300  # ms that a commit holds the page; a real one is a synchronous request
PLAYER = """<!doctype html><title>LMS</title><script>
  const cmi = {};
  window.commits = 0;
  window.waits = 0; // moves that were due while a commit held the page
  window.held = [];
  window.API = {LMSInitialize: () => "true", LMSFinish: () => "true", LMSGetLastError: () => "0",
    LMSGetValue: (name) => cmi[name] ?? "",
    LMSSetValue: (name, value) => (cmi[name] = value, "true"),
    LMSCommit() {
      commits++;
      const from = performance.now(), end = from + HOLD;
      while (performance.now() < end) { /* as it does */ }
      held.push([performance.timeOrigin + from, performance.timeOrigin + performance.now()]);
      return "true";
    }};
</script><iframe title="lesson" src="/lesson.html" width="1100" height="850"></iframe>"""


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures of a packed page in two players: one that saves at once, one slowly."""
    rounds, questions = (10 if quick else 30), 2
    times: dict[int, list[float]] = {0: [], SLOW: []}
    with tempfile.TemporaryDirectory() as folder, sites(1) as (site,), chromium() as browser:
        packed = Path(folder) / "lesson.zip"
        widget(["scorm", str(packed)])
        with zipfile.ZipFile(packed) as archive:
            site.put("/lesson.html", archive.read(PAGE))
        frames = {hold: open_player(browser, site, hold) for hold in times}
        for _ in range(rounds):  # in turns, so that a busy moment of the machine hits both
            for hold, frame in frames.items():
                frame.page.bring_to_front()
                times[hold] += frame.evaluate("n => measured.answering(n)", questions)
        commits = {hold: frame.page.evaluate("() => commits") for hold, frame in frames.items()}
        waits = frames[SLOW].page.evaluate("() => waits")
    if min(commits.values()) < rounds * questions / 2:
        raise RuntimeError(f"the answers were not saved, so nothing was measured: {commits}")
    note = "8 moves per answer, the first 0.3 to 3 s after it; from when the move was due"
    share = Figure(
        group="saving",
        name=f"moves that were due during a commit of {SLOW} ms",
        value=100 * waits / len(times[SLOW]),
        unit="%",
        against="the share that a 95th percentile leaves out",
        reference=5.0,
        limit=1.0,
        note=note,
    )
    paints = [
        Figure(
            group="saving",
            name=f"control to painted, commits of {SLOW} ms, {name}",
            value=of(times[SLOW]),
            unit="ms",
            against=f"commits of 0 ms, {name}",
            reference=of(times[0]),
            limit=limit,
            note=note,
        )
        for name, of, limit in (("median", median, None), ("95th percentile", p95, 1.1))
    ]
    return [share, *paints]


def open_player(browser: Browser, site: Site, hold: int) -> Frame:
    """Return the lesson's frame in a player whose commits take `hold` ms, after a warm-up."""
    page = fresh_page(browser)
    page.goto(site.put(f"/player-{hold}.html", PLAYER.replace("HOLD", str(hold))))
    frame = lesson_frame(page)
    frame.evaluate("() => measured.answering(2)")
    page.evaluate("() => { waits = 0; }")
    return frame
