"""How is a value that came from outside quoted in a message?"""

from typing import Any


def shown(raw: Any) -> str:
    """Return what was given, short and on one line, so that a message stays readable."""
    if isinstance(raw, str):
        text = " ".join("".join(c if c.isprintable() else " " for c in raw[:500]).split())
        return f"“{text}”" if len(text) <= 46 else f"“{text[:44]}…”"
    if isinstance(raw, int) and raw.bit_length() > 64:
        return "a number of very many digits"
    return repr(raw) if raw is None or isinstance(raw, (int, float)) else f"a {type(raw).__name__}"
