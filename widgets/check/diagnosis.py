"""Which fault is it, said in one sentence with its number?"""

import numpy as np

from attention_widget.faults import Fault
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.drops import P
from attention_widget.widgets.check.measured import Measured
from attention_widget.widgets.check.record import Diagnosis
from attention_widget.widgets.check.told import TOLD, shown_weights


def found_faults(m: Measured) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the faults that explain every output, and other sets that do so as well."""
    base = [cause.names for cause in m.one.causes] or [()]
    rest: list[str] = []
    if m.dropped is not None:
        if m.dropped.fault is not None:
            rest.append(m.dropped.fault.value)
        elif m.dropped.kind in ("none", "elsewhere", "other"):
            never = {"none": "dropout_never", "elsewhere": "dropout_elsewhere"}
            rest.append(never.get(m.dropped.kind, "dropout_other"))
        if m.dropped.kind == "weights" and abs(m.dropped.share - P) > m.dropped.share_error:
            rest.append("dropout_share")
        if m.dropped.at_inference:
            rest.append(Fault.DROPOUT_AT_INFERENCE.value)
    if m.bad_heads:
        rest.append(Fault.INDIVISIBLE_HEADS.value)
    sets = [(*names, *rest) for names in base]
    return sets[0], tuple(sets[1:])


def first_wrong(mine: FloatArray, right: FloatArray, grain: float) -> tuple[int, int] | None:
    """Return (query, key) of the first weight that is wrong, counted from 1, row by row.

    One that is wrong to the eye comes first: 0 where it should not be, or by half of 0.01. A leak
    of 3e-5 also takes 3e-5 from its neighbours, which is not where to look.
    """
    gap = np.abs(mine - right)
    seen = (gap > 0.005) | ((np.abs(mine) <= grain) != (np.abs(right) <= grain))
    wrong = np.argwhere(seen if seen.any() else ~(gap <= grain))
    return (int(wrong[0][0]) + 1, int(wrong[0][1]) + 1) if len(wrong) else None


def diagnose(m: Measured, right: FloatArray) -> Diagnosis | None:
    """Name the faults; None when there is nothing to name."""
    names, same = found_faults(m)
    place = None
    if m.weights is not None:
        place = first_wrong(shown_weights(m), right, 1e-6 if m.one.fine else 1e-3)
    at = f"; first wrong at query {place[0]}, key {place[1]}" if place else ""
    if not m.one.causes:
        extra = f" Beside that: {_told(names, m)}." if names else ""
        said = f"No known fault, and no pair of them, gives exactly these outputs{at}.{extra}"
        empty = np.argwhere(np.isnan(m.one.answer.output).any(axis=-1))
        if len(empty):
            said = (
                f"The output is NaN, first at word {empty[0][1] + 1}. Does a softmax there run "
                f"over nothing but −∞, or over infinity?{extra}"
            )
        return Diagnosis((), (), said, tuple(TOLD[n][2] for n in names), place)
    raised = m.dropped.raised if m.dropped else ""
    if not names:
        return Diagnosis((), (), raised, (), place) if raised else None
    also = "".join(f" The same outputs: {' and '.join(TOLD[n][0] for n in one)}." for one in same)
    said = _told(names, m)
    said = said[0].upper() + said[1:] + at + "." + also
    return Diagnosis(names, same, said, tuple(TOLD[name][2] for name in names), place)


def _told(names: tuple[str, ...], m: Measured) -> str:
    parts = []
    for name in names:
        what, number, _ = TOLD[name]
        told = number(m)
        parts.append(f"{what}: {told}" if told else what)
    return "; and ".join(parts)
