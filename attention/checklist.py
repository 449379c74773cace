"""Does a run keep the rules of the layer? Each line is measured, never read off a switch."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from attention_widget.faults import FaultRun
from attention_widget.mask import causal_mask
from attention_widget.measures import survivor_ratios
from attention_widget.sdpa import Attention
from attention_widget.validate import FloatArray

TOLERANCE = 1e-6
"""Above the rounding of float32, and far below the least fault."""

CHECKLIST = (
    "mask_before_softmax",
    "rows_sum_over_past",
    "dropout_in_training",
    "heads_divide_width",
    "scaled_scores",
    "one_projection",
    "score_shape",
)
"""The keys of the lines: the lesson's six rules in its order, and the scale that it builds on."""


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """One rule and what was measured of it.

    Attributes:
        key: one of `CHECKLIST`.
        passed: whether the measurement keeps the rule.
        reached: False when there was nothing to measure: the run was refused, or its score
            tensor has the wrong axes.
        measured: numbers by name.
    """

    key: str
    passed: bool
    reached: bool
    measured: Mapping[str, float]


def checklist(run: FaultRun) -> tuple[ChecklistLine, ...]:
    """Measure a run against the rules.

    mask_before_softmax: cells at -inf above the diagonal and elsewhere, of one (T, T) map.
    rows_sum_over_past: largest error of a row's sum over positions <= i; largest future weight.
    dropout_in_training: smallest and largest survivor / weight in training, the rule's 1/(1-p),
        the largest change of a weight at inference, within a run and between two runs, and how
        far training moved a weight before dropout, which acts after softmax only.
    heads_divide_width: d, h, d mod h, and the error of the scores, whatever their scale, against
        heads of width d/h.
    scaled_scores: the factor of q . k, the rule's 1/sqrt(d_head), and their distance.
    one_projection: error of the concatenation, and of the output against context W_o + b_o.
    score_shape: the four axes of the score tensor.
    """
    d = run.layer.w_q.shape[1]
    heads: dict[str, float] = {"d": d, "n_heads": run.n_heads, "remainder": d % run.n_heads}
    if run.training is None or run.inference is None or run.inference_again is None:
        return tuple(
            _line(key, False, heads) if key == "heads_divide_width" else _unreached(key)
            for key in CHECKLIST
        )
    shape = _shape_line(run, run.inference)
    if not shape.passed:  # heads and positions cannot be told apart
        return (*(_unreached(key) for key in CHECKLIST[:-1]), shape)
    return (
        _mask_line(run.inference),
        _rows_line(run.inference),
        _dropout_line(run, run.training, run.inference, run.inference_again),
        _heads_line(run, run.inference, heads),
        _scale_line(run, run.inference),
        _projection_line(run, run.inference),
        shape,
    )


def _mask_line(record: Attention) -> ChecklistLine:
    filled = np.isneginf(record.masked_scores)
    past = causal_mask(*filled.shape[-2:])
    wanted = int(np.count_nonzero(~past))
    above = (filled & ~past).sum((-2, -1)).min(initial=wanted)
    elsewhere = (filled & past).sum((-2, -1)).max(initial=0)
    return _line(
        "mask_before_softmax",
        above == wanted and elsewhere == 0,
        {"above": float(above), "wanted": wanted, "elsewhere": float(elsewhere)},
    )


def _rows_line(record: Attention) -> ChecklistLine:
    past = causal_mask(*record.weights.shape[-2:])
    error = _largest(np.where(past, record.weights, 0).sum(-1) - 1)
    future = _largest(np.where(past, 0, record.weights))
    return _line(
        "rows_sum_over_past",
        error <= TOLERANCE and future == 0,
        {"past_error": error, "future_weight": future},
    )


def _dropout_line(
    run: FaultRun, training: Attention, step: Attention, again: Attention
) -> ChecklistLine:
    wanted = 1 / (1 - run.dropout) if run.dropout < 1 else 0.0
    low, high = survivor_ratios(training.weights, training.dropped)
    none_left = not np.any(training.dropped)
    rescaled = none_left or max(abs(low - wanted), abs(high - wanted)) <= TOLERANCE * wanted
    change = _largest(step.dropped - step.weights)
    between = _largest(step.dropped - again.dropped)
    early = _largest(training.weights - step.weights)
    return _line(
        "dropout_in_training",
        rescaled and change == 0 and between == 0 and early == 0,
        {
            "ratio_low": low,
            "ratio_high": high,
            "ratio_wanted": wanted,
            "inference_change": change,
            "between_runs": between,
            "before_softmax": early,
        },
    )


def _heads_line(run: FaultRun, record: Attention, heads: dict[str, float]) -> ChecklistLine:
    width, (q, k) = run.layer.w_q.shape[1] // run.n_heads, _queries_and_keys(run)
    factor, _ = _scale(run, record)
    error = 0.0
    for head in range(run.n_heads):  # a loop on purpose: a second route to the same scores
        own = slice(head * width, (head + 1) * width)
        scores = factor * (q[..., own] @ k[..., own].swapaxes(-1, -2))
        error = max(error, _largest(record.scores[:, head] - scores, of=scores))
    passed = heads["remainder"] == 0 and error <= TOLERANCE
    return _line("heads_divide_width", passed, {**heads, "d_head": width, "score_error": error})


def _scale_line(run: FaultRun, record: Attention) -> ChecklistLine:
    factor, error = _scale(run, record)
    due = 1 / np.sqrt(run.layer.w_q.shape[1] // run.n_heads)
    measured = {"factor": factor, "factor_due": due, "factor_error": error}
    return _line("scaled_scores", error <= TOLERANCE, measured)


def _scale(run: FaultRun, record: Attention) -> tuple[float, float]:
    """Measure the factor of q . k and its error, whichever columns the heads were given.

    The diagonals of all heads add up to factor * sum_t q_t . k_t however the columns were cut, so
    that a wrong cut is not taken for a wrong scale.
    """
    due = float(1 / np.sqrt(run.layer.w_q.shape[1] // run.n_heads))
    q, k = _queries_and_keys(run)
    products = (q * k).sum()
    diagonals = record.scores.diagonal(axis1=-2, axis2=-1).sum()
    size = float(np.abs(q * k).sum())
    error = float(np.abs(diagonals - due * products)) / (due * size or 1.0)
    return (float(diagonals / products) if products else due), error


def _queries_and_keys(run: FaultRun) -> tuple[FloatArray, FloatArray]:
    layer = run.layer
    return _projected(run.x, layer.w_q, layer.b_q), _projected(run.x, layer.w_k, layer.b_k)


def _projection_line(run: FaultRun, record: Attention) -> ChecklistLine:
    layer, width = run.layer, run.layer.w_q.shape[1] // run.n_heads
    v = _projected(run.x, layer.w_v, layer.b_v)
    side_by_side = np.concatenate(
        [record.dropped[:, i] @ v[..., i * width : (i + 1) * width] for i in range(run.n_heads)],
        axis=-1,
    )  # (B, T, d)
    mixed = _projected(record.context, layer.w_o, layer.b_o)
    concat_error = _largest(record.context - side_by_side, of=side_by_side)
    same_shape = record.output.shape == mixed.shape
    error = _largest(record.output - mixed, of=mixed) if same_shape else float("inf")
    return _line(
        "one_projection",
        concat_error <= TOLERANCE and error <= TOLERANCE,
        {"concat_error": concat_error, "projection_error": error},
    )


def _shape_line(run: FaultRun, record: Attention) -> ChecklistLine:
    batch, t, _ = run.x.shape
    shape = record.scores.shape
    names = ("batch", "heads", "queries", "keys")
    wanted = (batch, run.n_heads, t, t)
    return _line("score_shape", shape == wanted, dict(zip(names, shape, strict=True)))


def _projected(x: FloatArray, w: FloatArray, b: FloatArray | None) -> FloatArray:
    product: FloatArray = x @ w
    return product if b is None else product + b


def _largest(error: FloatArray, of: FloatArray | None = None) -> float:
    """Return the largest size of an error, relative to the largest entry of `of` if that tops 1."""
    size = float(np.abs(error).max(initial=0))
    return size if of is None else size / max(1.0, float(np.abs(of).max(initial=0)))


def _line(key: str, passed: bool, measured: Mapping[str, float]) -> ChecklistLine:
    numbers = {name: float(value) for name, value in measured.items()}
    return ChecklistLine(key, bool(passed), True, MappingProxyType(numbers))


def _unreached(key: str) -> ChecklistLine:
    return ChecklistLine(key, False, False, MappingProxyType({}))
