"""What does a map look like: cells, answers, row sums and the small maps of all heads?

Everything here formats arrays that a snapshot or a lab measured; nothing is computed anew.
"""

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.section.palette import DROPPED_INDEX, MASKED_INDEX, palette_index
from attention_widget.widgets.section.section import Slots

FloatArray = npt.NDArray[np.floating]
TYPICAL_WEIGHT = 0.25  # of a cell that stands for any, in the sample of an answer
MINUS_INFINITY = "−∞"
MARKS = {"masked": "0", "dropped": "× 0"}


def number(value: float | np.floating, digits: int = 2) -> str:
    """Write a number for a reader: true minus sign, no negative zero, words for nan and inf."""
    if np.isnan(value):
        return "n/a"
    if np.isinf(value):
        return MINUS_INFINITY if value < 0 else "∞"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


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
    return {"source:cells.weight": [number(v) for v in weights.flat]}


def render_shown(
    shown: FloatArray,
    cell_states: npt.NDArray[np.str_],
    *,
    low: float = 0.0,
    high: float = 1.0,
    digits: int = 2,
) -> Slots:
    """Render the cells without their tooltips; see `render_cells`."""
    return render_marks(cell_states) | {
        "source:cells.text": [
            number(v, digits) if state == "seen" or np.isinf(v) else MARKS[str(state)]
            for v, state in zip(shown.flat, cell_states.flat, strict=True)
        ],
        "source:cells.palette_index": _palette_indices(shown, cell_states, low, high),
    }


def render_marks(cell_states: npt.NDArray[np.str_]) -> Slots:
    """Render what the state of the cells decides, whatever their values are."""
    rows, columns = np.nonzero(cell_states == "dropped")
    return render_answers(cell_states) | {
        "source:cells.state": [str(state) for state in cell_states.flat],
        "source:drops.x": [int(j) + 0.5 for j in columns],
        "source:drops.y": [int(i) + 0.5 for i in rows],
    }


def render_answers(cell_states: npt.NDArray[np.str_]) -> Slots:
    """Render the outlines of the cells that hold the answers, and a sample of one of them;
    `cell_states` is (T, T)."""
    after = np.diagonal(cell_states, 1)  # (T - 1,)
    masked = bool((after == "masked").any())
    return {
        "source:sample.answer.ring": [int(masked)],
        "source:sample.answer.palette_index": [
            MASKED_INDEX if masked else palette_index(TYPICAL_WEIGHT, 0.0, 1.0)
        ],
        "source:answers.x": [i + 1.5 for i in range(len(after))],
        "source:answers.y": [i + 0.5 for i in range(len(after))],
        "source:answers.ring": [int(state == "masked") for state in after],
    }


def render_sums(*columns: FloatArray, tolerance: tuple[float, ...]) -> Slots:
    """Render columns of row sums, (T,) each; the verdict is 1 where a sum is not
    within its tolerance of 1, else 0."""
    return {
        "source:sums.text": [number(v) for column in columns for v in column],
        "source:sums.verdict": [
            int(abs(v - 1) > slack)
            for column, slack in zip(columns, tolerance, strict=True)
            for v in column
        ],
    }


def no_sums(words: int, columns: int) -> Slots:
    """Render blanks in the places of the row sums."""
    return {
        "source:sums.text": [""] * words * columns,
        "source:sums.verdict": [0] * words * columns,
    }


def pixels(weights: FloatArray, cell_states: npt.NDArray[np.str_]) -> dict[str, object]:
    """Return a small map, (T, T), as places in a scheme's "pixels"."""
    return {
        "width": weights.shape[-1],
        "palette_indices": _palette_indices(weights, cell_states, 0.0, 1.0),
    }


def _palette_indices(
    shown: FloatArray, cell_states: npt.NDArray[np.str_], low: float, high: float
) -> list[int]:
    """A cell has the colour of the number that a reader sees in it, of two decimals."""
    special = {"masked": MASKED_INDEX, "dropped": DROPPED_INDEX}
    return [
        special.get(str(state)) or palette_index(round(value, 2), low, high)
        for value, state in zip(finite(shown), cell_states.flat, strict=True)
    ]


def finite(values: FloatArray) -> list[float]:
    """Return values row by row, with 0 where one is none that JSON can hold."""
    return [float(v) if np.isfinite(v) else 0.0 for v in values.flat]
