"""The lesson around the core; `Dashboard` displays it, and loads Panel only when it is used."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attention_widget.widgets.notebook import Dashboard

__all__ = ["Dashboard"]


def __getattr__(name: str) -> Any:
    if name == "Dashboard":
        from attention_widget.widgets.notebook import Dashboard

        return Dashboard
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
