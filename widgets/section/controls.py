"""Which values may a control take, and what is said when it is given another?

A control is read off a parameter of a section's state, so nothing is declared here. It serves every
host: the live page parses what arrives with it, the recorded page takes its list of values from it,
and the markup is drawn from it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import param

from attention_widget.widgets.section.parameters import Cycle, Pick, TypedIn
from attention_widget.widgets.section.wording import shown

Value = bool | int | float | str


@dataclass(frozen=True, kw_only=True)
class Control:
    """What all controls share.

    Attributes:
        name: the parameter it sets, also its name in a link's query.
        label: its accessible name.
        help: one short sentence shown below it; empty for none.
        default: where it starts.
    """

    name: str
    label: str
    help: str
    default: Value

    kind = ""

    def values(self) -> tuple[Value, ...]:
        """Return every value that a recording has to cover; () when they cannot be listed."""
        return ()

    def parse(self, raw: object) -> Value:
        """Return the value that a student, a link, a message or Python code stands for.

        Raises:
            ValueError: with the rule, what was given, and what to use.
        """
        raise NotImplementedError

    def show(self, value: Value) -> str:
        """Return how a reader sees a value of this control."""
        return str(value)


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

    def show(self, value: Value) -> str:
        return "on" if value else "off"


@dataclass(frozen=True, kw_only=True)
class Range(Control):
    """A number from `low` to `high` in steps of `step`."""

    low: float
    high: float
    step: float

    kind = "range"

    def values(self) -> tuple[Value, ...]:
        count = round((self.high - self.low) / self.step)
        return tuple(self._settle(self.low + i * self.step) for i in range(count + 1))

    def parse(self, raw: object) -> int | float:
        try:
            if isinstance(raw, bool) or not isinstance(raw, (str, int, float)):
                raise ValueError
            value = float(raw if not isinstance(raw, str) else raw[:40])
        except (ValueError, OverflowError):
            value = math.nan
        near = round(value, 9)  # 0.1 + 0.2 is taken for 0.3
        if not self.low <= near <= self.high or self._settle(near) != near:
            steps = "whole numbers" if self.step == 1 else f"steps of {self.step:g}"
            steps += f", {self.low:g} for the first" if self.kind == "step" else ""
            raise ValueError(
                f"{self.label} goes from {self.low:g} to {self.high:g} in {steps}: got {shown(raw)}"
            )
        return self._settle(near)

    def show(self, value: Value) -> str:
        digits = 0 if float(self.step).is_integer() else len(f"{self.step:g}".partition(".")[2])
        return f"{value:.{digits}f}"

    def _settle(self, value: float) -> int | float:
        near = self.low + round((value - self.low) / self.step) * self.step
        return int(near) if float(self.step).is_integer() else round(near, 9)


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few named options, {value: label}."""

    options: dict[Value, str]

    kind = "choice"

    def values(self) -> tuple[Value, ...]:
        return tuple(self.options)

    def parse(self, raw: object) -> Value:
        if isinstance(raw, (str, int)) and not isinstance(raw, bool):
            for value in self.options:
                if value == raw or str(value) == raw:
                    return value
        known = ", ".join(map(str, self.options))
        raise ValueError(f"{self.label} is one of {known}: got {shown(raw)}")

    def show(self, value: Value) -> str:
        return self.options[value]


@dataclass(frozen=True, kw_only=True)
class Step(Range):
    """A button that moves a whole number on by one, and from the end back to the start."""

    kind = "step"


@dataclass(frozen=True, kw_only=True)
class PartPicker(Range):
    """A whole number that chooses among the parts of what is painted, and changes none of them."""

    kind = "pick"


@dataclass(frozen=True, kw_only=True)
class Text(Control):
    """Free text (or a number typed in) that only a live page can follow."""

    parameter: TypedIn

    kind = "text"

    @property
    def max_length(self) -> int:
        """The longest text that is read."""
        return self.parameter.max_length

    def parse(self, raw: object) -> Value:
        if not isinstance(raw, (str, int)) or isinstance(raw, bool):
            raise ValueError(f"{self.label} is text: got {shown(raw)}")
        text = raw if isinstance(raw, str) else shown(raw)
        if len(text) > self.max_length:
            raise ValueError(
                f"{self.label} takes at most {self.max_length} characters: got {len(text)}"
            )
        return self.parameter.read(text)


def control_of(parameter: param.Parameter) -> Control | None:
    """Return the control of a parameter; None where a negative precedence hides it.

    Raises:
        TypeError: no kind of control fits.
    """
    owner: Any = parameter.owner if isinstance(parameter.owner, type) else type(parameter.owner)
    of_class = owner.param.objects(instance=False)[parameter.name]  # what is kept holds no session
    return _read_off(of_class, getattr(parameter, "bounds", None))


@lru_cache(maxsize=256)  # asked at every assignment; only bounds differ from session to session
def _read_off(parameter: param.Parameter, bounds: tuple[float, float] | None) -> Control | None:
    if parameter.name == "name" or (parameter.precedence or 0) < 0:
        return None
    common = {
        "name": parameter.name,
        "label": parameter.label,
        "help": parameter.doc or "",
        "default": parameter.default,
    }
    match parameter:
        case TypedIn():
            return Text(**common, parameter=parameter)
        case param.Boolean():
            return Switch(**common)
        case param.Selector():
            return Choice(**common, options={v: n for n, v in parameter.get_range().items()})
        case param.Number() if bounds is not None:
            low, high = bounds
            kind = {Cycle: Step, Pick: PartPicker}.get(type(parameter), Range)
            if kind is PartPicker:
                common["default"] = min(common["default"], high)
            return kind(**common, low=low, high=high, step=parameter.step or 1)
    raise TypeError(
        f"a control needs bounds, named objects or a switch: got {type(parameter).__name__} "
        f"{parameter.name}; give it bounds, or precedence=-1 if it is none"
    )


def controls_of(parameters: Iterable[param.Parameter]) -> tuple[Control, ...]:
    """Return the controls of these parameters, in their order."""
    return tuple(control for p in parameters if (control := control_of(p)) is not None)
