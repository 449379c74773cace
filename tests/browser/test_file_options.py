"""What do a teacher's options do in the file, also when they were changed with a text editor?"""

import json
import re

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.checkpoint.steps import steps_about
from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.cli import main
from attention_widget.widgets.lesson import TABS
from tests.browser.course import ALL, Student, with_options
from tests.checkpoint.student import GRADED

pytestmark = pytest.mark.browser
ATTACK = "</script><script>window.hit=1</script><img src=x onerror=window.hit=1>"


@pytest.fixture
def changed(visit, recorded_file, tmp_path):
    """Open the exported file with other options in it."""

    def make(options, query="", base=recorded_file):
        text = options if isinstance(options, str) else json.dumps(options)
        path = tmp_path / "lesson.html"
        path.write_text(with_options(base.read_text("utf-8"), text), encoding="utf-8")
        return visit(path.as_uri(), "file", query, offline=True)

    return make


def problems(lesson):
    return lesson.page.locator('[data-slot="lesson.problems"]')


def test_the_exported_file_carries_its_options_for_a_text_editor(recorded_file):
    start = recorded_file.read_text("utf-8").split('id="lesson-options">', 1)
    assert "<script" not in start[0].split("<body>")[1].replace(
        '<script type="application/json" ', ""
    ), "they stand first in the body, where they are found"
    options = json.loads(start[1].split("</script>", 1)[0])
    assert re.fullmatch("attention-[0-9a-f]{16}", options.pop("name"))
    assert options == {"preset": {}, "lock": [], "parts": [part.name for part in TABS]}


def test_a_preset_is_the_start_and_where_reset_goes_back_to(changed):
    lesson = changed({"preset": {"map.causal": True, "map.head": 2, "map.heads": 3}})
    lesson.kpi_becomes("masked-cells", "15")
    lesson.kpi_becomes("d-head", "4")
    assert lesson.slider("Viewing head").input_value() == "2"
    lesson.switch("Causal mask").click()
    lesson.slider("Heads").press("Home")
    lesson.kpi_becomes("masked-cells", "0")
    lesson.kpi_becomes("d-head", "12")
    lesson.page.get_by_role("button", name="Reset", exact=True).first.click()
    lesson.kpi_becomes("masked-cells", "15")
    lesson.kpi_becomes("d-head", "4")
    assert lesson.slider("Viewing head").input_value() == "2"
    lesson.settle()
    assert "?" not in lesson.address(), "a link holds only what differs from the preset"
    assert lesson.console == []


@pytest.mark.parametrize(
    ("options", "score"), [({}, "mastery"), ({"score": "completion"}, "completion")]
)
def test_which_figure_a_course_gets_is_said_before_the_first_question(changed, options, score):
    lesson = changed(options)
    expect(lesson.page.locator("[data-score]")).to_have_text(SCORES[score])
    expect(lesson.page.locator("[data-score]")).to_be_visible()
    lesson.dispatch({"open": "read"})
    lesson.dispatch({"answer": ["read", "no"]})
    for answer in ("next", "no"):  # and right in a new case
        lesson.dispatch({"answer": ["read", answer]})
    facts = lesson.page.evaluate("() => attentionWidget.slots['checkpoint.record']")
    assert facts["mastery"] == facts["completion"] / 2 == 0.5 / len(GRADED)
    shelf = "() => localStorage.length && JSON.parse(Object.values(localStorage)[0]).best"
    lesson.page.wait_for_function(f"(best) => ({shelf})() === best", arg=facts[score])


@pytest.mark.parametrize("value", [True, 1, "1", "on"])
def test_a_preset_may_be_written_as_a_link_writes_it(changed, value):
    changed({"preset": {"map.causal": value}}).kpi_becomes("masked-cells", "15")


def test_a_locked_control_cannot_be_moved_by_any_way_in(changed):
    lesson = changed(
        {"preset": {"map.heads": 4, "map.head": 2}, "lock": ["map.head", "map.stage"]},
        "?head=3&heads=3",
    )
    refused = lesson.page.locator('[data-slot="map.problems"]')
    expect(refused).to_contain_text("“head” is fixed on this page")
    expect(lesson.slider("Viewing head")).to_be_disabled()
    expect(lesson.page.get_by_role("radio", name="Weights").first).to_be_disabled()
    minis = lesson.page.locator('[data-choose^="map.head="]')
    for n in range(4):
        expect(minis.nth(n)).to_be_disabled()
        minis.nth(n).evaluate("(el) => el.click()")
    lesson.set(heads=2)
    lesson.set(heads=4)  # paints the limit of the viewing head, which enables it elsewhere
    expect(lesson.slider("Viewing head")).to_be_disabled()
    lesson.dispatch({"set": {"map.head": 1, "map.stage": "scores"}, "last": "map.head"})
    lesson.slider("Viewing head").evaluate(
        "(el) => { el.value = 1; el.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    value = "(name) => attentionWidget.slots[`map.control.${name}`].value"
    for button in ('[data-reset="map"]', '[data-control="map.draw"]'):
        assert lesson.page.evaluate(value, "head") == 2
        assert lesson.page.evaluate(value, "stage") == "dropped"
        lesson.page.locator(f"#part-map {button}").evaluate("(el) => el.click()")
    assert lesson.page.get_by_text("Fixed on this page.").count() == 2
    lesson.switch("Causal mask").click()  # what is not locked goes on working
    lesson.kpi_becomes("masked-cells", "15")
    assert lesson.console == []


def test_a_locked_file_can_still_be_finished_when_nothing_needed_is_locked(changed):
    lesson = changed({"lock": ["map.stage"]})
    Student(lesson.page).earn(ALL)
    expect(lesson.page.locator('[data-slot="checkpoint.score"]')).to_have_text(
        f"{ALL} of {ALL} steps done"
    )


def test_a_checkpoint_without_the_tab_that_it_asks_about_is_shorter_and_can_be_finished(changed):
    few = sum(step.graded for step in steps_about(["heads"]))
    assert few < ALL
    lesson = changed({"parts": ["heads"]})
    marks = lesson.page.locator(".marks button")
    expect(marks).to_have_count(few)
    student = Student(lesson.page, few).earn(few)
    expect(lesson.page.locator('[data-slot="checkpoint.score"]')).to_have_text(
        f"{few} of {few} steps done"
    )
    expect(lesson.page.locator('[data-slot="checkpoint.firsts"]')).to_contain_text(f"of {few} ")
    record = lesson.page.evaluate("() => attentionWidget.slots['checkpoint.record']")
    assert (record["completion"], record["mastery"]) == (1, 1)
    said = lesson.page.locator("[role=status][data-said]")
    expect(said).to_contain_text(f"Step {few} of {few} done.")
    expect(lesson.page.locator(".step-body .next:visible")).to_have_count(0)
    assert student.bench.progress.states[-1] == "ask"
    assert lesson.console == []


def test_parts_that_were_not_asked_for_are_not_there(changed):
    lesson = changed({"parts": ["heads"]})
    tabs = lesson.page.get_by_role("tab")
    assert [tab.get_attribute("id") for tab in tabs.all()] == ["tab-map", "tab-heads"]
    assert lesson.page.locator("[role=tabpanel]").count() == 2
    for link in lesson.page.locator("[data-show-tab]").all():
        assert link.is_hidden() or link.get_attribute("data-show-tab") in ("tab-map", "tab-heads")
    tabs.nth(1).click()
    expect(lesson.page.locator("#part-heads")).to_be_visible()
    assert lesson.console == []


def test_one_part_alone_needs_no_tabs(changed):
    lesson = changed({"parts": []})
    assert lesson.page.get_by_role("tab").count() == 0
    expect(lesson.page.locator("#part-map")).to_be_visible()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "cannot be read as JSON"),
        ("{preset: {}}", "cannot be read as JSON"),
        ("[]", "cannot be read as JSON"),
        ("null", "cannot be read as JSON"),
        ({"presets": {}}, "Option “presets” is not known"),
        ({"preset": []}, "Option “preset” has a form that does not fit"),
        ({"lock": "map.heads"}, "Option “lock” has a form that does not fit"),
        ({"lock": [7]}, "Option “lock” has a form that does not fit"),
        ({"parts": {"map": 1}}, "Option “parts” has a form that does not fit"),
        ({"scorm": "3"}, "Option “scorm” has a form that does not fit"),
        ({"preset": {"map.heads": 9}}, "Heads goes from 1 to 4 in whole numbers: got “9”"),
        ({"preset": {"map.heads": {"deep": [1]}}}, "Heads goes from 1 to 4"),
        ({"preset": {"map.heads": None}}, "Heads goes from 1 to 4"),
        ({"preset": {"map.causal": ATTACK}}, "Causal mask is 0 (off) or 1 (on): got “"),
        ({"preset": {"map.sentence": "hi"}}, "control “map.sentence”, which this file does not"),
        ({"preset": {"map.head": 3}}, "The preset of map.head does not go with the other values"),
        ({"lock": ["map.nothing"]}, "control “map.nothing”"),
        ({"lock": ["__proto__", "constructor"]}, "control “__proto__”"),
        ({"parts": ["labs"]}, "no part “labs”"),
        ('{"__proto__": {"lock": ["map.heads"]}}', "Option “__proto__” is not known"),
    ],
)
def test_options_that_are_not_fine_are_said_and_the_page_is_never_blank(
    changed, hostile_file, options, said
):
    text = options if isinstance(options, str) else json.dumps(options).replace("<", "\\u003c")
    lesson = changed(text, base=hostile_file[0])
    expect(problems(lesson)).to_contain_text(said)
    expect(problems(lesson)).to_be_visible()
    assert lesson.page.evaluate("() => window.hit") is None
    lesson.switch("Causal mask").click()
    lesson.kpi_becomes("masked-cells", "15")
    expect(problems(lesson)).to_contain_text(said)  # until the teacher has seen it
    assert lesson.console == []


@pytest.mark.parametrize(
    ("options", "step"),
    [
        ({"preset": {"map.causal": 1}, "lock": ["map.causal"]}, "Can this model cheat?"),
        ({"lock": ["map.causal"]}, "How many cells go dark?"),
        ({"lock": ["map.heads"]}, "How wide is one of 4 heads?"),
        ({"lock": ["map.dropout"]}, "What does dropout do to a row?"),
    ],
)
def test_a_lock_that_stops_the_checkpoint_is_said(changed, options, step):
    lesson = changed(options)
    expect(problems(lesson)).to_contain_text(f"cannot go past “{step}”")


def test_a_lock_that_stops_nothing_is_no_problem(changed):
    expect(problems(changed({"lock": ["map.stage", "map.draw"]}))).to_be_empty()


def test_a_mistake_in_the_json_is_said_with_its_place(changed):
    expect(problems(changed('{"preset": {},}'))).to_contain_text("line 1 column 15")


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory):
    """A small lesson recorded with markup wherever a text can be given."""
    path = tmp_path_factory.mktemp("hostile") / "lesson.html"
    words = ["</script>", "<script>hit=1</script>", "<!--", "<svg/onload=hit=1>", "]]>", "&lt;"]
    assert (
        main(
            [
                "export",
                str(path),
                "--parts",
                "map",
                "--draws",
                "1",
                "--sentence",
                " ".join(words),
                "--title",
                f"</title>{ATTACK}",
                "--activity-id",
                ATTACK,
            ]
        )
        == 0
    )
    return path, words


def test_markup_in_a_sentence_a_title_or_an_option_is_only_text(visit, hostile_file):
    path, words = hostile_file
    lesson = visit(path.as_uri(), "file", offline=True)
    assert lesson.page.title() == f"</title>{ATTACK}"
    drawn = lesson.drawn()["columns"]
    assert drawn["source:map.cells.query"][:: len(words)] == words
    told = lesson.page.locator("#part-map .help", has_text="This recording")
    expect(told).to_contain_text(f"“{' '.join(words)}”")
    Student(lesson.page).dispatch({"set": {"map.causal": True}, "last": "map.causal"})
    lesson.page.evaluate(
        "() => { for (const d of document.querySelectorAll('details')) d.open = true; }"
    )
    assert lesson.page.evaluate("() => window.hit") is None
    assert lesson.page.locator("img, svg[onload]").count() == 0
    tags = lesson.page.evaluate("() => [...document.scripts].map((s) => s.type || 'script')")
    assert tags == ["script", "application/json", "application/json", "script", "script"]
    assert lesson.page.evaluate("() => attentionWidget.options.activity_id") == ATTACK
    assert lesson.console == []


def test_a_link_with_markup_is_only_text(changed):
    lesson = changed({}, f"?heads={ATTACK}&activity_id={ATTACK}")
    refused = lesson.page.locator('[data-slot="map.problems"]')
    expect(refused).to_contain_text("Heads goes from 1 to 4")
    assert lesson.page.evaluate("() => window.hit") is None
    assert lesson.console == []
