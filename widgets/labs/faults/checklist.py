"""How does the measured checklist read? Word, icon and colour for each line, and its numbers."""

from collections.abc import Callable, Mapping

from attention_widget.checklist import ChecklistLine
from attention_widget.widgets.labs.faults.words import size
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.section import Slots

Numbers = Mapping[str, float]


def _mask(m: Numbers) -> str:
    return (
        f"{m['above']:.0f} of each head’s {m['wanted']:.0f} future scores at −∞, and "
        f"{m['elsewhere']:.0f} others"
    )


def _rows(m: Numbers) -> str:
    return (
        f"in any head, a row’s sum over itself and the past misses 1 by up to "
        f"{size(m['past_error'])}, and the largest weight on a later word is "
        f"{size(m['future_weight'])}"
    )


def _dropout(m: Numbers) -> str:
    return (
        f"survivors × {number(m['ratio_low'])}, due × {number(m['ratio_wanted'])}; dropout at "
        f"inference changes a weight by up to {size(m['inference_change'])}"
    )


def _heads(m: Numbers) -> str:
    whole = f"d = {m['d']:.0f}, h = {m['n_heads']:.0f}, remainder {m['remainder']:.0f}"
    return f"{whole}, d_head = {m['d_head']:.0f}" if "d_head" in m else whole


def _scale(m: Numbers) -> str:
    return f"q · k times {number(m['factor'], 3)}, due {number(m['factor_due'], 3)}"


def _projection(m: Numbers) -> str:
    return (
        f"output misses context × W_o by up to {size(m['projection_error'])} of its largest entry"
    )


def _shape(m: Numbers) -> str:
    return " × ".join(f"{m[axis]:.0f}" for axis in ("batch", "heads", "queries", "keys"))


RULES: dict[str, tuple[str, Callable[[Numbers], str]]] = {
    "mask_before_softmax": ("Future scores are −∞ before softmax", _mask),
    "rows_sum_over_past": ("Before dropout, each row sums to 1 over itself and the past", _rows),
    "dropout_in_training": ("Dropout in training only, survivors × 1/(1−p)", _dropout),
    "heads_divide_width": ("h divides d, each head is d/h wide", _heads),
    "scaled_scores": ("Scores are q · k / √d_head", _scale),
    "one_projection": ("Heads side by side, then one W_o", _projection),
    "score_shape": ("Scores are (B, h, T, T), quadratic in T", _shape),
}
VERDICTS = {"pass": ("✓", "pass"), "fail": ("✗", "fail"), "unreached": ("–", "not reached")}


def verdict(line: ChecklistLine) -> str:
    """Return "pass", "fail" or "unreached"."""
    return "unreached" if not line.reached else "pass" if line.passed else "fail"


def render_checklist(lines: tuple[ChecklistLine, ...]) -> Slots:
    """Render every line as a slot of its own, "check.<key>"."""
    return {f"check.{line.key}": [_line(line)] for line in lines}


def _line(line: ChecklistLine) -> list[object]:
    rule, tell = RULES[line.key]
    icon, word = VERDICTS[verdict(line)]
    measured = tell(line.measured) if line.reached else "the layer did not get this far"
    return [
        "div",
        {"class": f"check {verdict(line)}", "data-state": verdict(line)},
        ["strong", {"class": "verdict"}, ["i", {"aria-hidden": "true"}, icon], f" {word}"],
        ["span", {}, f"{rule} ", ["span", {"class": "note"}, f"measured: {measured}"]],
    ]


def passed_in_words(lines: tuple[ChecklistLine, ...]) -> str:
    """Say how many lines pass."""
    return f"{sum(line.passed for line in lines)} of {len(lines)} lines pass"
