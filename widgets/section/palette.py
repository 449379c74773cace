"""Which colour says how much, on a light page and on a dark one?

Weight is light: on a light page from near-white to a deep warm colour, on a dark page from dim to
bright. A masked cell is night with a hatch, far from every unmasked cell. A figure names the role
of each of its colours in its models' tags, so that the page can change the scheme while it stands.
"""

import math

from bokeh.models import Model

STEPS = 96
MASKED_INDEX, DROPPED_INDEX = STEPS, STEPS + 1
DARK, LIGHT = "#000000", "#ffffff"
Scheme = dict[str, str | tuple[str, ...]]


def luminance(colour: str) -> float:
    """Return the relative luminance of "#rrggbb", 0 to 1.

    Source: WCAG 2.1, "relative luminance".
    """
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (source: WCAG 2.1, "contrast ratio")."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on `colour`."""
    return max((DARK, LIGHT), key=lambda ink: contrast(ink, colour))


def ramp(first: str, middle: str, last: str, bend: float = 0.6) -> tuple[str, ...]:
    """Return `STEPS` colours from `first` over `middle`, reached at the share `bend`, to `last`."""
    colours = []
    for step in range(STEPS):
        share = step / (STEPS - 1)
        if share < bend:
            colours.append(_between(first, middle, share / bend))
        else:
            colours.append(_between(middle, last, (share - bend) / (1 - bend)))
    return tuple(colours)


def _between(a: str, b: str, share: float) -> str:
    pairs = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(x + (y - x) * share):02x}" for x, y in pairs)


def _scheme(seen: tuple[str, ...], **roles: str) -> Scheme:
    masked, dropped = roles["masked"], roles["dropped"]
    inks = (*map(ink_on, seen), roles["masked_ink"], ink_on(dropped))
    return roles | {
        "seen": seen,
        "fills": (*seen, "#00000000", dropped),  # through a masked cell the hatched ground is seen
        "pixels": (*seen, masked, dropped),
        "veil": (*seen, roles["hatch"], dropped),  # night grows light from its lightest part on
        "inks": inks,
        "arcs": (roles["arc"], roles["ahead"]),
        "sums": (roles["ink"], roles["ahead"]),
        "rings": (roles["answer"], roles["answer_masked"]),
    }


SCHEMES: dict[str, Scheme] = {
    "light": _scheme(
        ramp("#fff8e6", "#ffc53d", "#e8590c"),
        masked="#171a21",
        hatch="#333a47",
        masked_ink="#e6e9ee",
        dropped="#ffffff",
        cross="#c2410c",
        answer="#08306f",
        answer_masked="#8fc1ff",
        arc="#d9480f",
        ahead="#b3261e",
        ink="#17202c",
    ),
    "dark": _scheme(
        ramp("#8e6e38", "#d99a2b", "#ffd166"),
        masked="#07080b",
        hatch="#20252f",
        masked_ink="#d5dae3",
        dropped="#aab0bc",
        cross="#7a2a05",
        answer="#04143a",
        answer_masked="#8fc1ff",
        arc="#ffc04d",
        ahead="#ff8a80",
        ink="#edf0f4",
    ),
}


def palette_index(value: float, low: float, high: float) -> int:
    """Return the index of `value` in a scheme's "seen", clamped to its ends.

    A scale that starts at 0 is spaced by the square root, so that small weights are told apart.
    """
    share = min(1.0, max(0.0, (value - low) / (high - low)))
    if low == 0:
        share = math.sqrt(share)
    return min(STEPS - 1, int(share * STEPS))


def in_role(model: Model, **roles: str) -> None:
    """Say which role of a scheme each of these properties of a model takes its colour from."""
    model.tags = [{"roles": roles}]
