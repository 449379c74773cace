"""Does an arrow key that is held on a very slow line end where the student let go?"""

from tests.benchmarks.browser import chromium
from tests.benchmarks.figures import Figure, median, p95
from tests.benchmarks.page import READY, open_page
from tests.benchmarks.serving import widget_serve
from tests.benchmarks.throttle import slow_line
from tests.browser.conftest import free_port

RATE, ROUND_TRIP = 400e3, 0.400

# Thirty times a second, as a keyboard repeats, there and back; then the time until all is settled.
HOLD = """async (held) => {
  const page = attentionWidget, el = page.controls.get("map.dropout");
  page.dispatch({set: {"map.training": true}, last: "map.training"});
  const idle = () => new Promise((done) => {
    const look = () => page.busy() ? setTimeout(look, 5) : done();
    look();
  });
  await idle();
  const sent = performance.now();
  let n = 0;
  while (performance.now() - sent < held) {
    const up = Math.floor(n / 9) % 2 === 0;
    el.value = ((up ? n % 9 + 1 : 8 - n % 9) / 10).toFixed(1);
    el.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
    n++;
    await new Promise((done) => setTimeout(done, 33));
  }
  el.value = "0.7";
  el.dispatchEvent(new Event("input", {bubbles: true, composed: true}));
  const released = performance.now();
  const right = () => page.slots["map.readout.dropout"] === "0.7" && !page.busy();
  while (!right()) await new Promise((done) => setTimeout(done, 5));
  return [performance.now() - released, n, el.value, page.slots["map.note.survivors"]];
}"""


def measure(*, quick: bool) -> list[Figure]:
    """Return how long after the release the page shows the right state."""
    times, between = [], free_port()
    with (
        widget_serve(through=between) as server,
        slow_line(server.port, RATE, ROUND_TRIP, between) as line,
        chromium() as browser,
    ):
        page = open_page(browser, f"http://localhost:{line.port}/app", READY)
        for _ in range(2 if quick else 6):
            took, _, value, note = page.evaluate(HOLD, 3000)
            if (value, note) != ("0.7", "1/(1−p) = 3.33"):
                raise SystemExit(f"the page ended at {value} and {note}, not at 0.7")
            times.append(took / 1000)
    rest = "after three seconds of a held key, 400 kbit/s and 400 ms"
    return [
        Figure(
            group="slow",
            name=f"right state {rest}, worst",
            value=max(times),
            unit="s",
            against="one second",
            reference=1.0,
            limit=1.0,
        ),
        Figure(
            group="slow",
            name=f"right state {rest}, median",
            value=median(times),
            unit="s",
            against="a round trip",
            reference=ROUND_TRIP,
            note=f"p95 {p95(times):.2f} s",
        ),
    ]
