"""Are a teacher's choices checked, and is it said when they shut a student out?"""

import json
from functools import lru_cache

import pytest

from attention_widget.lesson import DEFAULT_SEED, SENTENCE
from attention_widget.widgets.checkpoint.steps import STEPS, steps_about
from attention_widget.widgets.cli import main
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.recorded.commands import checkpoint_warning, recorded_lesson
from attention_widget.widgets.recorded.export import embedded_json
from attention_widget.widgets.recorded.lookup_table import axes_of
from attention_widget.widgets.recorded.options import LessonOptions, choose_options, unfinishable
from tests.recorded.whole import walk


def lesson(draws: int = 2, sentence: str = SENTENCE) -> Lesson:
    return recorded_lesson(sentence, DEFAULT_SEED, draws, ["map"])


def test_a_preset_is_what_its_control_makes_of_it():
    chosen = choose_options(
        lesson(), ["map.causal=1", "map.heads=3", "map.head=3", "map.dropout=0.3"], ["map.heads"]
    )
    assert chosen.as_json() == {
        "preset": {"map.causal": True, "map.heads": 3, "map.head": 3, "map.dropout": 0.3},
        "lock": ["map.heads"],
        "parts": ["map"],
        "name": chosen.name,
    }


def test_the_name_changes_with_the_questions_and_with_nothing_else():
    def name(sentence=SENTENCE, seed=DEFAULT_SEED, parts=("map",), draws=2, **chosen):
        return choose_options(recorded_lesson(sentence, seed, draws, parts), **chosen).name

    plain = name()
    assert plain.startswith("attention-")
    others = [
        name("I like green tea"),
        name(seed=11),
        name(parts=("map", "heads")),
        name(preset=["map.causal=1"]),
        name(lock=["map.heads"]),
    ]
    assert len({plain, *others}) == 6
    same = [name(score="completion", pass_mark=60), name(activity_id="week-6"), name(scorm="2004")]
    assert {plain, *same, name(f"  {SENTENCE} "), name(lock=[])} == {plain}


@pytest.mark.parametrize(
    ("chosen", "rule"),
    [
        ({"score": "luck"}, "--score is one of mastery, completion: got 'luck'"),
        ({"pass_mark": 101}, "--pass-mark goes from 0 to 100 percent: got 101; try 60"),
        ({"pass_mark": -1}, "from 0 to 100"),
    ],
)
def test_a_score_that_makes_no_sense_is_refused(chosen, rule):
    with pytest.raises(ValueError, match=rule):
        choose_options(lesson(), **chosen)


def test_choosing_leaves_the_lesson_as_it_was():
    made = lesson()
    before = made.sections["map"].values()
    choose_options(made, ["map.causal=1", "map.heads=3"])
    assert made.sections["map"].values() == before


@pytest.mark.parametrize(
    ("preset", "rule"),
    [
        ("map.causal", "NAME=VALUE"),
        ("map.causal=maybe", r"0 \(off\) or 1 \(on\): got “maybe”"),
        ("map.heads=9", "from 1 to 4 in whole numbers: got “9”"),
        ("map.heads=", "from 1 to 4"),
        ("map.dropout=0.25", "steps of 0.1"),
        ("map.draw=2", "from 0 to 1"),
        ("map.stage=<b>", "one of scores, masked, weights, dropped"),
        ("map.sentence=hello", "there are map.causal"),
        ("heads=3", "there are map.causal"),
        ("map.__class__=1", "there are map.causal"),
        ("map.head=3", "map.head=3 became 1"),
    ],
)
def test_a_preset_that_does_not_fit_is_refused_with_the_rule(preset, rule):
    with pytest.raises(ValueError, match=rule):
        choose_options(lesson(), [preset])


def test_a_lock_of_an_unknown_control_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"--lock names a control.*map\.heads"):
        choose_options(lesson(), [], ["map.nothing"])


def test_the_command_line_says_what_is_wrong_and_writes_nothing(tmp_path, capsys):
    file = tmp_path / "lesson.html"
    words = ["export", str(file), "--parts", "map", "--draws", "1"]
    assert main([*words, "--preset", "map.heads=9"]) == 2
    assert "Heads goes from 1 to 4" in capsys.readouterr().err
    assert main([*words, "--lock", "heads"]) == 2
    assert main(["export", str(file), "--parts", "nothing"]) == 2
    assert list(tmp_path.iterdir()) == []


@lru_cache
def observations(sentence: str = SENTENCE) -> dict:
    """The slot of observations of the recorded map, made without painting the rest."""
    section = lesson(1, sentence).sections["map"]
    axes = axes_of(section)
    section.render_state = lambda settings: {"o": observe(snapshot(settings)).to_text()}
    pool: dict[str, int] = {}
    index = [pool.setdefault(slots["map.o"], len(pool)) for _, slots in walk(section)]
    section.reset()
    start = section.values()
    return {
        "axes": [
            {"name": a.name, "values": list(a.values), "start": a.values.index(start[a.name])}
            for a in axes
        ],
        "slots": {
            "map.observation": {
                "axes": list(range(len(axes))),
                "index": index,
                "pool": list(pool),
            }
        },
    }


GRADED_TITLES = [step.title for step in steps_about(()) if step.graded]


def titles(*keys: str) -> list[str]:
    return [step.title for step in STEPS if step.key in keys]


@pytest.mark.parametrize(
    ("preset", "lock", "stuck"),
    [
        ({}, [], []),
        ({"map.causal": True, "map.heads": 4}, [], []),
        ({}, ["map.stage"], []),
        ({}, ["map.heads"], ["width", "heads"]),
        ({"map.heads": 4}, ["map.heads"], ["width"]),
        ({}, ["map.head"], ["heads"]),
        ({}, ["map.training"], ["dropout"]),
        ({}, ["map.dropout"], ["dropout"]),
    ],
)
def test_locks_that_shut_a_student_out_are_named_by_the_steps_they_shut(preset, lock, stuck):
    options = LessonOptions(preset, tuple(lock), ("map",))
    found = unfinishable(observations(), options)
    assert set(titles(*stuck)) <= set(found)
    assert bool(found) == bool(stuck)


def test_a_locked_mask_shuts_out_the_steps_that_need_both():
    found = unfinishable(observations(), LessonOptions({}, ("map.causal",)))
    assert set(titles("rows")) <= set(found)


@pytest.mark.parametrize(
    ("sentence", "lock", "cause", "step", "way_out"),
    [
        (SENTENCE, ["map.heads"], "with these locks", 4, "lock fewer controls"),
        (SENTENCE, ["map.dropout", "map.causal"], "with these locks", 2, "lock fewer controls"),
        ("one", [], "with a sentence of one word", 1, "give two words or more"),
        ("one", ["map.stage"], "with a sentence of one word", 1, "give two words or more"),
        (
            "one",
            ["map.heads"],
            "with a sentence of one word and with these locks",
            1,
            "give two words or more and lock fewer controls",
        ),
    ],
)
def test_the_warning_names_the_cause_and_the_step_where_it_ends(
    sentence, lock, cause, step, way_out
):
    said = checkpoint_warning(observations(sentence), LessonOptions({}, tuple(lock)))
    title = GRADED_TITLES[step - 1]
    assert said == (
        f"no student can finish the checkpoint {cause}: it stops at step {step} "
        f"of {len(GRADED_TITLES)}, “{title}”, and the later ones stay shut; {way_out}"
    )


@pytest.mark.parametrize("sentence", [SENTENCE, "two words"])
def test_a_checkpoint_that_can_be_finished_is_not_warned_of(sentence):
    assert checkpoint_warning(observations(sentence), LessonOptions({}, ("map.stage",))) == ""


@pytest.mark.parametrize(
    "text", ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;", "\u2028", "🙂"]
)
def test_embedded_json_holds_any_text_and_no_markup(text):
    written = embedded_json({"preset": {text: text}})
    assert json.loads(written) == {"preset": {text: text}}
    assert not set("<>&") & set(written)
