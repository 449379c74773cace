"""How is a state rendered in parts, so that a recording need not render each part everywhere?"""

from collections.abc import Callable
from typing import Any

Render = Callable[[Any], dict[str, Any]]


class Groups:
    """Render functions of frozen settings that together render a state.

    A recording calls each only where a setting that it reads has another value. So slots that read
    the same settings belong into one function, and others into another.
    """

    def __init__(self, *renders: Render) -> None:
        self.renders = renders

    def __call__(self, settings: Any) -> dict[str, Any]:
        """Render everything."""
        slots: dict[str, Any] = {}
        for render in self.renders:
            slots |= render(settings)
        return slots


def groups_of(render: Render) -> tuple[Render, ...]:
    """Return the parts of a render function; itself when it has none."""
    return render.renders if isinstance(render, Groups) else (render,)


class Noted:
    """Frozen settings that note which of them were read.

    Args:
        settings: whose values are given.
        noted: takes the names of the settings that were asked for, also by a property.
    """

    def __init__(self, settings: Any, noted: set[str]) -> None:
        self._settings, self._noted = settings, noted

    def __getattr__(self, name: str) -> Any:
        derived = getattr(type(self._settings), name, None)
        if isinstance(derived, property) and derived.fget:
            return derived.fget(self)  # which reads settings in turn
        self._noted.add(name)
        return getattr(self._settings, name)
