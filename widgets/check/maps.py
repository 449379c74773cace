"""Which weights did the student's code use, when it returns none? The outputs tell.

Y = [A_1 V_1, ..., A_h V_h] W_o + b_o. V and W_o are known; as long as T < d_head, every row of A_i
is the solution of more equations than unknowns, so that what is left over tells whether the heads
were cut and merged as supposed.
"""

from dataclasses import dataclass

import numpy as np

from attention_widget.faults import reshape_straight
from attention_widget.multihead import split_heads
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.parameters import Parameters


@dataclass(frozen=True, slots=True)
class Layout:
    """How the width was cut into heads, merged again, and mixed.

    Attributes:
        split: whether the head axis was moved when the width was cut.
        merge: whether it was moved back.
        project: whether W_o was applied.
    """

    split: bool = True
    merge: bool = True
    project: bool = True


LAYOUTS = tuple(
    Layout(split, merge, project)
    for split, merge in ((True, True), (False, True), (False, False), (True, False))
    for project in (True, False)
)


@dataclass(frozen=True, eq=False)
class Recovered:
    """Weights (B, h, T, T) that explain the outputs, and the share of the outputs they leave."""

    weights: FloatArray
    left_over: float
    layout: Layout


def values_of(x: FloatArray, one: Parameters) -> FloatArray:
    """Return the projected values, (B, T, d)."""
    projected: FloatArray = x @ one.w_v
    return projected if one.b_v is None else projected + one.b_v


def recover(
    output: FloatArray, x: FloatArray, one: Parameters, n_heads: int, layout: Layout
) -> Recovered | None:
    """Solve for the weights under one layout; None when T > d_head or W_o cannot be undone."""
    t, width = x.shape[1], one.d // n_heads
    if t > width or not np.isfinite(output).all():
        return None
    context = output
    if layout.project and one.w_o is not None:
        if one.w_o.shape[1] < one.d or np.linalg.cond(one.w_o) > 1e5:
            return None
        context = (output if one.b_o is None else output - one.b_o) @ np.linalg.pinv(one.w_o)
    if context.shape[-1] != one.d:
        return None
    values = (split_heads if layout.split else reshape_straight)(values_of(x, one), n_heads)
    if layout.merge:
        heads = split_heads(context, n_heads)
    else:
        heads = reshape_straight(np.ascontiguousarray(context), n_heads)
    weights = heads @ np.linalg.pinv(values)  # (B, h, T, T)
    left = float(np.abs(weights @ values - heads).max(initial=0))
    return Recovered(weights, left / max(1e-300, float(np.abs(heads).max(initial=0))), layout)


def recover_any(
    output: FloatArray, x: FloatArray, one: Parameters, n_heads: int, tolerance: float
) -> Recovered | None:
    """Return the weights under the first layout that explains the outputs; None if none does."""
    if x.shape[1] >= one.d // n_heads:
        return None  # every layout would explain them
    for layout in LAYOUTS:
        if n_heads == 1 and not (layout.split and layout.merge):
            continue
        found = recover(output, x, one, n_heads, layout)
        if found is not None and found.left_over <= tolerance:
            return found
    return None
