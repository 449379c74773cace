"""What can be read off a map of weights? Every figure here is measured, never derived."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

from attention_widget.mask import causal_mask
from attention_widget.validate import FloatArray


def sees_future(weights: FloatArray) -> bool:
    """Say whether any weight above the diagonal is not exactly 0; NaN there counts as seeing.

    Args:
        weights: (..., T_q, T_k).
    """
    return bool(((weights != 0) & ~causal_mask(*weights.shape[-2:])).any())


def masked_cells(masked_scores: FloatArray) -> int:
    """Count the cells at -inf; give one (T, T) map for one head's T(T-1)/2.

    Args:
        masked_scores: (..., T_q, T_k); a whole (h, T, T) tensor counts h times as many.
    """
    return int(np.count_nonzero(np.isneginf(masked_scores)))


def row_sums(weights: FloatArray) -> FloatArray:
    """Sum every row, (..., T_q, T_k) -> (..., T_q): 1 before dropout, anything after."""
    total: FloatArray = weights.sum(axis=-1)
    return total


def dropped_cells(weights: FloatArray, dropped: FloatArray) -> int:
    """Count the cells that had weight and lost it; masked cells had none to lose."""
    return int(np.count_nonzero((weights != 0) & (dropped == 0)))


def cell_states(
    masked_scores: FloatArray, weights: FloatArray, dropped: FloatArray
) -> npt.NDArray[np.str_]:
    """Say of every cell whether it is "masked", "dropped" or "seen"; arrays of one shape.

    Args:
        masked_scores: a cell at -inf is masked.
        weights: after softmax.
        dropped: after dropout; a cell that had weight and lost it is dropped.
    """
    lost = (weights != 0) & (dropped == 0)
    return np.where(np.isneginf(masked_scores), "masked", np.where(lost, "dropped", "seen"))


def survivor_ratios(weights: FloatArray, dropped: FloatArray) -> tuple[float, float]:
    """Measure by how much dropout grew the survivors: smallest and largest dropped / weights.

    Correct dropout gives 1/(1-p) for both. (nan, nan) when no cell survived.
    """
    alive = (weights != 0) & (dropped != 0)
    if not alive.any():
        return float("nan"), float("nan")
    ratios = dropped[alive].astype(np.float64) / weights[alive].astype(np.float64)
    return float(ratios.min()), float(ratios.max())


def answer_weights(weights: FloatArray) -> FloatArray:
    """Return the weight of every row on the token it has to predict: a_{t,t+1}.

    Args:
        weights: (..., T, T).

    Returns:
        (..., T-1): the last row's answer is not in the sentence.
    """
    return np.diagonal(weights, offset=1, axis1=-2, axis2=-1)


def weight_on_answers(weights: FloatArray) -> float:
    """Average `answer_weights`; 0.0 when there is no answer to read (T < 2)."""
    answers = answer_weights(weights)
    return float(answers.mean()) if answers.size else 0.0


def row_change(weights_off: FloatArray, weights_on: FloatArray) -> FloatArray:
    """Measure how far each row moved: total variation 1/2 sum_j |a_ij - b_ij|.

    Args:
        weights_off: (..., T_q, T_k), for example with the mask off.
        weights_on: the same shape.

    Returns:
        (..., T_q): 0 = untouched, 1 = nothing in common.
    """
    change: FloatArray = np.abs(weights_off - weights_on).sum(axis=-1) / 2
    return change


def total_variation(a: FloatArray, b: FloatArray) -> float:
    """Average `row_change` over all rows: the distance between two maps, 0 to 1."""
    change = row_change(a, b)
    return float(change.mean()) if change.size else 0.0


def closest_heads(weights: FloatArray) -> float:
    """Return the smallest `total_variation` between two heads; nan for a single head.

    Args:
        weights: (h, T, T).
    """
    return min((total_variation(a, b) for a, b in combinations(weights, 2)), default=float("nan"))
