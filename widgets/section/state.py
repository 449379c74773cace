"""What holds a section's values, and lets nothing in that a control could not show?"""

from dataclasses import make_dataclass
from functools import lru_cache
from typing import Any, cast

import param

from attention_widget.widgets.section.controls import (
    Control,
    PartPicker,
    Value,
    control_of,
    controls_of,
)


class SectionState(param.Parameterized):
    """The only thing that changes in a section. Each parameter is a control, read off it by
    `section.controls`; one with a negative precedence is none.

    Whoever sets a parameter, the page or Python code, by assignment or by `param.update`: a value
    that the control cannot take raises `ValueError` with the control's own message and is not set.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        parameter = None if name.startswith("_") else self.param.objects("existing").get(name)
        control = None if parameter is None else control_of(parameter)
        super().__setattr__(name, value if control is None else control.parse(value))

    def choose(self, **values: Any) -> None:
        """Set several parameters at once: all of them, or none when a value is refused.

        Raises:
            ValueError: a value is refused, with the rule.
        """
        controls = {control.name: control for control in self.controls()}
        parsed = {name: controls[name].parse(value) for name, value in values.items()}
        self.param.update(**{n: value for n, value in parsed.items() if getattr(self, n) != value})

    def follow(self, tokens: tuple[str, ...]) -> None:
        """Keep the controls' bounds to what there is of these words."""

    def controls(self) -> tuple[Control, ...]:
        """Return the controls, in the order in which the parameters are declared."""
        return controls_of(self.param.objects("existing").values())

    def values(self) -> dict[str, Value]:
        """Return every control's value."""
        return {name: getattr(self, name) for name in _names(cast("Any", type(self)))}

    def settings(self) -> Any:
        """Return the frozen copy of the controls' values, which is all that rendering reads."""
        return frozen_copy(cast("Any", type(self)))(**self.computed())

    def computed(self) -> dict[str, Value]:
        """Return the values that something is computed from, all but the pickers'."""
        kind = cast("Any", type(self))
        return {name: getattr(self, name) for name in _names(kind, computed=True)}


@lru_cache(maxsize=64)
def _names(state: Any, *, computed: bool = False) -> tuple[str, ...]:
    controls = controls_of(_declared(state))
    return tuple(c.name for c in controls if not (computed and isinstance(c, PartPicker)))


def _declared(state: type[SectionState]) -> list[param.Parameter]:
    return list(state.param.objects(instance=False).values())


@lru_cache(maxsize=64)
def frozen_copy(state: Any) -> type:
    """Return a frozen dataclass with a field per control of `state`; its values make an instance.

    What only picks a part of what is shown changes nothing that is computed, so it has no field. It
    can be compared and hashed, so it is a key for caches.
    """
    controls = [c for c in controls_of(_declared(state)) if not isinstance(c, PartPicker)]
    fields = [(control.name, type(control.default)) for control in controls]
    return make_dataclass(f"Frozen{state.__name__}", fields, frozen=True, slots=True, kw_only=True)
