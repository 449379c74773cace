"""Does every grade arrive, whatever line, session and student do, and is it said when one has not?

The lesson's own scripts against a pretended learning system; see `moodle_habits.js`.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from attention_widget.assets import read_asset
from attention_widget.widgets.page.saving import SAVING
from attention_widget.widgets.page.scripts import SCRIPTS
from attention_widget.widgets.recorded.export import HOST

pytestmark = pytest.mark.browser
HABITS = (Path(__file__).parent / "moodle_habits.js").read_text(encoding="utf-8")
PARTS = [name for name in (*SCRIPTS, *HOST) if name.startswith(("page/saving/", "recorded/scorm/"))]
VERSIONS = ["1.2", "2004"]
EVENTS = [
    *["earn"] * 6,
    *["soon", "later", "long", "down", "up", "logout", "login", "hide", "show", "reload"],
    *["reopen", "close", "kill", "open", "preview", "away", "back", "restart"],
]


@pytest.fixture(scope="module")
def simulate(browser):
    page = browser.new_page()
    scripts = "\n".join(read_asset(name) for name in PARTS)
    page.evaluate(
        "([habits, scripts, words]) => { window.simulate = eval(habits)(scripts, words); }",
        [HABITS, scripts, SAVING],
    )

    def run(version, *events, **habits):
        given_ = {"version": version, "events": list(events), **habits}
        return page.evaluate("(given) => window.simulate(given)", given_)

    yield run
    page.close()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "events",
    [
        ["earn"] * 7 + ["long"],
        ["earn"] * 6 + ["later", "down", "earn", "later", "up", "long"],  # the last score is lost
        ["earn"] * 6 + ["later", "down", "earn", "kill"],
        ["earn", "later", "logout", "earn", "earn", "later", "kill", "login"],
        ["earn", "later", "logout", "login", "earn", "earn", "long", "close"],
        ["earn", "later", "reload", "earn", "later", "kill"],
        ["earn", "later", "reopen", "earn", "later", "kill"],
        ["earn", "later", "away", "back", *["earn"] * 5, "later"],
        ["earn", "close", "preview", *["earn"] * 7, "later", "close"],
        ["earn", "down", "hide", "later", "show", "up", "later"],
        [*["earn"] * 7, "later", "restart", "earn", "later"],
        ["down", "reload", "up", "kill"],  # a unit that ends without a status may be completed
    ],
    ids=lambda events: " ".join(events)[:70],
)
@pytest.mark.parametrize("habits", [{}, {"throws": True}, {"lies": True}, {"slow": 300}], ids=str)
def test_a_grade_arrives(simulate, version, events, habits):
    assert simulate(version, *events, **habits)["wrong"] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_many_changes_are_few_commits(simulate, version):
    assert simulate(version, *["earn", "soon"] * 7)["commits"] <= 5


@pytest.mark.parametrize("version", VERSIONS)
def test_whatever_happens_a_grade_arrives_and_what_is_not_saved_is_said(simulate, version):
    @seed(12)
    @settings(
        max_examples=1000,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(
        events=st.lists(st.sampled_from(EVENTS), min_size=1, max_size=30),
        stores=st.sampled_from([True, True, False]),
        throws=st.booleans(),
        lies=st.booleans(),
        deaf=st.booleans(),
        slow=st.sampled_from([0, 300]),
    )
    def check(events, **habits):
        done = simulate(version, *events, **habits)
        assert done["wrong"] == []
        assert len(done["text"]) <= 4096

    check()
