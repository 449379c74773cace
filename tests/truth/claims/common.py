"""Claims that several sections share."""

import numpy as np

from tests.truth.independent import WORDS, T
from tests.truth.numbers import Claim

Claims = dict[str, list[Claim]]
ORDINALS = [Claim("place of a row", i) for i in range(1, T + 1)]


SCALE = [Claim("tick of the colour bar", value) for value in (0, 0.1, 0.3, 0.6, 1)]


def constants(*values: float) -> list[Claim]:
    """Claim numbers that stand in a sentence in every state."""
    return [Claim("constant", value) for value in values]


def these(kind: str, *values: float, digits: int | None = None) -> list[Claim]:
    """Claim several numbers of one kind."""
    return [Claim(kind, float(value), digits) for value in values]


def rounded(kind: str, values: np.ndarray | list[float], places: int) -> list[Claim]:
    """Claim a column of a figure, which is stored with so many places."""
    return [Claim(kind, round(float(value), places)) for value in np.ravel(values)]


def size(kind: str, value: float) -> list[Claim]:
    """Claim the size of an error, shown with two digits; below rounding it is shown as 0."""
    return [Claim(kind, 0.0 if value < 1e-9 else value, 2)]


def span(kind: str, values: np.ndarray) -> list[Claim]:
    """Claim "low to high"."""
    return these(kind, values.min(), values.max())


def map_claims(
    name: str,
    shown: np.ndarray,
    states: np.ndarray,
    scores: np.ndarray,
    head: tuple[int, int],
    sums: np.ndarray,
) -> Claims:
    """Claim the cells, tooltips, marks and row sums of one map of weights, arrays (T, T)."""
    rows, columns = np.nonzero(states == "dropped")
    return {
        f"source:{name}.cells.text": these("weight", *np.where(states == "seen", shown, 0).flat),
        f"source:{name}.cells.score": these("score in a tooltip", *scores.flat),
        f"source:{name}.cells.weight": these("weight in a tooltip", *shown.flat),
        f"source:{name}.cells.head": these("head in a tooltip", *head),
        f"source:{name}.drops.x": these("place of a dropped cell", *(columns + 0.5)),
        f"source:{name}.drops.y": these("place of a dropped cell", *(rows + 0.5)),
        f"source:{name}.sums.text": these("row sum", *sums),
        f"source:{name}.notes.text": SCALE,
    }


def cell_states(masked: np.ndarray, weights: np.ndarray, dropped: np.ndarray) -> np.ndarray:
    """Return "seen", "masked" or "dropped" for every cell."""
    lost = np.where((weights != 0) & (dropped == 0), "dropped", "seen")
    return np.where(masked, "masked", lost)


def place_of(word: str) -> int:
    """Return the place of a word of the sentence, from 1."""
    return WORDS.index(word) + 1
