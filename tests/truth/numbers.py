"""Which numbers does a reader see, and is each what was computed by other code?

A slot's value is read as a reader reads it: texts, names for screen readers, columns of a figure
and bars. Every number in it needs a claim: its kind and its value, in the order of reading.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

NAMES = re.compile(r"GPT-2 124M|GPT-2|float32|float64|√64")
UNITS = {
    "%": 0.01,
    " KiB": 2**10,
    " MiB": 2**20,
    " GiB": 2**30,
    " TiB": 2**40,
    " thousand": 1e3,
    " million": 1e6,
    " billion": 1e9,
    " trillion": 1e12,
    " quadrillion": 1e15,
}
NUMBER = re.compile(rf"(−?)(\d+(?:,\d{{3}})*(?:\.\d+)?(?:e-?\d+)?)({'|'.join(UNITS)})?")
READ_ALOUD = ("aria-label", "aria-valuetext", "data-level", "first")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a number stands for.

    Attributes:
        kind: in words, for the message and the count.
        value: computed by code of the tests.
        digits: significant digits it is shown with; None where its decimals say so, and where a
            number without decimals is exact.
        places: decimals it was rounded to, where zeros at its end are left out.
        slack: how far the page's own value may be off because it is computed in float32.
    """

    kind: str
    value: float
    digits: int | None = None
    places: int | None = None
    slack: float = 0.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as it stands on the page."""

    text: str
    value: float
    unit: float
    decimals: int


def read(value: Any) -> Iterator[str]:
    """Yield every text that a reader meets in a slot's value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (str(value[name]) for name in READ_ALOUD if name in value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield _plain(value)
    elif isinstance(value, (list, tuple)):
        nested = len(value) > 1 and isinstance(value[0], str) and isinstance(value[1], dict)
        for part in value[1:] if nested else value:
            yield from read(part)


def _plain(value: float) -> str:
    text = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text.replace("-", "−")


@cache
def shown_in(text: str) -> tuple[Shown, ...]:
    """Return the numbers of one text."""
    if text in ("−∞", "∞"):
        return (Shown(text, -math.inf if text == "−∞" else math.inf, 1, 0),)
    found = []
    for sign, digits, unit in NUMBER.findall(NAMES.sub("", text)):
        plain = digits.replace(",", "")
        found.append(
            Shown(
                text=f"{sign}{digits}{unit}",
                value=float(plain) * (-1 if sign else 1),
                unit=UNITS.get(unit, 1),
                decimals=len(plain.partition(".")[2]),
            )
        )
    return tuple(found)


def numbers(value: Any) -> list[Shown]:
    """Return every number that a reader meets in a slot's value, in order."""
    return [number for text in read(value) for number in shown_in(text)]


def agrees(shown: Shown, claim: Claim) -> bool:
    """Say whether a number is its claim, rounded to the digits that are shown and no further."""
    due = claim.value / shown.unit
    if math.isinf(shown.value) or math.isinf(due) or math.isnan(due):
        return shown.value == due
    if claim.places is not None:
        half = 0.5 * 10.0**-claim.places
    elif claim.digits is not None and due:
        half = 0.5 * 10.0 ** (math.floor(math.log10(abs(due))) - claim.digits + 1)
        half = max(half, 0.5 * 10.0**-shown.decimals) if shown.decimals > claim.digits else half
    else:
        half = 0.5 * 10.0**-shown.decimals if shown.decimals else 0.0
    return abs(shown.value - due) <= half * (1 + 1e-9) + 1e-9 + claim.slack


def faults_of(key: str, value: Any, claims: list[Claim]) -> list[str]:
    """Compare a slot with its claims; return what is wrong, in words."""
    found = numbers(value)
    if len(found) != len(claims):
        return [
            f"{key}: {len(found)} numbers on the page, {len(claims)} claimed: "
            f"{[n.text for n in found][:12]} against {claims[:12]}"
        ]
    return [
        f"{key}: {number.text} is shown, {claim.kind} is {claim.value!r}"
        for number, claim in zip(found, claims, strict=True)
        if not agrees(number, claim)
    ]
