"""What the numbers of the prompt cards' marks stand for."""

from typing import Any

from tests.truth.claims.common import Claims, these


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    marks = list(values.values())
    again = marks.count("again")
    count = these("marks", marks.count("got"), len(marks))
    return {
        "prompts.count": [*count, *(these("marks", again) if again else [])],
        "prompts.announcement.reset": these("cards", len(marks)),
    } | {f"prompts.announcement.q{n}": these("card", n) for n in range(1, len(marks) + 1)}
