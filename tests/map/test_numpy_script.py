"""The script that a student copies needs NumPy alone and prints what is on screen."""

import subprocess
import sys
from dataclasses import replace

import pytest

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.numpy_script import SETTINGS, numpy_script, script_pieces
from attention_widget.widgets.map.section import render_map
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState, Settings

START = LessonState().settings()
CASES = {
    "the start": START,
    "mask on": replace(START, causal=True, heads=4, head=3),
    "scores": replace(START, stage="scores", heads=2, head=2),
    "masked scores": replace(START, stage="masked", causal=True, heads=3, head=2),
    "weights while dropping": replace(
        START, stage="weights", causal=True, dropout=0.4, training=True, draw=2
    ),
    "dropout": replace(START, causal=True, heads=4, head=4, dropout=0.3, training=True, draw=17),
    "dropout at 0.9": replace(START, heads=2, head=1, dropout=0.9, training=True, draw=3),
    "dropout in inference": replace(START, causal=True, dropout=0.6, draw=5),
    "another seed": replace(START, seed=2**32 - 1, causal=True),
    "one word": replace(START, sentence="alone", causal=True),
    "quotes": replace(START, sentence="it's a \"quoted\" '''word''' \"\"\"", causal=True),
    "backslashes": replace(START, sentence=r"C:\new \\n \u0041 \'", heads=3, head=1),
    "emoji": replace(START, sentence="🙂 👩🏽 naïve 東京 ±∞", causal=True),
    "braces and markup": replace(START, sentence="{seed} {{x}} <b>&amp;</b> %s #", heads=4),
    "sixteen words": replace(START, sentence=" ".join("abcdefghijklmnop"), causal=True),
}


def run(script: str) -> str:
    """Run a script in an interpreter that cannot see this project."""
    clean = [sys.executable, "-I", "-X", "utf8", "-"]
    done = subprocess.run(
        clean, input=script.encode(), capture_output=True, cwd="/", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.parametrize("settings", CASES.values(), ids=CASES.keys())
def test_the_script_prints_the_numbers_on_screen(settings: Settings) -> None:
    printed = run(numpy_script(settings)).splitlines()
    shown = snapshot(settings).shown
    assert [line.split() for line in printed] == [[f"{v:.6f}" for v in row] for row in shown]


def test_the_script_is_short_and_imports_only_numpy() -> None:
    lines = numpy_script(START).splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 100
    assert [line for line in lines if "import" in line] == ["import numpy as np"]


def test_each_setting_stands_in_one_slot_that_follows_one_control() -> None:
    assert [text for kind, text in script_pieces() if kind == "slot"] == list(SETTINGS)
    before = render_map(LessonState().settings())
    state = LessonState(causal=True, dropout=0.2, training=True, draw=4, stage="scores")
    after = render_map(state.settings())
    changed = {key for key in before if key.startswith("script.") and before[key] != after[key]}
    assert changed == {f"script.{n}" for n in ("causal", "dropout", "training", "draw", "stage")}


def test_every_setting_of_the_map_is_in_the_script() -> None:
    names = set(Lesson(parts=()).sections["map"].names)
    assert names - {"word"} == set(SETTINGS)  # which row's arcs are shown prints nothing
