"""Where and when does the student's dropout act, and by how much do the survivors grow?"""

from dataclasses import dataclass, replace

import numpy as np

from attention_widget.faults import LAB_DROPOUT, Fault, stages_for
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.learn import Learned, inputs
from attention_widget.widgets.check.maps import Layout, recover
from attention_widget.widgets.check.trouble import CodeError

P = LAB_DROPOUT
DRAWS = 12
SIGMAS = 6.0
DROP_FAULTS = (None, Fault.MISSING_RESCALE, Fault.RESCALE_BY_P)


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was measured of the dropout.

    Attributes:
        kind: "weights" (on the weights, as known), "none" (it never acts), "elsewhere" (not on
            the weights), "other" (on the weights, by no known rule), "unknown" (the maps cannot
            be solved for), "raised" (the code threw).
        fault: the fault of the known rule; None for the right one.
        at_inference: whether cells are dropped at inference too.
        switch: whether the code can be told that it is training.
        low: smallest survivor / weight; high: the largest.
        share: share of the cells dropped in training.
        share_error: how far a right share may be from p.
        mean: mean of all cells after / before.
        inference_change: largest change of an output between two calls at inference.
        raised: what the code threw.
    """

    kind: str
    fault: Fault | None = None
    at_inference: bool = False
    switch: bool = True
    low: float = float("nan")
    high: float = float("nan")
    share: float = 0.0
    share_error: float = 0.0
    mean: float = 1.0
    inference_change: float = 0.0
    raised: str = ""


def measure_dropout(one: Learned) -> Dropped:
    """Run `DRAWS` training steps and four inference steps with p = 0.4; read the weights off."""
    try:
        return _measure(one)
    except CodeError as trouble:
        return Dropped("raised", raised=str(trouble))


def _measure(one: Learned) -> Dropped:
    model = one.subject.build(replace(one.spec, dropout=P))
    parameters = model.readings[one.reading]
    t = min(6, max(1, one.d_head - 1 if one.d_head > 1 else 1))
    x = inputs(one.spec.seed, t, parameters, one.n_heads)
    due = one.due(x, model)
    layout = _layout(one)

    def outputs(training: bool, seed: int) -> FloatArray:
        doing = "In training with p = 0.4" if training else "At inference with p = 0.4"
        seed += one.spec.seed
        return model.answer(x, one.way, training=training, seed=seed, doing=doing).output

    trained = [outputs(True, 7 + draw) for draw in range(DRAWS)]
    still = [outputs(False, 91 + draw) for draw in range(4)]
    switch = model.has_training_switch
    moved = max(float(np.abs(y - still[0]).max()) for y in still)
    size = max(1.0, float(np.abs(due.output).max()))
    near = 30 * one.tolerance * size
    if max(float(np.abs(y - due.output).max()) for y in trained) <= near:
        return Dropped("none", switch=switch, at_inference=moved > near, inference_change=moved)
    read = [recover(y, x, parameters, one.n_heads, layout) for y in trained]
    maps = [found.weights for found in read if found is not None]
    if not maps:
        return Dropped("unknown", switch=switch, at_inference=moved > near, inference_change=moved)
    left = max(found.left_over for found in read if found is not None)
    after = np.stack(maps)
    before = np.broadcast_to(due.weights, after.shape)
    least, floor = (1e-4, 1e-3) if one.fine else (0.05, 0.1)  # what rounding leaves readable
    cells = np.abs(before) > least
    ratios = after[cells] / before[cells]
    alive = ratios[np.abs(ratios) > floor]
    share = 1 - alive.size / ratios.size
    measured = Dropped(
        "other",
        switch=switch,
        at_inference=switch and moved > near,
        low=float(alive.min(initial=np.inf)) if alive.size else float("nan"),
        high=float(alive.max(initial=-np.inf)) if alive.size else float("nan"),
        share=share,
        share_error=SIGMAS * (P * (1 - P) / ratios.size) ** 0.5,
        mean=float(ratios.mean()),
        inference_change=moved,
    )
    # With T < d_head there are more equations than unknowns: a remainder means that something
    # other than the weights was dropped.
    if t < one.d_head and left > 300 * one.tolerance:
        return replace(measured, kind="elsewhere")
    keep = np.abs(after) > floor * np.abs(before)
    for fault in DROP_FAULTS:
        drop = stages_for({fault} if fault else ()).drop
        if np.abs(drop(before, keep, P) - after)[cells].max() <= 300 * one.tolerance:
            return replace(measured, kind="weights", fault=fault)
    return measured


def _layout(one: Learned) -> Layout:
    if one.recovered is not None:
        return one.recovered.layout
    names = one.causes[0].names if one.causes else ()
    project = Fault.NO_OUTPUT_PROJECTION.value not in names
    split = Fault.STRAIGHT_RESHAPE.value not in names
    merge = not (one.causes and one.causes[0].straight_merge)
    return Layout(split, merge, project)
