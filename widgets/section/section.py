"""What is one part of the lesson, so that a live page and a recorded page can both play it?

A section has controls, a state, and a `paint` that writes every painted property as an absolute
value. A live page sends what changed; a recording holds them all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from attention_widget.widgets.section.controls import (
    Choice,
    Control,
    PartPicker,
    Range,
    Text,
    Value,
)
from attention_widget.widgets.section.groups import Render, groups_of
from attention_widget.widgets.section.state import SectionState

# A slot's value: text, attributes of an element, a column, or nested ["tag", {attributes}, ...].
Slots = dict[str, Any]
REFUSED = "That was not taken; everything is as it was."


@dataclass
class Section:
    """A state, its controls, and how it is painted.

    Attributes:
        name: prefix of its slots and controls, for example "map".
        state: what the controls set.
        render_state: renders the frozen settings, without the prefix; `Groups` where in parts.
            A state that holds more than its controls is rendered itself.
        recorded: for a recording, which cannot take what is typed in.
        commands: commands of buttons, name -> function, for live pages only.
        about: makes the render function for other words than the lesson's; None where no words are
            shown. One function per words, for what it renders is shared between sessions.
        controls: in the order in which the state declares them.
        problems: control name -> plain message, for input that was refused.
    """

    name: str
    state: SectionState
    render_state: Render
    recorded: bool = False
    commands: dict[str, Callable[[], None]] = field(default_factory=dict)
    about: Callable[[tuple[str, ...]], Render] | None = None
    controls: tuple[Control, ...] = field(init=False)
    problems: dict[str, str] = field(default_factory=dict, init=False)
    _own: bool = field(init=False, repr=False)  # whether the state holds more than its controls

    def __post_init__(self) -> None:
        self._read_controls()

    def follow(self, tokens: tuple[str, ...]) -> bool:
        """Show these words from now on; say whether this section shows words at all."""
        if self.about is None:
            return False
        self.render_state = self.about(tokens)
        self.state.follow(tokens)
        self._read_controls()
        return True

    def _read_controls(self) -> None:
        controls = self.state.controls()
        self._own = len(list(self.state.param)) > len(controls) + 1  # the name is none
        self.controls = tuple(c for c in controls if not (self.recorded and isinstance(c, Text)))

    def control(self, name: str) -> Control:
        """Return the control `name`.

        Raises:
            KeyError: there is none.
        """
        return next(c for c in self.controls if c.name == name) if name in self.names else _no(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The controls' names."""
        return tuple(control.name for control in self.controls)

    def set(self, raw: Mapping[str, object]) -> None:
        """Set controls from outside; what is refused leaves a message and the last good value."""
        for name, value in raw.items():
            if name not in self.names:
                continue
            try:
                setattr(self.state, name, value)
            except ValueError as error:
                self.problems[name] = str(error)
            else:
                self.problems.pop(name, None)

    def reset(self) -> None:
        """Put every control back to where it started, and forget refused input."""
        self.problems.clear()
        self.state.param.update(**{c.name: c.default for c in self.controls})

    def values(self) -> dict[str, Value]:
        """Return every control's value."""
        return {name: getattr(self.state, name) for name in self.names}

    def render(self) -> Slots:
        """Return every slot of the present state, keys prefixed with the section's name.

        The values are shared with other sessions and with earlier answers: nobody changes them.
        """
        slots = self._render_reset()
        for control in self.controls:
            slots |= self._render_control(control, self.state)
        if self._own:
            slots |= _render(self.render_state, self.name, self.state)
        else:
            slots |= _shared(self.render_state, self.name, self.state.settings())
        return slots | self._render_problems()

    def groups(self) -> tuple[Callable[[Any], Slots], ...]:
        """Return functions of settings that render it in parts; a later one may say it better."""
        walked = (c for c in self.controls if not isinstance(c, PartPicker))
        return (
            lambda settings: self._render_reset() | self._render_problems(),
            *(partial(self._render_control, control) for control in walked),
            *(partial(_render, group, self.name) for group in groups_of(self.render_state)),
        )

    def _render_reset(self) -> Slots:
        return {f"{self.name}.announcement.reset": "Back to the start."}

    def _render_control(self, control: Control, settings: Any) -> Slots:
        value = getattr(settings, control.name)
        shown = control.show(value)
        slots: Slots = {
            f"{self.name}.control.{control.name}": {"value": value},
            f"{self.name}.announcement.{control.name}": f"{control.label}: {shown}.",
        }
        if not isinstance(control, (Choice, PartPicker, Text)):  # these show their value themselves
            slots[f"{self.name}.readout.{control.name}"] = shown
        if isinstance(control, Range) and control.kind == "range":
            slots[f"{self.name}.limit.{control.name}"] = {"max": control.high}
        return slots

    def _render_problems(self) -> Slots:
        slots: Slots = {}
        for control in self.controls:
            if isinstance(control, Text):
                slots[f"{self.name}.problem.{control.name}"] = self.problems.get(control.name, "")
        for name in self.problems:
            slots[f"{self.name}.announcement.{name}"] = REFUSED  # the reason stands at the control
        others = [m for n, m in self.problems.items() if not isinstance(self.control(n), Text)]
        slots[f"{self.name}.problems"] = [["p", {}, message] for message in others]
        return slots


def _render(render_state: Render, name: str, settings: Any) -> Slots:
    return {prefixed(name, key): value for key, value in render_state(settings).items()}


_shared = lru_cache(maxsize=256)(_render)  # of a class, many are in the same few states


def prefixed(section: str, key: str) -> str:
    """Put the section's name into a slot's key: "kpi.x" or "source:value" -> "source:map.value"."""
    kind, colon, rest = key.partition(":")
    return f"{kind}:{section}.{rest}" if colon else f"{section}.{key}"


def _no(name: str) -> Control:
    raise KeyError(name)
