"""What is one part of the lesson, so that a live page and a recorded page can both play it?

A section has controls, a state, and a `paint` that writes every painted property as an absolute
value. A live page sends what changed; a recording holds them all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from attention_widget.widgets.section.cache import Shared
from attention_widget.widgets.section.controls import Choice, Control, Text, Value
from attention_widget.widgets.section.state import SectionState

# A slot's value: text, attributes of an element, a column, or nested ["tag", {attributes}, ...].
Slots = dict[str, Any]
_SHARED: Shared[Slots] = Shared(places=256)  # of a class, many are in the same few states
REFUSED = "That was not taken; everything is as it was."


@dataclass
class Section:
    """A state, its controls, and how it is painted.

    Attributes:
        name: prefix of its slots and controls, for example "map".
        state: what the controls set.
        render_state: gives the painted slots, without the prefix.
        recorded: for a recording, which cannot take what is typed in.
        commands: commands of buttons, name -> function, for live pages only.
        controls: in the order in which the state declares them.
        problems: control name -> plain message, for input that was refused.
    """

    name: str
    state: SectionState
    render_state: Callable[[Any], Slots]
    recorded: bool = False
    commands: dict[str, Callable[[], None]] = field(default_factory=dict)
    controls: tuple[Control, ...] = field(init=False)
    problems: dict[str, str] = field(default_factory=dict, init=False)
    _painted: tuple[tuple[Any, ...], Slots] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        controls = self.state.controls()
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
        """Return every painted slot of the present state, keys prefixed with the section's name.

        The values are shared with other sessions and with the last paint: nobody changes them.
        """
        slots = dict(self._render_controls())
        for name in self.names:
            if isinstance(self.control(name), Text):
                slots[f"{self.name}.problem.{name}"] = self.problems.get(name, "")
        for name in self.problems:
            slots[f"{self.name}.announcement.{name}"] = REFUSED  # the reason stands at the control
        others = [m for n, m in self.problems.items() if not isinstance(self.control(n), Text)]
        slots[f"{self.name}.problems"] = [["p", {}, message] for message in others]
        return slots

    def _render_controls(self) -> Slots:
        """Render anew only when the state has changed, and only if no other session has done it."""
        parameters = self.state.param.values()
        state = tuple(parameters.values())
        if self._painted and all(a is b for a, b in zip(self._painted[0], state, strict=True)):
            return self._painted[1]
        if parameters.keys() - {"name"} == set(self.names):  # nothing that is this student's own
            key = (self.render_state, self.name, *self.values().items())
            slots = _SHARED.get(key, self._render_anew)
        else:
            slots = self._render_anew()
        self._painted = (state, slots)
        return slots

    def _render_anew(self) -> Slots:
        slots: Slots = {}
        for control in self.controls:
            value = getattr(self.state, control.name)
            slots[f"control.{control.name}"] = {"value": value}
            slots[f"announcement.{control.name}"] = f"{control.label}: {control.show(value)}."
            if not isinstance(control, (Choice, Text)):  # these show their value themselves
                slots[f"readout.{control.name}"] = control.show(value)
        slots["announcement.reset"] = "Back to the start."
        slots |= self.render_state(self.state)  # may say it better
        return {prefixed(self.name, key): value for key, value in slots.items()}


def prefixed(section: str, key: str) -> str:
    """Put the section's name into a slot's key: "kpi.x" or "source:value" -> "source:map.value"."""
    kind, colon, rest = key.partition(":")
    return f"{kind}:{section}.{rest}" if colon else f"{section}.{key}"


def _no(name: str) -> Control:
    raise KeyError(name)
