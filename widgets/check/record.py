"""What is the answer of a check? A record: every line, the diagnosis, remarks, and two maps."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from attention_widget.checklist import CHECKLIST

PASSED, FAILED = "passed", "failed"
UNREACHED, NOT_APPLICABLE = "not reached", "does not apply"
FURTHER = (
    "future_stays_out",
    "scaled_scores",
    "same_numbers",
    "lengths",
    "longer_context",
    "precision",
)
"""Lines beyond the lesson's own, which need more than one run of the code."""
KEYS = (*CHECKLIST, *(key for key in FURTHER if key not in CHECKLIST))


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One rule.

    Attributes:
        key: one of `KEYS`.
        status: "passed", "failed", "not reached" or "does not apply".
        measured: numbers by name.
        why: why it failed, was not reached, or does not apply; else empty.
    """

    key: str
    status: str
    measured: Mapping[str, float] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Which known faults give exactly these outputs?

    Attributes:
        faults: values of `Fault`, or names of `OTHER`; empty when no set of faults fits.
        same: other sets of faults that give the same outputs.
        sentence: what is wrong, with measured numbers.
        hints: where to look, one for each fault; they lead, and do not solve.
        first_wrong: (query, key) of the first wrong weight, counted from 1; None without a map.
    """

    faults: tuple[str, ...]
    same: tuple[tuple[str, ...], ...]
    sentence: str
    hints: tuple[str, ...]
    first_wrong: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Check:
    """The answer of `check_attention`.

    Attributes:
        name: of the student's function or class.
        passed: whether every line that applies passed.
        lines: the lesson's checklist, then the further lines.
        diagnosis: None when nothing is wrong, or nothing could be measured.
        remarks: what is worth knowing and not wrong.
        problem: why the code could not be measured; empty when it could.
        learned: what the check found out about the code, by name.
        words: the words of the two maps.
        mine: the student's weights (T, T) of head 1; empty when they cannot be known.
        right: the right weights (T, T) of head 1; empty when nothing was measured.
    """

    name: str
    passed: bool
    lines: tuple[CheckLine, ...]
    diagnosis: Diagnosis | None = None
    remarks: tuple[str, ...] = ()
    problem: str = ""
    learned: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    mine: tuple[tuple[float, ...], ...] = ()
    right: tuple[tuple[float, ...], ...] = ()

    def line(self, key: str) -> CheckLine:
        """Return one line.

        Raises:
            KeyError: there is no such line.
        """
        for line in self.lines:
            if line.key == key:
                return line
        raise KeyError(key)

    def to_json(self) -> str:
        """Return the record as JSON; numbers that are not finite become text, as JSON wants."""
        return json.dumps(_plain(asdict(self)), ensure_ascii=False, indent=2, allow_nan=False)

    @staticmethod
    def from_json(text: str) -> "Check":
        """Return the record that `to_json` wrote."""
        raw: dict[str, Any] = _floats(json.loads(text))
        found = raw["diagnosis"]
        if found:
            found["same"] = tuple(tuple(one) for one in found["same"])
            found["first_wrong"] = found["first_wrong"] and tuple(found["first_wrong"])
            found |= {key: tuple(found[key]) for key in ("faults", "hints")}
            raw["diagnosis"] = Diagnosis(**found)
        raw["lines"] = tuple(CheckLine(**line) for line in raw["lines"])
        raw |= {key: tuple(raw[key]) for key in ("remarks", "words")}
        raw |= {key: tuple(tuple(row) for row in raw[key]) for key in ("mine", "right")}
        return Check(**raw)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        from attention_widget.widgets.check import text

        return text.as_text(self)

    def _repr_html_(self) -> str:
        from attention_widget.widgets.check import picture

        return picture.as_html(self)


_NOT_FINITE = ("NaN", "Infinity", "-Infinity")


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value - value != 0:
        return json.dumps(value)
    return value


def _floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _floats(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_floats(one) for one in value]
    return float(value.replace("Infinity", "inf")) if value in _NOT_FINITE else value


def unmeasured(name: str, problem: str, learned: Mapping[str, str] | None = None) -> Check:
    """Return the answer for code that could not be measured."""
    lines = tuple(CheckLine(key, UNREACHED, why="the code did not get this far") for key in KEYS)
    return Check(name, False, lines, problem=problem, learned=learned or {})
