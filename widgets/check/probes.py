"""What does the code do to other inputs: another future, other lengths, another dtype, a bad h?

Every probe compares with what is expected of the code, its known faults included, so that one
fault turns one line red.
"""

from dataclasses import dataclass, replace

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.check.hypotheses import distance
from attention_widget.widgets.check.learn import COARSE, Learned, inputs
from attention_widget.widgets.check.model import Model
from attention_widget.widgets.check.trouble import CodeError, UnclearError

LENGTHS = (1, 6, 33)


def change(before: FloatArray, after: FloatArray) -> float:
    """Return the largest change relative to the largest entry before; infinite if NaN came up."""
    known = np.isfinite(before)
    if not np.isfinite(after[known]).all():
        return float("inf")
    size = max(1.0, float(np.abs(before[known]).max(initial=0)))
    return float(np.abs(after[known] - before[known]).max(initial=0)) / size


def future_change(one: Learned, later: float | None = None) -> tuple[float, int]:
    """Exchange every word after t for another; return the largest change up to t, and its t.

    Args:
        one: the code.
        later: what to write into the later words; another draw of the words when left out.
    """
    other = inputs(one.spec.seed + 101, one.x.shape[1], one.parameters, one.n_heads)
    worst, at = 0.0, 0
    for t in range(1, one.x.shape[1]):
        x = one.x.copy()
        x[:, t:] = other[:, t:] if later is None else later
        doing = f"When the words after word {t} were exchanged"
        after = one.model.answer(x, one.way, doing=doing, seed=one.spec.seed).output
        moved = change(one.answer.output[:, :t], after[:, :t])
        if moved > worst:
            worst, at = moved, t
    return worst, at


def large_future(one: Learned) -> str:
    """Blow the last word up until scores pass 745, where exp ends; say what the past does then.

    Returns:
        "" when nothing moves, "nan" when it turns NaN (a softmax that lost all its weight to the
        future), "moves" when finite numbers change (a finite number that was added).
    """
    with np.errstate(all="ignore"):
        for size in (1e2, -1e2, 1e4, -1e4):
            x = one.x.copy()
            x[:, -1] *= size
            try:
                after = one.model.answer(x, one.way, seed=one.spec.seed).output[:, :-1]
            except CodeError:
                return ""
            before = one.answer.output[:, :-1]
            if not np.isfinite(after[np.isfinite(before)]).all():
                return "nan"
            if change(before, after) > one.tolerance:
                return "moves"
    return ""


def finite_fill(one: Learned) -> float | None:
    """Look for a finite number in the place of -inf: the size at which the first word leaks.

    The first word may attend to itself only. Its own score is made ever more negative, until the
    fill is the larger of the two; the answer lies within a factor of 2.
    """
    scores = one.correct(one.x).scores
    own = scores[0, :, 0, 0]
    if one.parameters.b_q is not None or one.parameters.b_k is not None:
        return None
    x = one.x[:1].copy()
    width = one.d_head
    rng = np.random.default_rng([one.spec.seed, 3])
    for _ in range(200):
        if own.min() < -0.5:
            break
        x[0, 0] = rng.standard_normal(x.shape[-1]) * np.abs(one.x).mean()
        own = one.correct(x).scores[0, :, 0, 0]
    else:
        return None
    least, first = float(own.min()) * (width**0.5 if _unscaled(one) else 1.0), x[0, 0].copy()
    for exponent in np.arange(0.0, 40.0, 1.0):
        wanted = 2.0**exponent
        x[0, 0] = first * (wanted / -least) ** 0.5
        try:
            output = one.model.answer(x, one.way, seed=one.spec.seed).output[0, 0]
        except CodeError:
            return None
        due = one.due(x[:, :1]).output[0, 0]
        size = max(1.0, float(np.abs(due).max()))
        if np.isfinite(output).all() and float(np.abs(output - due).max()) / size > 1e-3:
            return float(wanted)
    return None


def _unscaled(one: Learned) -> bool:
    return bool(one.causes) and "missing_scale" in one.causes[0].names


def lengths_for(one: Learned) -> tuple[int, ...]:
    """Return the lengths to try: `LENGTHS`, or fewer words where the code's own mask ends."""
    longest = one.model.longest or LENGTHS[-1]
    return tuple(dict.fromkeys(min(t, longest) for t in LENGTHS))


@dataclass(frozen=True, slots=True)
class Trial:
    """One further run: its error, or what was raised; `fits` is False where it cannot be tried."""

    error: float = 0.0
    raised: str = ""
    fits: bool = True


def try_length(one: Learned, t: int, model: Model | None = None) -> Trial:
    """Run the code on t words and compare."""
    model = model or one.model
    x = inputs(one.spec.seed, t, model.readings[one.reading], model.spec.n_heads)
    try:
        answer = model.answer(x, one.way, doing=f"With T = {t}", seed=one.spec.seed)
    except CodeError as error:
        return Trial(float("inf"), str(error))
    return Trial(distance(answer.output, one.due(x, model).output))


def try_context(one: Learned) -> Trial:
    """Make a layer for as many words as there are, then one for more, and give both six words."""
    worst = Trial()
    t = one.x.shape[1]
    for context in (t, 2 * t + 1):
        model = one.subject.build(replace(one.spec, context=context))
        trial = try_length(one, t, model)
        if trial.error >= worst.error:
            worst = trial
    return worst


def try_float32(one: Learned) -> tuple[Trial, str]:
    """Run the code in float32 and compare; also return the dtype that comes back."""
    model = one.subject.build(replace(one.spec, dtype="float32"))
    x = inputs(one.spec.seed, one.x.shape[1], model.readings[one.reading], model.spec.n_heads)
    try:
        answer = model.answer(x, one.way, doing="In float32", seed=one.spec.seed)
    except CodeError as error:
        return Trial(float("inf"), str(error)), ""
    rounded = x.astype(np.float32).astype(np.float64)
    return Trial(distance(answer.output, one.due(rounded, model).output)), answer.dtype


def single_tolerance(one: Learned) -> float:
    """Return how far float32 may be from float64: the scores' size enters by the exponent."""
    return max(COARSE, one.tolerance)


def accepts_bad_heads(one: Learned) -> bool | None:
    """Ask for an h that does not divide d; say whether the code went on, any exception will do.

    Returns:
        None where it cannot be asked: h is fixed, the matrices come with a head axis, or a head
        has a width of its own, which any h may share.
    """
    own_width = one.subject.kind == "class" and one.subject.make.has("d_head")
    if not one.subject.choose_heads or one.way.store == "heads" or own_width:
        return None
    d = one.spec.d
    bad = next(h for h in range(2, d) if d % h)
    x = inputs(one.spec.seed, one.x.shape[1], one.parameters, one.n_heads)
    try:
        spec = replace(one.spec, n_heads=bad)
        model = one.subject.build(spec)
        answer = model.answer(x, one.way, seed=one.spec.seed)
    except CodeError:
        return False
    except UnclearError:
        return True  # it was made, though its matrices then have sizes that do not fit
    width = model.readings[one.reading].d
    return None if width >= d and width % bad == 0 else bool(answer.output.size)
