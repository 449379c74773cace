"""Which commands make the lesson ready for a course page: a file, a package, what to paste?"""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attention_widget.lesson import DEFAULT_SEED, SENTENCE, check_seed, tokenize
from attention_widget.widgets.checkpoint.steps import steps_about
from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.lesson import TABS, Lesson
from attention_widget.widgets.map.state import MAX_DRAWS, LessonState
from attention_widget.widgets.page.markup import DEFAULT_SCORE, TITLE
from attention_widget.widgets.recorded.export import (
    check_target,
    export_html,
    record,
    write_whole,
)
from attention_widget.widgets.recorded.options import (
    SCORM_VERSIONS,
    LessonOptions,
    choose_options,
    unfinishable,
)
from attention_widget.widgets.recorded.scorm import package
from attention_widget.widgets.recorded.snippet import FRAME_TITLE, HEIGHT, HOSTS, snippet

DRAWS = 6


def add_course_commands(commands: Any) -> None:
    """Add `export`, `scorm` and `snippet` to the command line."""
    export = commands.add_parser("export", help="write the lesson as one offline HTML file")
    export.add_argument("file", type=Path, help="for example lesson.html")
    _add_lesson_options(export)
    export.set_defaults(run=_export)

    scorm = commands.add_parser("scorm", help="write the same file as a SCORM package")
    scorm.add_argument("file", type=Path, help="for example lesson.zip")
    scorm.add_argument("--version", default=SCORM_VERSIONS[0], choices=SCORM_VERSIONS)
    _add_lesson_options(scorm)
    scorm.set_defaults(run=_scorm)

    paste = commands.add_parser("snippet", help="print what to paste into a course page")
    paste.add_argument("--file", default="", help="an exported file, as the page finds it")
    paste.add_argument("--url", default="", help="address of a live page, https://host/app")
    paste.add_argument("--for", dest="host", default=HOSTS[0], choices=HOSTS, help="what takes it")
    paste.add_argument(
        "--page", default="", help="for mkdocs, jupyter-book: the page's file, week-6/attention.md"
    )
    paste.add_argument("--sandbox", action="store_true", help="shut the file in further")
    paste.add_argument("--frameless", action="store_true", help="a live page without a frame")
    paste.add_argument("--title", default=FRAME_TITLE, help="what a screen reader calls the frame")
    paste.add_argument("--height", type=int, default=HEIGHT, help="px, until the page follows")
    paste.set_defaults(run=_snippet)


def _add_lesson_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sentence", default=SENTENCE, help="1 to 16 words")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of every random number")
    parser.add_argument("--draws", type=int, default=DRAWS, help="dropout draws to record")
    parser.add_argument(
        "--parts", nargs="+", metavar="TAB", help=" ".join(part.name for part in TABS)
    )
    parser.add_argument(
        "--preset",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="where a control starts, for example map.causal=1; may be given again",
    )
    parser.add_argument(
        "--lock",
        action="append",
        default=[],
        metavar="NAME",
        help="a control that stays where it starts, for example map.heads; may be given again",
    )
    parser.add_argument("--title", default=TITLE, help="of the document")
    parser.add_argument(
        "--score",
        default=DEFAULT_SCORE,
        choices=tuple(SCORES),
        help="what is reported: the share of questions mastered, or of steps done",
    )
    parser.add_argument(
        "--pass-mark",
        type=float,
        default=None,
        metavar="PERCENT",
        help="from which a finished lesson counts as passed; without it there is no pass or fail",
    )
    parser.add_argument(
        "--activity-id",
        default="",
        help="name under which progress is filed; made from the lesson if left out",
    )


def recorded_page(options: argparse.Namespace, scorm: str = "") -> str:
    """Fill the table and give the HTML, with a progress bar on standard error.

    Raises:
        ValueError: an option is out of its range.
    """
    if not 1 <= options.draws <= MAX_DRAWS:
        raise ValueError(f"--draws goes from 1 to {MAX_DRAWS}: got {options.draws}; try {DRAWS}")
    lesson = recorded_lesson(options.sentence, options.seed, options.draws, options.parts)
    chosen = choose_options(
        lesson,
        options.preset,
        options.lock,
        options.activity_id,
        scorm,
        options.score,
        options.pass_mark,
    )
    data = record(lesson, _bar())
    warning = checkpoint_warning(next(t for t in data["sections"] if t["name"] == "map"), chosen)
    if warning:
        print(f"attention-widget: {warning}", file=sys.stderr)
    return export_html(lesson, options.draws, chosen, data, options.title)


def checkpoint_warning(table: Mapping[str, Any], chosen: LessonOptions) -> str:
    """Say why no student can finish the checkpoint and where it ends; "" when one can.

    Args:
        table: the recorded section "map".
        chosen: with the locks.
    """
    stuck = unfinishable(table, chosen)
    if not stuck:
        return ""
    unlocked = unfinishable(table, LessonOptions(parts=chosen.parts))
    found = [
        ("with a sentence of one word", "give two words or more", bool(unlocked)),
        ("with these locks", "lock fewer controls", stuck != unlocked),
    ]
    causes = " and ".join(cause for cause, _, true in found if true)
    ways_out = " and ".join(way_out for _, way_out, true in found if true)
    graded = [step.title for step in steps_about(chosen.parts) if step.graded]
    place = next(n for n, title in enumerate(graded, start=1) if title in stuck)
    return (
        f"no student can finish the checkpoint {causes}: it stops at step {place} "
        f"of {len(graded)}, “{graded[place - 1]}”, and the later ones stay shut; {ways_out}"
    )


def recorded_lesson(
    sentence: str, seed: int, draws: int, parts: Sequence[str] | None = None
) -> Lesson:
    """Make a lesson that can be recorded.

    Raises:
        ValueError: a value is out of its range.
    """
    state = LessonState(sentence=" ".join(tokenize(sentence)), seed=check_seed(seed))
    return Lesson(state, parts=parts, recorded_draws=draws)


def _export(options: argparse.Namespace) -> None:
    check_target(options.file)
    data = recorded_page(options).encode()
    write_whole(options.file, data)
    print(f"{options.file}: {len(data) / 1e6:.1f} MB, opens without a network")
    _say_name(options)


def _scorm(options: argparse.Namespace) -> None:
    check_target(options.file)
    data = package(recorded_page(options, options.version), options.version, options.title)
    write_whole(options.file, data)
    print(f"{options.file}: {len(data) / 1e6:.1f} MB, SCORM {options.version}")
    _say_name(options)


def _say_name(options: argparse.Namespace) -> None:
    if not options.activity_id:
        print(
            "Equal lessons on one site share a student's progress; give each its own "
            "--activity-id where they must not."
        )


def _snippet(options: argparse.Namespace) -> None:
    names = ("file", "url", "host", "title", "height", "sandbox", "frameless", "page")
    print(snippet(**{name: getattr(options, name) for name in names}), end="")


class _bar:  # noqa: N801 (used as a function)
    """Draw how far the recording is on a terminal, at most ten times a second."""

    def __init__(self) -> None:
        self._next = 0.0
        self._watched = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._watched or (now < self._next and done < total):
            return
        self._next = now + 0.1
        full = round(30 * done / total)
        bar = "#" * full + "." * (30 - full)
        end = "\n" if done == total else ""
        print(f"\rrecording [{bar}] {done} of {total} states", end=end, file=sys.stderr)
