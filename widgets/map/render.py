"""What does a map look like: cells, row sums, axes and the small maps of all heads?

Everything here formats arrays that a snapshot or a lab measured; nothing is computed anew.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.section.palette import DROPPED_INDEX, MASKED_INDEX, palette_index
from attention_widget.widgets.section.section import Slots

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


@lru_cache(maxsize=256)
def render_axes(tokens: tuple[str, ...], *, means: bool = True) -> Slots:
    """Render what depends on the tokens alone: places, names, labels, ranges, answers."""
    t = len(tokens)
    after = [*tokens[1:], "?"]
    labels = {i + 0.5: short(token) for i, token in enumerate(tokens)}
    sums = {t + SUM_AT: "sum"} | ({t + MEAN_AT: "mean"} if means else {})
    rows = {i + 0.5: f"{short(token)} → {short(after[i])}" for i, token in enumerate(tokens)}
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


def render_cells(
    shown: FloatArray,
    cell_states: npt.NDArray[np.str_],
    scores: FloatArray,
    weights: FloatArray,
    head: str,
    *,
    low: float = 0.0,
    high: float = 1.0,
    digits: int = 2,
) -> Slots:
    """Render the cells of one map, (T, T) arrays row by row.

    Args:
        shown: the values on screen.
        cell_states: "seen", "masked" or "dropped" for each cell.
        scores: what the tooltip calls score.
        weights: what the tooltip calls weight.
        head: what the tooltip calls head, for example "2 of 4".
        low: value of the palette's first colour.
        high: value of its last.
        digits: decimals in the cells.
    """
    shapes = render_shown(shown, cell_states, low=low, high=high, digits=digits)
    return (
        shapes
        | render_score(scores)
        | render_weight(weights)
        | {
            "source:cells.head": head  # one value for the whole column
        }
    )


def render_score(scores: FloatArray) -> Slots:
    """Render what the tooltip calls score."""
    return {"source:cells.score": [number(v) for v in scores.flat]}


def render_weight(weights: FloatArray) -> Slots:
    """Render what the tooltip calls weight."""
    return {"source:cells.weight": [number(v, 3) for v in weights.flat]}


def render_shown(
    shown: FloatArray,
    cell_states: npt.NDArray[np.str_],
    *,
    low: float = 0.0,
    high: float = 1.0,
    digits: int = 2,
) -> Slots:
    """Render the cells without their tooltips; see `render_cells`."""
    rows, columns = np.nonzero(cell_states == "dropped")
    return {
        "source:cells.value": _finite(shown),
        "source:cells.text": [
            number(v, digits) if state == "seen" or np.isinf(v) else _MARKS[str(state)]
            for v, state in zip(shown.flat, cell_states.flat, strict=True)
        ],
        "source:cells.state": [str(state) for state in cell_states.flat],
        "source:cells.palette_index": _palette_indices(shown, cell_states, low, high),
        "source:drops.x": [int(j) + 0.5 for j in columns],
        "source:drops.y": [int(i) + 0.5 for i in rows],
    }


def render_sums(*columns: FloatArray, tolerance: tuple[float, ...]) -> Slots:
    """Render columns of row sums, (T,) each; a sum within its tolerance of 1 is marked as "one"."""
    return {
        "source:sums.text": [number(v) for column in columns for v in column],
        "source:sums.verdict": [
            "one" if abs(v - 1) <= slack else "off"
            for column, slack in zip(columns, tolerance, strict=True)
            for v in column
        ],
    }


def pixels(weights: FloatArray, cell_states: npt.NDArray[np.str_]) -> dict[str, object]:
    """Return a small map, (T, T), as places in `palette.FILLS`."""
    return {
        "width": weights.shape[-1],
        "palette_indices": _palette_indices(weights, cell_states, 0.0, 1.0),
    }


def _palette_indices(
    shown: FloatArray, cell_states: npt.NDArray[np.str_], low: float, high: float
) -> list[int]:
    special = {"masked": MASKED_INDEX, "dropped": DROPPED_INDEX}
    return [
        special.get(str(state)) or palette_index(value, low, high)
        for value, state in zip(_finite(shown), cell_states.flat, strict=True)
    ]


def _finite(values: FloatArray) -> list[float]:
    return [float(v) if np.isfinite(v) else 0.0 for v in values.flat]


def _pairs(labels: dict[float, str]) -> list[list[object]]:
    return [[place, text] for place, text in labels.items()]
