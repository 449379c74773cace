"""Which colour says how much, and which ink stays readable on it?

Cividis: perceptually even, and the same to colour-blind and other readers. Its darkest end is cut
off so that a cell with little weight still differs from a masked one.
"""

from bokeh.palettes import Cividis256

SEEN = tuple(Cividis256[40:])
MASKED = "#2b2f36"
MASKED_HATCH = "#59606c"
DROPPED = "#ffffff"
DROPPED_HATCH = "#c2410c"
MASKED_INK = "#ffffff"
DROPPED_INK = "#8a2c06"
DARK, LIGHT = "#000000", "#ffffff"


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


INKS = tuple(ink_on(colour) for colour in SEEN)

MASKED_INDEX, DROPPED_INDEX = len(SEEN), len(SEEN) + 1
FILLS = (*SEEN, "#00000000", DROPPED)  # through a masked cell the hatched ground is seen
CELL_INKS = (*INKS, MASKED_INK, DROPPED_INK)


def palette_index(value: float, low: float, high: float) -> int:
    """Return the index of `value` in `SEEN`, clamped to its ends."""
    share = (value - low) / (high - low)
    return min(len(SEEN) - 1, max(0, int(share * len(SEEN))))
