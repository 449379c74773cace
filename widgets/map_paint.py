"""What does a map look like: cells, row sums, axes and the small maps of all heads?

Everything here formats arrays that a snapshot or a lab measured; nothing is computed anew.
"""

import numpy as np
import numpy.typing as npt

from widgets.palette import DROPPED_PLACE, MASKED_PLACE, palette_index
from widgets.scene import Paint

FloatArray = npt.NDArray[np.floating]
MINUS_INFINITY = "−∞"
_MARKS = {"masked": "0", "dropped": "× 0"}
SUM_AT, MEAN_AT = 0.9, 1.95  # how far right of the last key the two columns of sums stand


def number(value: float | np.floating, digits: int = 2) -> str:
    """Write a number for a reader: true minus sign, no negative zero, words for nan and inf."""
    if np.isnan(value):
        return "n/a"
    if np.isinf(value):
        return MINUS_INFINITY if value < 0 else "∞"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


def short(token: str, longest: int = 9) -> str:
    """Shorten a token for an axis label."""
    return token if len(token) <= longest else token[: longest - 1] + "…"


def paint_axes(tokens: tuple[str, ...], *, means: bool = True) -> Paint:
    """Paint what depends on the tokens alone: places, names, labels, ranges, answers."""
    t = len(tokens)
    after = [*tokens[1:], "?"]
    labels = {i + 0.5: short(token) for i, token in enumerate(tokens)}
    sums = {t + SUM_AT: "sum"} | ({t + MEAN_AT: "mean"} if means else {})
    rows = {
        i + 0.5: f"{short(token)} → {short(after[i])}" for i, token in enumerate(tokens)
    }
    across = [j + 0.5 for _ in tokens for j in range(t)]
    down = [i + 0.5 for i in range(t) for _ in tokens]
    return {
        "source:cells.x": across,
        "source:cells.y": down,
        "source:cells.query": [token for token in tokens for _ in tokens],
        "source:cells.key": [token for _ in tokens for token in tokens],
        "source:ground.x": across,
        "source:ground.y": down,
        "source:answers.x": [i + 1.5 for i in range(t - 1)],
        "source:answers.y": [i + 0.5 for i in range(t - 1)],
        "source:sums.x": [at for at in sums for _ in tokens],
        "source:sums.y": [i + 0.5 for _ in sums for i in range(t)],
        "model:x_range": {"start": 0, "end": t + (2.5 if means else 1.45)},
        "model:y_range": {"start": t, "end": 0},
        "model:x_ticks": {"ticks": list(labels | sums)},
        "model:y_ticks": {"ticks": list(rows)},
        "model:x_axis": {"major_label_overrides": _pairs(labels | sums)},
        "model:y_axis": {"major_label_overrides": _pairs(rows)},
    }


def paint_cells(
    shown: FloatArray,
    kinds: npt.NDArray[np.str_],
    scores: FloatArray,
    weights: FloatArray,
    head: str,
    *,
    low: float = 0.0,
    high: float = 1.0,
    digits: int = 2,
) -> Paint:
    """Paint the cells of one map, (T, T) arrays row by row.

    Args:
        shown: the values on screen.
        kinds: "seen", "masked" or "dropped" for each cell.
        scores: what the tooltip calls score.
        weights: what the tooltip calls weight.
        head: what the tooltip calls head, for example "2 of 4".
        low: value of the palette's first colour.
        high: value of its last.
        digits: decimals in the cells.
    """
    rows, columns = np.nonzero(kinds == "dropped")
    return {
        "source:cells.value": _finite(shown),
        "source:cells.text": [
            number(v, digits) if kind == "seen" or np.isinf(v) else _MARKS[str(kind)]
            for v, kind in zip(shown.flat, kinds.flat, strict=True)
        ],
        "source:cells.kind": [str(kind) for kind in kinds.flat],
        "source:cells.score": [number(v) for v in scores.flat],
        "source:cells.weight": [number(v, 3) for v in weights.flat],
        "source:cells.head": head,  # one value for the whole column
        "source:cells.place": _places(shown, kinds, low, high),
        "source:drops.x": [int(j) + 0.5 for j in columns],
        "source:drops.y": [int(i) + 0.5 for i in rows],
    }


def paint_sums(*columns: FloatArray, tolerance: tuple[float, ...]) -> Paint:
    """Paint columns of row sums, (T,) each; a sum within its tolerance of 1 is marked as "one"."""
    return {
        "source:sums.text": [number(v) for column in columns for v in column],
        "source:sums.kind": [
            "one" if abs(v - 1) <= slack else "off"
            for column, slack in zip(columns, tolerance, strict=True)
            for v in column
        ],
    }


def pixels(weights: FloatArray, kinds: npt.NDArray[np.str_]) -> dict[str, object]:
    """Give a small map, (T, T), as places in `palette.FILLS`."""
    return {"width": weights.shape[-1], "places": _places(weights, kinds, 0.0, 1.0)}


def _places(
    shown: FloatArray, kinds: npt.NDArray[np.str_], low: float, high: float
) -> list[int]:
    special = {"masked": MASKED_PLACE, "dropped": DROPPED_PLACE}
    return [
        special.get(str(kind)) or palette_index(value, low, high)
        for value, kind in zip(_finite(shown), kinds.flat, strict=True)
    ]


def _finite(values: FloatArray) -> list[float]:
    return [float(v) if np.isfinite(v) else 0.0 for v in values.flat]


def _pairs(labels: dict[float, str]) -> list[list[object]]:
    return [[place, text] for place, text in labels.items()]
