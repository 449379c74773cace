"""What was measured of the code, from which lines and diagnosis are read?"""

from dataclasses import dataclass

import numpy as np

from attention_widget.mask import causal_mask
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.drops import Dropped
from attention_widget.widgets.check.learn import Learned
from attention_widget.widgets.check.probes import Trial


@dataclass(frozen=True, eq=False)
class Measured:
    """All that the lines are read from.

    Attributes:
        one: the code.
        weights: its weights at inference (2, h, T, T), returned, solved for, or None.
        leak: largest change of an earlier output, and the word after which all were exchanged.
        lengths: T -> trial.
        context: trial of a longer context; None when the code has no context length.
        single: trial in float32, and the dtype that came back.
        bad_heads: whether an h that does not divide d was accepted; None when h is fixed.
        dropped: None when the code has no p.
    """

    one: Learned
    weights: FloatArray | None
    leak: tuple[float, int]
    lengths: dict[int, Trial]
    context: Trial | None
    single: tuple[Trial, str]
    bad_heads: bool | None
    dropped: Dropped | None


def past_sums(weights: FloatArray) -> FloatArray:
    """Return the sums of each row over itself and the past, (..., T)."""
    sums: FloatArray = np.where(causal_mask(*weights.shape[-2:]), weights, 0).sum(-1)
    return sums


def measured_scale(m: Measured) -> tuple[float, float] | None:
    """Read the factor of q . k off the weights: the slope of log a against q . k within a row.

    Returns:
        The factor, and the share of the logarithms that it leaves unexplained; None without
        enough weights above 0.
    """
    if m.weights is None or m.weights.ndim != 4:
        return None
    raw = m.one.due(m.one.x).scores
    names = m.one.causes[0].names if m.one.causes else ()
    raw = raw / _factor(names, m.one)
    t = raw.shape[-1]
    xs, ys = [], []
    past = (
        causal_mask(t, t)
        if "wrong_triangle" not in names
        else ~causal_mask(t, t) | np.eye(t, dtype=bool)
    )
    for b, h, i in np.ndindex(*raw.shape[:3]):
        row = m.weights[b, h, i]
        cells = past[i] & (row > (1e-10 if m.one.fine else 0.02))
        if cells.sum() > 1:
            logs, products = np.log(row[cells]), raw[b, h, i][cells]
            ys += list(logs - logs.mean())
            xs += list(products - products.mean())
    if not xs:
        return None
    x, y = np.array(xs), np.array(ys)
    slope = float(x @ y / (x @ x))
    return slope, float(np.abs(y - slope * x).max())


def _factor(names: tuple[str, ...], one: Learned) -> float:
    hypothesis = one.causes[0] if one.causes else None
    return hypothesis.stages.scale(one.d_head) if hypothesis else one.d_head**-0.5
