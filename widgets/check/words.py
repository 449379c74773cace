"""How does each line of a check read, and how are its numbers told?"""

from collections.abc import Callable, Mapping

from attention_widget.widgets.check.record import (
    FAILED,
    NOT_APPLICABLE,
    PASSED,
    UNREACHED,
    CheckLine,
)

Numbers = Mapping[str, float]
ICONS = {PASSED: "✓", FAILED: "✗", UNREACHED: "–", NOT_APPLICABLE: "·"}
RULES = {
    "mask_before_softmax": "Future scores are −∞ before softmax",
    "rows_sum_over_past": "Before dropout, each row sums to 1 over itself and the past",
    "dropout_in_training": "Dropout on the weights, in training only, survivors × 1/(1−p)",
    "heads_divide_width": "h divides d, each head is d/h wide",
    "scaled_scores": "Scores are q · k / √d_head",
    "one_projection": "Heads side by side, then one W_o",
    "score_shape": "Weights are (B, h, T, T)",
    "future_stays_out": "Another future changes nothing before it",
    "same_numbers": "The numbers of two independent references",
    "lengths": "T = 1, 6 and 33",
    "longer_context": "A layer made for more words than there are",
    "precision": "float32 agrees with float64",
}


def size(value: float) -> str:
    """Write a number with three digits, however small or large it is."""
    return f"{value:.3g}".replace("-", "−")


TOLD: dict[str, Callable[[Numbers], str]] = {
    "mask_before_softmax": lambda m: (
        f"{m['closed']:.0f} of {m['wanted']:.0f} future cells of head 1 have no weight"
        if "closed" in m
        else f"an earlier output moves by {size(m['leak'])}"
    ),
    "rows_sum_over_past": lambda m: (
        f"a row misses 1 by up to {size(m['past_error'])}; largest future weight "
        f"{size(m['future_weight'])}"
    ),
    "dropout_in_training": lambda m: (
        f"survivors × {size(m['ratio_low'])} to {size(m['ratio_high'])}, due × "
        f"{size(m['ratio_wanted'])}; {size(m['share'])} of the cells dropped at p = "
        f"{size(m['p'])}; mean × {size(m['mean'])}; two calls at inference differ by "
        f"{size(m['inference_change'])}"
    ),
    "heads_divide_width": lambda m: (
        f"d = {m['d']:.0f}, h = {m['n_heads']:.0f}, d_head = {m['d_head']:.0f}"
        + (f"; {size(m['left_over'])} of the output left unexplained" if "left_over" in m else "")
    ),
    "scaled_scores": lambda m: f"factor {size(m['factor'])}, due {size(m['factor_due'])}",
    "one_projection": lambda m: f"{size(m['left_over'])} of the output left unexplained",
    "score_shape": lambda m: " × ".join(f"{value:.0f}" for value in m.values()),
    "future_stays_out": lambda m: f"largest change {size(m['change'])}",
    "same_numbers": lambda m: f"off by {size(m['core'])} and {size(m['loops'])}",
    "lengths": lambda m: ", ".join(f"{key[1:]}: off by {size(v)}" for key, v in m.items()),
    "longer_context": lambda m: f"off by {size(m['error'])}",
    "precision": lambda m: f"float32 off by {size(m['float32'])}",
}


def tell(line: CheckLine) -> str:
    """Return the measured numbers of a line in words; empty where nothing was measured."""
    reached = line.status in (PASSED, FAILED) and line.measured
    return TOLD[line.key](line.measured) if reached else ""
