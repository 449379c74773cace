"""What is each fault called, which measured number shows it, and where should the student look?"""

from collections.abc import Callable

import numpy as np

from attention_widget.faults import Fault
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.drops import P
from attention_widget.widgets.check.measured import Measured, measured_scale, past_sums

Tell = Callable[[Measured], str]


def shown_weights(m: Measured) -> FloatArray:
    """Return the weights (T, T) that the picture shows: head 1 of the lesson's words."""
    weights = m.weights if m.weights is not None else m.one.due(m.one.x).weights
    shown: FloatArray = weights[0, 0] if weights.ndim == 4 else weights[0]
    return shown


def _weight(m: Measured) -> str:
    weights = shown_weights(m)
    later = ~np.tri(weights.shape[-1], dtype=bool)
    return f"{float(weights[later].sum() / weights.sum()):.2g} of the weight lies on later words"


def _zeroed(m: Measured) -> str:
    sums = past_sums(shown_weights(m))
    row = 1 if sums.size > 1 and abs(sums[1] - 1) > 1e-6 else int(np.abs(sums - 1).argmax())
    return f"row {row + 1} sums to {sums[row]:.2f}"


def _filled(m: Measured) -> str:
    fill = m.one.causes[0].fill
    largest = float(shown_weights(m)[~np.tri(m.one.x.shape[1], dtype=bool)].max(initial=0))
    return f"−∞ is due, and {_signed(fill)} leaves a later word a weight of {largest:.1g}"


def _signed(value: float | None) -> str:
    return f"{value:g}".replace("-", "−")


def _scaled(m: Measured) -> str:
    found = measured_scale(m)
    factor = f"{found[0]:.3g}" if found else "another number"
    return f"q · k is multiplied by {factor}, and 1/√d_head = {m.one.d_head**-0.5:.3g} is due"


def _survivors(m: Measured) -> str:
    high = m.dropped.high if m.dropped else float("nan")
    return f"in training the survivors are multiplied by {high:.3g}, and {1 / (1 - P):.3g} is due"


def _still(m: Measured) -> str:
    change = m.dropped.inference_change if m.dropped else float("nan")
    return f"the same input twice gives outputs that differ by {change:.2g}"


def _heads(m: Measured) -> str:
    d = m.one.spec.d
    bad = next(h for h in range(2, d) if d % h)
    return f"d = {d} and h = {bad} went through, and leave {d % bad}"


def _unmoved(m: Measured) -> str:
    return f"head 1 of {m.one.n_heads} reads whole words, not its {m.one.d_head} columns of each"


def _unmixed(m: Measured) -> str:
    return "the output is the heads side by side, every number from one head alone"


def _nothing(m: Measured) -> str:
    return ""


TOLD: dict[str, tuple[str, Tell, str]] = {
    Fault.NO_MASK.value: (
        "no mask",
        _weight,
        "Print the weights of the first word. What may it know about the words after it?",
    ),
    Fault.WRONG_TRIANGLE.value: (
        "the wrong triangle is masked",
        _weight,
        "Rows are queries, columns are keys. Write down the row of the first word by hand: which "
        "cells must be 0? Compare with what your triangle keeps.",
    ),
    Fault.FINITE_FILL.value: (
        "a finite number in the place of −∞",
        _filled,
        "What does softmax make of the number that you write into the forbidden cells? Which "
        "number becomes exactly 0?",
    ),
    Fault.ZERO_AFTER_SOFTMAX.value: (
        "softmax before the mask, not renormalised",
        _zeroed,
        "Sum the rows of your weights. Who took the rest, and at which step was it handed out?",
    ),
    Fault.MISSING_SCALE.value: (
        "the scores are not scaled",
        _scaled,
        "How large does q · k get when d_head grows? What keeps its variance at 1?",
    ),
    Fault.MISSING_RESCALE.value: (
        "the survivors of dropout are not scaled up",
        _survivors,
        "Average the weights over many training steps. Is that what inference uses?",
    ),
    Fault.RESCALE_BY_P.value: (
        "the survivors of dropout are multiplied by p",
        _survivors,
        "If 2 of 5 cells are dropped, what must the other 3 grow by for the mean to stay?",
    ),
    Fault.DROPOUT_AT_INFERENCE.value: (
        "dropout acts at inference too",
        _still,
        "Call your code twice with the same input, not in training. Should anything differ?",
    ),
    Fault.INDIVISIBLE_HEADS.value: (
        "an h that does not divide d is accepted",
        _heads,
        "What is d % h there, and which columns does no head read? Refuse what cannot work.",
    ),
    Fault.STRAIGHT_RESHAPE.value: (
        "the heads are split without moving the head axis",
        _unmoved,
        "Number the entries of a (T, d) array, cut it as you do, and look at head 1: are those the "
        "first columns of every word?",
    ),
    Fault.NO_OUTPUT_PROJECTION.value: (
        "W_o is not applied",
        _unmixed,
        "After the heads are put side by side one step is left: how does a number of head 1 meet "
        "one of head 2?",
    ),
    "sees_next_word": (
        "the mask starts one word too late",
        _weight,
        "Write down the row of the first word: how many cells may it see? Mind the diagonal.",
    ),
    "not_itself": (
        "the mask hides each word from itself",
        _nothing,
        "What may the first word attend to? Mind the diagonal.",
    ),
    "scale_by_d": (
        "the scores are divided by √d",
        _scaled,
        "Over how many numbers does the product of one head run?",
    ),
    "scale_not_root": (
        "the scores are divided by d_head",
        _scaled,
        "A sum of d_head products has variance d_head. What is its standard deviation?",
    ),
    "scale_multiplied": (
        "the scores are multiplied by √d_head",
        _scaled,
        "Should the scale make long products larger or smaller?",
    ),
    "softmax_over_queries": (
        "softmax runs over the queries",
        _nothing,
        "Whose weights must sum to 1: those a query gives, or those a key gets? Check the axis.",
    ),
    "straight_merge": (
        "the heads are merged without moving the head axis back",
        _nothing,
        "You moved an axis to split the heads. Where must it be before you make one width again?",
    ),
    "dropout_never": (
        "dropout never acts",
        _nothing,
        "Call your code twice in training. Should the outputs differ? Where is p used?",
    ),
    "dropout_elsewhere": (
        "dropout acts somewhere else than on the weights",
        _nothing,
        "Which array is it whose cells are dropped? It should be the weights, after softmax.",
    ),
    "dropout_other": (
        "the survivors of dropout grow by no one factor",
        _nothing,
        "Divide the weights after dropout by those before. Is it one number for all survivors?",
    ),
    "dropout_share": (
        "another share than p is dropped",
        lambda m: f"{m.dropped.share:.2f} of the cells at p = {P:g}" if m.dropped else "",
        "Is p the chance to be dropped, or to be kept?",
    ),
}
"""Fault -> what is wrong, its measured number, and a hint."""
