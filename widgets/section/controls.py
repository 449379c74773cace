"""Which values may a control take, and what is said when it is given another?

One declaration serves every host: the live page parses what arrives with it, the recorded page
takes its list of values from it, and the markup is drawn from it.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Value = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class Control:
    """What all controls share.

    Attributes:
        name: the parameter it sets, also its name in a link's query.
        label: its accessible name.
        help: one short sentence shown below it; empty for none.
    """

    name: str
    label: str
    help: str = ""

    kind = ""

    def values(self) -> tuple[Value, ...]:
        """Return every value that a recording has to cover; () when they cannot be listed."""
        return ()

    def parse(self, raw: object) -> Value:
        """Turn what a student, a link or a message sent into a value.

        Raises:
            ValueError: with the rule, what was given, and what to use.
        """
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Switch(Control):
    """On or off."""

    kind = "switch"

    def values(self) -> tuple[Value, ...]:
        return (False, True)

    def parse(self, raw: object) -> bool:
        if isinstance(raw, bool):
            return raw
        word = raw.strip().lower() if isinstance(raw, str) else shown(raw)
        if word in ("1", "true", "on", "yes"):
            return True
        if word in ("0", "false", "off", "no"):
            return False
        raise ValueError(f"{self.label} is 0 (off) or 1 (on): got {shown(raw)}")


@dataclass(frozen=True, kw_only=True)
class Range(Control):
    """A number from `low` to `high` in steps of `step`; `ticks` names each stop when given."""

    low: float
    high: float
    step: float = 1
    recorded: tuple[float, ...] = ()
    unit: str = ""

    kind = "range"

    def values(self) -> tuple[Value, ...]:
        if self.recorded:
            return tuple(self._settle(value) for value in self.recorded)
        count = round((self.high - self.low) / self.step)
        return tuple(self._settle(self.low + i * self.step) for i in range(count + 1))

    def parse(self, raw: object) -> int | float:
        try:
            if isinstance(raw, bool) or not isinstance(raw, (str, int, float)):
                raise ValueError
            value = float(raw if not isinstance(raw, str) else raw[:40])
        except (ValueError, OverflowError):
            value = math.nan
        if not self.low <= value <= self.high or self._settle(value) != round(value, 9):
            steps = "whole numbers" if self.step == 1 else f"steps of {self.step:g}"
            steps += f", {self.low:g} for the first" if self.kind == "step" else ""
            raise ValueError(
                f"{self.label} goes from {self.low:g} to {self.high:g} in {steps}: got {shown(raw)}"
            )
        return self._settle(value)

    def _settle(self, value: float) -> int | float:
        near = self.low + round((value - self.low) / self.step) * self.step
        return int(near) if float(self.step).is_integer() else round(near, 9)


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few named options, {value: label}."""

    options: dict[str, str]

    kind = "choice"

    def values(self) -> tuple[Value, ...]:
        return tuple(self.options)

    def parse(self, raw: object) -> str:
        if isinstance(raw, str) and raw in self.options:
            return raw
        known = ", ".join(self.options)
        raise ValueError(f"{self.label} is one of {known}: got {shown(raw)}")


@dataclass(frozen=True, kw_only=True)
class Step(Range):
    """A button that moves a whole number on by one, and from the end back to the start."""

    kind = "step"


@dataclass(frozen=True, kw_only=True)
class Text(Control):
    """Free text (or a number typed in) that only a live page can follow."""

    check: Callable[[str], Value]
    max_length: int = 500
    multiline: bool = False

    kind = "text"

    def parse(self, raw: object) -> Value:
        if not isinstance(raw, (str, int)) or isinstance(raw, bool):
            raise ValueError(f"{self.label} is text: got {shown(raw)}")
        text = raw if isinstance(raw, str) else shown(raw)
        if len(text) > self.max_length:
            raise ValueError(
                f"{self.label} takes at most {self.max_length} characters: got {len(text)}"
            )
        return self.check(text)


def shown(raw: Any) -> str:
    """Quote what was given, short and on one line, so that a message stays readable."""
    if isinstance(raw, str):
        text = " ".join("".join(c if c.isprintable() else " " for c in raw[:500]).split())
        return f"“{text}”" if len(text) <= 46 else f"“{text[:44]}…”"
    if isinstance(raw, int) and raw.bit_length() > 64:
        return "a number of very many digits"
    return repr(raw) if raw is None or isinstance(raw, (int, float)) else f"a {type(raw).__name__}"
