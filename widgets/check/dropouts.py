"""Where does the student's object keep its p, and which dropout acts after W_o?"""

from collections.abc import Iterator, Mapping
from typing import Any

from attention_widget.widgets.check.frameworks import is_module
from attention_widget.widgets.check.parameters import heads_of
from attention_widget.widgets.check.roles import role_of


def set_dropout(obj: Any, p: float, names: Mapping[str, str]) -> bool:
    """Set every p that acts on the weights; say whether there is one."""
    found = False
    for owner, name, value in _places(obj, names, "dropout"):
        _put(owner, name, value, p)
        found = True
    return found


def silence_late_dropout(obj: Any, names: Mapping[str, str]) -> tuple[str, ...]:
    """Switch off dropout after W_o, a step of its own in many models; name what was switched."""
    quiet = []
    for owner, name, value in [*_places(obj, names, "late_dropout"), *_after_heads(obj, names)]:
        _put(owner, name, value, 0.0)
        quiet.append(name)
    return tuple(quiet)


def _places(obj: Any, names: Mapping[str, str], role: str) -> Iterator[tuple[Any, str, Any]]:
    for owner in [*obj.modules()] if is_module(obj) else [obj]:
        members = dict(getattr(owner, "__dict__", {})) | (getattr(owner, "_modules", None) or {})
        for name, value in members.items():
            if role_of(name, names) != role:
                continue
            if type(value) in (int, float) or _is_p(getattr(value, "p", None)):
                yield owner, name, value
            elif type(value).__name__ == "Sequential":
                yield from (
                    (value, name, part) for part in value if _is_p(getattr(part, "p", None))
                )


def _after_heads(obj: Any, names: Mapping[str, str]) -> Iterator[tuple[Any, str, Any]]:
    """Yield what drops the output: a step behind W_o, or behind heads that drop on their own."""
    own = [place for place in _places(obj, names, "dropout") if place[0] is obj]
    if heads_of(obj) and any(
        True for head in heads_of(obj) for _ in _places(head, names, "dropout")
    ):
        yield from own
    for name, value in (getattr(obj, "_modules", None) or {}).items():
        if role_of(name, names) == "w_o" and type(value).__name__ == "Sequential":
            yield from ((value, name, part) for part in value if _is_p(getattr(part, "p", None)))


def _is_p(value: Any) -> bool:
    return type(value) in (int, float)


def _put(owner: Any, name: str, value: Any, p: float) -> None:
    if _is_p(getattr(value, "p", None)):
        value.p = p
    else:
        setattr(owner, name, p)
