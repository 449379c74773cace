"""What may a teacher choose for an exported lesson, and does the choice still let a student finish?

The choices stand in the exported file as JSON, so that they survive being mailed and can be
changed with a text editor; `assets/recorded/options.js` reads them there.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from attention_widget.widgets.checkpoint.machine import Step, earned
from attention_widget.widgets.checkpoint.steps import steps_about
from attention_widget.widgets.checkpoint.transition_table import reachable
from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.page.markup import DEFAULT_SCORE
from attention_widget.widgets.section.controls import Value

SCORM_VERSIONS = ("1.2", "2004")
KEYS = ("preset", "lock", "parts", "name", "activity_id", "score", "pass_mark", "scorm")

# What the page says about options that were changed by hand and are not fine.
WORDS: dict[str, object] = {
    "keys": KEYS,
    "scores": tuple(SCORES),
    "json": "The options in this file cannot be read as JSON and were left out: {name}",
    "braces": "they do not stand in { and }",
    "stuck": "On this page the checkpoint cannot go past “{name}”: a control that it needs is "
    "fixed, or the sentence has only one word.",
    "key": "Option “{name}” is not known and was left out; there are " + ", ".join(KEYS) + ".",
    "shape": "Option “{name}” has a form that does not fit and was left out.",
    "part": "This file has no part “{name}”; it was left out.",
    "control": "An option names the control “{name}”, which this file does not have.",
    "settled": "The preset of {name} does not go with the other values, so it was adjusted.",
    "locked": "“{name}” is fixed on this page, so the link's value was left out.",
    "fixed": "Fixed on this page.",
}


@dataclass(frozen=True)
class LessonOptions:
    """A teacher's choices.

    Attributes:
        preset: full control name -> where it starts and where Reset goes back to.
        lock: full names of controls that stay where they start.
        parts: names of the tabs.
        name: the lesson's own name, under which progress is filed; see `lesson_name`.
        activity_id: a name to file it under instead; "" for the lesson's own.
        score: which figure is reported, one of `SCORES`.
        pass_mark: share from which a finished lesson counts as passed; None for no pass or fail.
        scorm: which run-time a package is for; "" for a plain file.
    """

    preset: Mapping[str, Value] = field(default_factory=dict)
    lock: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    name: str = ""
    activity_id: str = ""
    score: str = DEFAULT_SCORE
    pass_mark: float | None = None
    scorm: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what stands in the file."""
        data: dict[str, Any] = {
            "preset": dict(self.preset),
            "lock": list(self.lock),
            "parts": list(self.parts),
        }
        more: dict[str, object] = {
            "name": self.name,
            "activity_id": self.activity_id,
            "score": "" if self.score == DEFAULT_SCORE else self.score,
            "pass_mark": self.pass_mark,
            "scorm": self.scorm,
        }
        return data | {key: value for key, value in more.items() if value not in ("", None)}


def lesson_name(lesson: Lesson, preset: Mapping[str, Value], lock: Iterable[str]) -> str:
    """Return a name that stays the same as long as the questions do.

    It is made from the sentence, the seed, the parts, the presets and the locks; not from the
    title, the score that is reported, the file's address or the version of this package.
    """
    state = lesson.map_state
    questions = {
        "sentence": state.sentence,
        "seed": state.seed,
        "parts": sorted(part.name for part in lesson.tabs),
        "preset": dict(preset),
        "lock": sorted(lock),
    }
    text = json.dumps(questions, sort_keys=True)
    return f"attention-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def choose_options(
    lesson: Lesson,
    preset: Iterable[str] = (),
    lock: Iterable[str] = (),
    activity_id: str = "",
    scorm: str = "",
    score: str = DEFAULT_SCORE,
    pass_mark: float | None = None,
) -> LessonOptions:
    """Check a teacher's choices against a lesson.

    Args:
        lesson: made with `recorded_draws`; it is left as it was.
        preset: "map.causal=1" and the like.
        lock: "map.heads" and the like.
        activity_id: see `LessonOptions`.
        scorm: see `LessonOptions`.
        score: see `LessonOptions`.
        pass_mark: in percent, 0 to 100.

    Raises:
        ValueError: a control is not known, or a value is none that it takes.
    """
    if score not in SCORES:
        raise ValueError(f"--score is one of {', '.join(SCORES)}: got {score!r}")
    if pass_mark is not None and not 0 <= pass_mark <= 100:
        raise ValueError(f"--pass-mark goes from 0 to 100 percent: got {pass_mark}; try 60")
    values: dict[str, Value] = {}
    for text in preset:
        name, equals, raw = text.partition("=")
        if not equals:
            raise ValueError(f"--preset is NAME=VALUE: got {text[:60]!r}; try map.causal=1")
        values[name] = _control(lesson, name, "--preset").parse(raw)
    locked = tuple(dict.fromkeys(lock))
    for name in locked:
        _control(lesson, name, "--lock")
    _check_together(lesson, values)
    parts = tuple(part.name for part in lesson.tabs)
    return LessonOptions(
        values,
        locked,
        parts,
        lesson_name(lesson, values, locked),
        activity_id,
        score,
        None if pass_mark is None else pass_mark / 100,
        scorm,
    )


def unfinishable(table: Mapping[str, Any], options: LessonOptions) -> list[str]:
    """Return the titles of the checkpoint's steps that no student can earn with these locks.

    Args:
        table: the recorded section "map"; see `recorded.lookup_table`.
        options: the locks, and where the locked controls start.
    """
    slot = table["slots"]["map.observation"]
    allowed = []
    for axis in (table["axes"][n] for n in slot["axes"]):
        name = f"map.{axis['name']}"
        start = options.preset.get(name, axis["values"][axis["start"]])
        fixed = name in options.lock
        allowed.append([not fixed or value == start for value in axis["values"]])
    shown = {
        slot["pool"][place]
        for place, open_ in zip(slot["index"], map(all, product(*allowed)), strict=True)
        if open_
    }
    seen = [Observation.from_text(text) for text in sorted(shown)]
    steps = steps_about(options.parts)
    return [step.title for step in steps if step.graded and not _can_be_earned(step, seen)]


def _can_be_earned(step: Step, seen: Sequence[Observation]) -> bool:
    return any(earned(state) for state in reachable(step, seen))


def _control(lesson: Lesson, full: str, option: str) -> Any:
    section, _, name = full.partition(".")
    if section not in lesson.sections or name not in lesson.sections[section].names:
        known = [f"{s.name}.{n}" for s in lesson.sections.values() for n in s.names]
        raise ValueError(
            f"{option} names a control of the parts that are shown: got {full[:60]!r}; "
            f"there are {', '.join(known)}"
        )
    return lesson.sections[section].control(name)


def _check_together(lesson: Lesson, values: Mapping[str, Value]) -> None:
    for section in lesson.sections.values():
        mine = {
            n.partition(".")[2]: v for n, v in values.items() if n.startswith(f"{section.name}.")
        }
        before = section.values()
        section.state.choose(**mine)
        after = section.values()
        section.state.choose(**before)
        for name, value in mine.items():
            if after[name] != value:
                raise ValueError(
                    f"--preset values must go together: {section.name}.{name}={value} became "
                    f"{after[name]}; raise what it depends on, for example map.heads for map.head"
                )
