"""How many words does an object take at most? Its mask is as large as that."""

from collections.abc import Iterator, Mapping
from typing import Any

from attention_widget.widgets.check.frameworks import is_module
from attention_widget.widgets.check.roles import plain, role_of

_MASKS = ("tril", "triu", "bias", "hide", "causal", "future")


def longest_of(obj: Any, names: Mapping[str, str]) -> int | None:
    """Return the smallest mask that the object keeps, as its number of words; None without one."""
    return min(_sizes(obj, names), default=None)


def _sizes(obj: Any, names: Mapping[str, str]) -> Iterator[int]:
    for owner in [*obj.modules()] if is_module(obj) else [obj]:
        members = dict(getattr(owner, "__dict__", {})) | (getattr(owner, "_buffers", None) or {})
        for name, value in members.items():
            if role_of(name, names) != "mask" and plain(name) not in _MASKS:
                continue
            shape = tuple(getattr(value, "shape", ()))
            if len(shape) >= 2 and shape[-1] == shape[-2]:
                yield int(shape[-1])
