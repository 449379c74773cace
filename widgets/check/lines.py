"""Which lines of the checklist does the code keep? Each is measured from its own outputs."""

import numpy as np

from attention_widget.mask import causal_mask
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.drops import P
from attention_widget.widgets.check.hypotheses import distance
from attention_widget.widgets.check.measured import Measured, measured_scale, past_sums
from attention_widget.widgets.check.record import (
    FAILED,
    KEYS,
    NOT_APPLICABLE,
    PASSED,
    UNREACHED,
    CheckLine,
)
from attention_widget.widgets.check.reference import looped_attention

SOLVED = "the weights cannot be solved for: the outputs fit no way of cutting the heads"


def read_lines(m: Measured) -> tuple[CheckLine, ...]:
    """Return every line, in the order of `KEYS`."""
    made = {
        "mask_before_softmax": _mask,
        "rows_sum_over_past": _rows,
        "dropout_in_training": _dropout,
        "heads_divide_width": _heads,
        "scaled_scores": _scale,
        "one_projection": _projection,
        "score_shape": _shape,
        "future_stays_out": _future,
        "same_numbers": _same,
        "lengths": _lengths,
        "longer_context": _context,
        "precision": _precision,
    }
    return tuple(made[key](key, m) for key in KEYS)


def _line(key: str, passed: bool, why: str = "", **measured: float) -> CheckLine:
    numbers = {name: float(value) for name, value in measured.items()}
    return CheckLine(key, PASSED if passed else FAILED, numbers, "" if passed else why)


def _grain(m: Measured) -> float:
    return 1e-6 if m.one.fine else 1e-3


def _future_weight(weights: FloatArray) -> float:
    return float(np.abs(np.where(causal_mask(*weights.shape[-2:]), 0, weights)).max(initial=0))


def _mask(key: str, m: Measured) -> CheckLine:
    if m.weights is None:
        if m.leak[0] > _grain(m):
            return _line(key, False, "a later word changes an earlier output", leak=m.leak[0])
        return CheckLine(key, UNREACHED, {"leak": m.leak[0]}, SOLVED)
    future = _future_weight(m.weights)
    later = ~causal_mask(*m.weights.shape[-2:])
    closed = int((np.abs(m.weights[0, 0]) <= _grain(m))[later].sum())
    short = float(np.abs(past_sums(m.weights) - 1).max())
    why = (
        "later words have weight"
        if future > _grain(m)
        else "later words have no weight, yet took their share of the softmax"
    )
    return _line(
        key,
        future <= _grain(m) and short <= _grain(m) and m.leak[0] <= 0.1 * m.one.tolerance,
        why,
        closed=closed,
        wanted=int(later.sum()),
        future_weight=future,
    )


def _rows(key: str, m: Measured) -> CheckLine:
    if m.weights is None:
        return CheckLine(key, UNREACHED, why=SOLVED)
    sums = past_sums(m.weights)
    error, future = float(np.abs(sums - 1).max()), _future_weight(m.weights)
    passed = error <= _grain(m) and future <= _grain(m)
    why = f"a row sums to {sums.flat[np.abs(sums - 1).argmax()]:.3g} over itself and the past"
    return _line(key, passed, why, past_error=error, future_weight=future)


def _dropout(key: str, m: Measured) -> CheckLine:
    d = m.dropped
    if d is None:
        return CheckLine(key, NOT_APPLICABLE, why="your code has no dropout")
    numbers = {
        "ratio_low": d.low, "ratio_high": d.high, "ratio_wanted": 1 / (1 - P), "share": d.share,
        "p": P, "mean": d.mean, "inference_change": d.inference_change,
    }  # fmt: skip
    if d.kind == "raised":
        return CheckLine(key, FAILED, {}, d.raised)
    if d.kind == "unknown":
        return CheckLine(key, UNREACHED, numbers, SOLVED)
    reasons = {
        "none": "nothing is dropped in training",
        "elsewhere": "something other than the weights is dropped",
        "other": "the survivors grow by no one factor",
    }
    why = reasons.get(d.kind, "")
    if d.fault is not None:
        why = f"survivors × {d.high:.3g}, and × {1 / (1 - P):.3g} is due"
    if not why and abs(d.share - P) > d.share_error:
        why = f"{d.share:.2f} of the cells are dropped at p = {P:g}"
    if d.at_inference:
        why = "; ".join(filter(None, [why, "inference drops too"]))
    line = _line(key, not why, why, **numbers)
    if not d.switch and line.status == PASSED:
        told = "no training flag, so only the survivors were measured"
        return CheckLine(key, PASSED, line.measured, told)
    return line


def _heads(key: str, m: Measured) -> CheckLine:
    one = m.one
    numbers: dict[str, float] = {
        "d": one.parameters.d, "n_heads": one.n_heads, "d_head": one.d_head,
        "remainder": one.parameters.d % one.n_heads,
    }  # fmt: skip
    if one.subject.kind == "heads" and not one.subject.choose_heads:
        why = "it is given the heads, and cuts none"
        return CheckLine(key, NOT_APPLICABLE, numbers, why)
    if one.n_heads == 1 and not one.subject.choose_heads:
        return CheckLine(key, NOT_APPLICABLE, numbers, "your code has one head")
    if m.bad_heads:
        return _line(key, False, "an h that does not divide d is accepted", **numbers)
    if one.recovered is not None:
        cut = one.recovered.layout.split and one.recovered.layout.merge
        numbers["left_over"] = one.recovered.left_over
    elif one.causes:
        cut = not {"straight_reshape", "straight_merge"} & set(one.causes[0].names)
    else:
        return CheckLine(key, UNREACHED, numbers, SOLVED)
    line = _line(key, cut, "the heads were cut or merged without moving the head axis", **numbers)
    if m.bad_heads is None and cut:
        fixed = "h is fixed, so one that does not divide d was not tried"
        told = "each head brings its own width" if one.subject.choose_heads else fixed
        return CheckLine(key, PASSED, line.measured, told)
    return line


def _scale(key: str, m: Measured) -> CheckLine:
    found, due = measured_scale(m), m.one.d_head**-0.5
    if found is None:
        return CheckLine(key, UNREACHED, {"factor_due": due}, SOLVED)
    factor, rest = found
    numbers = {"factor": factor, "factor_due": due, "left_over": rest}
    if rest > (1e-3 if m.one.fine else 0.05):
        return CheckLine(key, UNREACHED, numbers, "the weights follow no softmax of q · k")
    why = f"q · k is multiplied by {factor:.3g}, and 1/√d_head = {due:.3g} is due"
    return _line(key, abs(factor / due - 1) <= (1e-3 if m.one.fine else 0.03), why, **numbers)


def _projection(key: str, m: Measured) -> CheckLine:
    one = m.one
    if one.parameters.w_o is None:
        return CheckLine(key, NOT_APPLICABLE, why="your code has no W_o")
    if one.recovered is not None:
        numbers = {"left_over": one.recovered.left_over}
        return _line(key, one.recovered.layout.project, "W_o is not applied", **numbers)
    if one.causes:
        return _line(
            key, "no_output_projection" not in one.causes[0].names, "W_o is not applied",
            left_over=distance(one.answer.output, one.due(one.x).output),
        )  # fmt: skip
    return CheckLine(key, UNREACHED, why=SOLVED)


def _shape(key: str, m: Measured) -> CheckLine:
    returned = m.one.answer.weights
    if returned is None:
        return CheckLine(key, NOT_APPLICABLE, why="your code returns no weights")
    b, t = m.one.x.shape[:2]
    names = ("batch", "heads", "queries", "keys")
    wanted = (b, m.one.n_heads, t, t)
    if returned.shape == (b, t, t):
        why = "the weights are returned as the mean over heads" if m.one.n_heads > 1 else "one head"
        return CheckLine(key, NOT_APPLICABLE, why=why)
    axes = dict(zip(names, returned.shape, strict=False))
    return _line(key, returned.shape == wanted, f"{wanted} is due: (B, h, T, T)", **axes)


def _future(key: str, m: Measured) -> CheckLine:
    leak, at = m.leak
    why = f"exchanging the words after word {at} changes an output up to it"
    return _line(key, leak <= 0.1 * m.one.tolerance, why, change=leak, word=at)


def _same(key: str, m: Measured) -> CheckLine:
    one, wrong = m.one, "the output is another one"
    if np.isnan(one.answer.output).any():
        return _line(key, False, "the output holds NaN", core=np.inf, loops=np.inf)
    core = distance(one.answer.output, one.correct(one.x).output)
    loops = distance(one.answer.output, looped_attention(one.x, one.parameters, one.n_heads))
    return _line(key, max(core, loops) <= one.tolerance, wrong, core=core, loops=loops)


def _lengths(key: str, m: Measured) -> CheckLine:
    bad = [t for t, trial in m.lengths.items() if trial.error > 30 * m.one.tolerance]
    if not m.one.causes:
        bad = [t for t, trial in m.lengths.items() if trial.raised]
    raised = next((m.lengths[t].raised for t in bad if m.lengths[t].raised), "")
    why = raised or f"T = {', '.join(map(str, bad))} gives other numbers than the rule for T = 6"
    return _line(key, not bad, why, **{f"T{t}": trial.error for t, trial in m.lengths.items()})


def _context(key: str, m: Measured) -> CheckLine:
    if m.context is None:
        return CheckLine(key, NOT_APPLICABLE, why="your code is given no longest T")
    passed = not m.context.raised and (not m.one.causes or m.context.error <= 30 * m.one.tolerance)
    return _line(key, passed, m.context.raised or "other numbers", error=m.context.error)


def _precision(key: str, m: Measured) -> CheckLine:
    trial, _ = m.single
    passed = not trial.raised and (not m.one.causes or trial.error <= 1e-4)
    return _line(key, passed, trial.raised or "other numbers", float32=trial.error)
