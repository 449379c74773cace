"""What would the outputs be, had this fault been made? The lesson's own faults, run on any input.

Beside the lesson's faults stand a few that students make and the lab does not show (`OTHER`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from attention_widget.faults import FINITE_FILL, Fault, stages_for
from attention_widget.multihead import split_heads
from attention_widget.sdpa import Attention
from attention_widget.softmax import normalise
from attention_widget.stages import Stages
from attention_widget.validate import BoolArray, FloatArray
from attention_widget.widgets.check.parameters import Parameters

VISIBLE = (
    Fault.NO_MASK,
    Fault.WRONG_TRIANGLE,
    Fault.FINITE_FILL,
    Fault.ZERO_AFTER_SOFTMAX,
    Fault.MISSING_SCALE,
    Fault.STRAIGHT_RESHAPE,
    Fault.NO_OUTPUT_PROJECTION,
)
"""The faults that change an output without dropout."""


def _band(shift: int, t_q: int, t_k: int) -> BoolArray:
    return np.tri(t_q, t_k, shift, dtype=np.bool_)


def _over_queries(masked: FloatArray, allowed: BoolArray | None) -> FloatArray:
    return normalise(np.ascontiguousarray(masked.swapaxes(-1, -2))).swapaxes(-1, -2)


OTHER: dict[str, Callable[[Stages, int], Stages]] = {
    "sees_next_word": lambda s, h: replace(s, allow=partial(_band, 1)),
    "not_itself": lambda s, h: replace(s, allow=partial(_band, -1)),
    "scale_by_d": lambda s, h: replace(s, scale=lambda d_head: (d_head * h) ** -0.5),
    "scale_not_root": lambda s, h: replace(s, scale=lambda d_head: 1.0 / d_head),
    "scale_multiplied": lambda s, h: replace(s, scale=lambda d_head: d_head**0.5),
    "softmax_over_queries": lambda s, h: replace(s, normalise=_over_queries),
    "straight_merge": lambda s, h: s,
}
"""Further faults, by name: how they change the steps of a layer with h heads."""


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A set of faults that may explain the outputs.

    Attributes:
        names: values of `Fault` and names of `OTHER`.
        stages: the steps with the faults in place.
        straight_merge: whether the heads are merged without moving the axis back.
        fill: the finite number in the place of -inf, or None.
    """

    names: tuple[str, ...]
    stages: Stages
    straight_merge: bool = False
    fill: float | None = None

    def run(self, x: FloatArray, one: Parameters, n_heads: int) -> Attention:
        """Return what a layer with these faults computes, at inference."""
        layer = one.layer(n_heads)
        with np.errstate(all="ignore"):
            record = layer(x, causal=True, stages=self.stages)
            if not self.straight_merge:
                return record
            heads = split_heads(record.context, n_heads)  # (B, h, T, d_head)
            context = np.ascontiguousarray(heads).reshape(record.context.shape)
            output = self.stages.project(context, layer.w_o, layer.b_o)
        return replace(record, context=context, output=output)


RIGHT = Hypothesis((), Stages())


def hypotheses(
    size: int, n_heads: int, fills: Sequence[float], *, w_o: bool
) -> Iterator[Hypothesis]:
    """Yield every set of `size` faults, the lesson's own sets first.

    Args:
        size: how many faults.
        n_heads: h.
        fills: finite numbers to try in the place of -inf.
        w_o: whether there is a W_o to leave out.
    """
    faults = [f for f in VISIBLE if w_o or f is not Fault.NO_OUTPUT_PROJECTION]
    units = [fault.value for fault in faults] + list(OTHER)
    chosen = sorted(
        combinations(units, size), key=lambda names: sum(name in OTHER for name in names)
    )
    for names in chosen:
        if sum(name in OTHER for name in names) > 1:
            continue
        stages = stages_for({Fault(name) for name in names if name not in OTHER})
        for name in names:
            if name in OTHER:
                stages = OTHER[name](stages, n_heads)
        straight = "straight_merge" in names
        if Fault.FINITE_FILL.value in names:
            for value in fills:
                for fill in (_put, _add) if value else (_put,):  # to add 0 is no mask at all
                    filled = replace(stages, fill=partial(fill, value))
                    yield Hypothesis(names, filled, straight, value)
        else:
            yield Hypothesis(names, stages, straight)
        if Fault.STRAIGHT_RESHAPE.value in names and not straight:
            yield Hypothesis(names, stages, True)  # one slip, made on the way in and out


def _put(value: float, scores: FloatArray, allowed: BoolArray) -> FloatArray:
    return np.where(allowed, scores, scores.dtype.type(value))


def _add(value: float, scores: FloatArray, allowed: BoolArray) -> FloatArray:
    return np.where(allowed, scores, scores + scores.dtype.type(value))


USUAL_FILLS = (FINITE_FILL, 0.0, -1.0, -5.0, -20.0, -100.0)


def distance(mine: FloatArray, due: FloatArray) -> float:
    """Return the largest error relative to the largest entry of `due`, if that tops 1.

    A row that is NaN throughout, from a softmax over nothing, counts as 0, which the core gives.
    """
    if mine.shape != due.shape:
        return float("inf")
    empty = np.isnan(mine).all(axis=-1, keepdims=True)
    gap = np.abs(np.where(empty, 0, mine) - due)
    if not gap.size:
        return 0.0
    worst = float(gap.max()) if np.isfinite(gap).all() else float("inf")
    return worst / max(1.0, float(np.abs(due).max(initial=0)))


def explain(
    outputs: FloatArray,
    x: FloatArray,
    one: Parameters,
    n_heads: int,
    tolerance: float,
    fills: Sequence[float] = (),
    most: int = 3,
) -> list[Hypothesis]:
    """Return every set of faults, of the least size that fits, that gives exactly these outputs."""
    right = RIGHT.run(x, one, n_heads).output
    if not np.isnan(outputs).any() and distance(outputs, right) <= tolerance:
        return [RIGHT]
    for size in range(1, most + 1):
        fitting: dict[tuple[str, ...], Hypothesis] = {}
        for one_of in hypotheses(
            size, n_heads, tuple(dict.fromkeys((*USUAL_FILLS, *fills))), w_o=one.w_o is not None
        ):
            if one_of.names in fitting:
                continue
            if distance(outputs, one_of.run(x, one, n_heads).output) <= tolerance:
                fitting[one_of.names] = one_of
        if fitting:
            return list(fitting.values())
    return []
