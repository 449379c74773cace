"""Is this attention right? Every probe in its order, and the record that comes of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.check.diagnosis import diagnose
from attention_widget.widgets.check.drops import measure_dropout
from attention_widget.widgets.check.frameworks import steady
from attention_widget.widgets.check.learn import WORDS, Learned, learn
from attention_widget.widgets.check.lines import read_lines
from attention_widget.widgets.check.measured import Measured
from attention_widget.widgets.check.probes import (
    accepts_bad_heads,
    finite_fill,
    future_change,
    large_future,
    lengths_for,
    try_context,
    try_float32,
    try_length,
)
from attention_widget.widgets.check.record import FAILED, Check, unmeasured
from attention_widget.widgets.check.roles import check_names
from attention_widget.widgets.check.subject import Subject
from attention_widget.widgets.check.trouble import CodeError, UnclearError, sentence

FLOAT16_MAX = 65504


def name_of(mine: Any) -> str:
    """Return what to call the student's code."""
    return str(getattr(mine, "__name__", None) or type(mine).__name__)


def run_check(
    mine: Any, *, names: Mapping[str, str] | None = None, n_heads: int | None = None, seed: int = 0
) -> Check:
    """Measure the code here and now, with no time limit; see `check_attention`."""
    names = check_names(names or {})
    try:
        with steady(), np.errstate(all="ignore"):
            return _measure(learn(Subject(mine, names, n_heads), seed))
    except (CodeError, UnclearError) as trouble:
        return unmeasured(name_of(mine), str(trouble))
    except Exception as error:  # an autograder wants an answer, and the author of this a report
        told = "The check itself failed on your code, which is a fault of the check"
        return unmeasured(name_of(mine), f"{told}: {sentence(error)}")


def _measure(one: Learned) -> Check:
    weights = _weights(one)
    right = one.correct(one.x).weights
    m = Measured(
        one=one,
        weights=weights,
        leak=future_change(one),
        lengths={t: try_length(one, t) for t in lengths_for(one)},
        context=try_context(one) if _has_context(one) else None,
        single=try_float32(one),
        bad_heads=accepts_bad_heads(one),
        dropped=measure_dropout(one) if one.subject.has_dropout else None,
    )
    lines = read_lines(m)
    passed = all(line.status != FAILED for line in lines)
    return Check(
        name=name_of(one.subject.mine),
        passed=passed and one.right,
        lines=lines,
        diagnosis=None if passed else diagnose(m, right[0, 0]),
        remarks=tuple(_remarks(m)),
        learned=_learned(one),
        words=WORDS,
        mine=() if weights is None else _rows(weights[0, 0] if weights.ndim == 4 else weights[0]),
        right=_rows(right[0, 0]),
    )


def _rows(array: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(value) for value in row) for row in array)


def _has_context(one: Learned) -> bool:
    return one.subject.kind == "class" and (
        one.subject.make.has("context") or one.subject.make.has("config")
    )


def _weights(one: Learned) -> FloatArray | None:
    """Return the code's weights at inference: solved from the outputs, else those of its cause.

    What the code returns beside its output is not believed: the output is what a model uses.
    """
    if one.recovered is not None:
        return one.recovered.weights
    if one.causes:
        return one.due(one.x).weights
    return None


def _learned(one: Learned) -> dict[str, str]:
    axes = {
        "batch": "(B, T, d)",
        "single": "(T, d)",
        "first": "(T, B, d)",
        "heads": "(B, h, T, d_head)",
    }
    return {
        "framework": one.subject.framework,
        "kind": one.subject.kind,
        "input": axes[one.way.axes],
        "matrices": one.parameters.note,
        "mask": one.way.mask,
        "returns weights": "yes" if one.answer.weights is not None else "no",
    }


def _remarks(m: Measured) -> list[str]:
    one, said = m.one, []
    if one.model.changed:
        changed = ", ".join(sorted(one.model.changed))
        said.append(f"Your code changes the arrays it is given: {changed}.")
    if one.answer.kind:
        said.append(f"Your code returns {one.answer.kind}, not an array; its numbers were read.")
    if one.subject.quiet:
        said.append(
            f"The dropout after W_o ({', '.join(one.subject.quiet)}) was switched off to measure "
            "the one on the weights."
        )
    if one.right:
        said += _fill_remarks(one)
    returned = one.answer.weights
    if one.right and returned is not None and returned.shape == one.due(one.x).weights.shape:
        gap = float(np.abs(returned - one.due(one.x).weights).max())
        if not gap <= 30 * one.tolerance:
            said.append(
                f"The weights that your code returns are not those it used: up to {gap:.2g} apart."
            )
    for name, value in (("NaN", np.nan), ("infinity", np.inf)):
        moved = _poisoned(one, value)
        if moved:
            said.append(
                f"{name} in a later word reaches earlier outputs (0 × {name} is NaN). PyTorch's "
                "own functions do so too."
            )
            break
    dtype = m.single[1]
    if dtype and dtype != "float32" and one.subject.framework == "numpy":
        said.append(f"float32 in, {dtype} out.")
    return said


def _poisoned(one: Learned, value: float) -> bool:
    try:
        return future_change(one, value)[0] == float("inf")
    except CodeError:
        return True


def _fill_remarks(one: Learned) -> list[str]:
    fill = finite_fill(one)
    if fill is not None:
        text = (
            f"Forbidden scores hold a finite number near −{_about(fill)}, not −∞: at ordinary "
            "scores the weight is exactly 0 in float32 and float64."
        )
        if fill > FLOAT16_MAX:
            text += f" In float16, which ends at {FLOAT16_MAX:,}, it overflows."
        else:
            text += " A score below it lets the future in; in float16 scores come closer to it."
        return [text]
    kind = large_future(one)
    if kind == "nan":
        return [
            "The numbers are right. You zero the future after softmax and renormalise: when a "
            "later score is 745 above the others nothing is left to renormalise, and the row is "
            "NaN. −∞ before softmax has no such edge."
        ]
    if kind == "moves":
        return [
            "The numbers are right at ordinary scores; a very large later word still changes "
            "earlier outputs, so what stands in the forbidden cells is finite."
        ]
    return []


def _about(value: float) -> str:
    exponent = int(np.floor(np.log10(value)))
    return f"10^{exponent}" if exponent > 3 else f"{value:.0f}"
