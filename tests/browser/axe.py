"""What does axe-core find wrong on a page for somebody who cannot see it or has no mouse?"""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

RULES: dict[str, Any] = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "resultTypes": ["violations"],
}
# Which of them look at colours, and may find something else in the dark.
COLOURS = RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}
RUN = "async (rules) => (await axe.run(document, rules)).violations"


def violations(place: Page | Frame, rules: dict[str, Any] = RULES) -> list[str]:
    """Return a line per violation, each with the first element that it concerns."""
    if not place.evaluate("() => 'axe' in window"):
        place.evaluate(Axe().axe_script)
    return [
        f"{v['id']}: {v['nodes'][0]['html'][:160]} {v['nodes'][0]['failureSummary'][:300]}"
        for v in place.evaluate(RUN, rules)
    ]
