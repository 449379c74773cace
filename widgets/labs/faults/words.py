"""What is each fault called, what was done, and why does it hurt?

Symptoms quote measured numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_widget.faults import FINITE_FILL, Fault
from attention_widget.widgets.labs.faults.measure import DRAWS, HEAD, FaultsLook, P, RunLook
from attention_widget.widgets.map.render import number

ROUNDING = 1e-9


def size(value: float) -> str:
    """Write how large an error is, with two digits however small it is."""
    if value < ROUNDING:
        return "0" if value == 0 else "0 (rounding)"
    return np.format_float_positional(value, precision=2, fractional=False, trim="-")


@dataclass(frozen=True, slots=True)
class FaultWords:
    """The words of one fault.

    Attributes:
        label: on its switch.
        help: what the faulty code does instead.
        symptom: says what was measured, for a layer that ran.
        why: why it hurts.
    """

    label: str
    help: str
    symptom: Callable[[RunLook], str]
    why: str


def symptom(fault: Fault, now: FaultsLook) -> str:
    """Say what `fault` does in this state; in a layer that cannot run, the others do nothing."""
    if now.run is not None:
        return WORDS[fault].symptom(now.run)
    if fault is Fault.INDIVISIBLE_HEADS:
        return f"The layer refuses to run: {now.problem}."
    return "Nothing to see yet: the layer stops at the reshape into heads."


def moved_in_words(run: RunLook) -> str:
    """Say how far a later word, exchanged alone, moves an earlier output."""
    early = np.triu(run.influence, 1)
    if not early.any():
        return "no later word, exchanged alone, moves an earlier output"
    output, word = divmod(int(early.argmax()), len(run.influence))
    moved = size(early[output, word])
    return f"word {word + 1}, exchanged alone, moves output {output + 1} by {moved}"


def fixed_in_words(now: FaultsLook) -> str:
    """Say what every map of this state is of; a fault may have changed the mask or h."""
    mask = "the causal mask"
    if Fault.WRONG_TRIANGLE in now.faults:
        mask = "the wrong triangle"
    if Fault.NO_MASK in now.faults:
        mask = "no mask"
    return f"Here: {mask}, h = {now.n_heads}, head {HEAD} on show, one seeded draw."


def _no_mask(run: RunLook) -> str:
    return (
        f"{run.masked_cells} cells are masked, and {number(run.future_share)} of the map's weight "
        "lies on later words."
    )


def _wrong_triangle(run: RunLook) -> str:
    share = f"{number(run.future_share)} of the map's weight lies on later words"
    if run.masked_cells == 0:
        return f"No cell is at −∞, so no triangle is to be seen; {share}."
    return (
        f"{run.masked_cells} cells are masked, the right count, but {share}: the count does not "
        "tell which triangle it is."
    )


def _finite(run: RunLook) -> str:
    if run.filled_cells == 0:
        return "No cell is forbidden, so there is none to fill."
    return (
        f"This head has {run.masked_cells} cells at −∞. The score of {run.filled_cells} cells is "
        f"{number(FINITE_FILL, 0)} instead, and the largest of their weights is "
        f"{size(run.largest_filled)} where exactly 0 is due."
    )


def _zero_after(run: RunLook) -> str:
    short = float((1 - run.weight_sums).max())
    if short < ROUNDING:
        return "Every row sums to 1 here, for no cell was forbidden and zeroed."
    lowest = float(run.weight_sums.min())
    last = len(run.influence)
    moved = [size(float(moves)) for moves in run.influence[:-1, -1]]
    return (
        f"Before dropout the smallest row of this head sums to {number(lowest)}, {size(short)} "
        f"short of 1. Exchange word {last} alone, and outputs 1 to {last - 1} move by "
        f"{', '.join(moved[:-1])}{' and ' * (len(moved) > 1)}{moved[-1]}."
    )


def _no_rescale(run: RunLook) -> str:
    return (
        f"In training the survivors are multiplied by {number(run.survivor_ratio)} where "
        f"{number(1 / (1 - P))} is due; over {DRAWS:,} draws a row averages "
        f"{number(float(run.mean_sums.mean()))} of weight."
    )


def _no_scale(run: RunLook) -> str:
    return (
        f"Scores are {number(run.score_ratio)} times too large, and the largest weight of a row "
        f"averages {number(run.peak)} where {number(run.peak_due)} is due; 1 would be one-hot."
    )


def _straight(run: RunLook) -> str:
    early = np.triu(run.influence, 1)
    output, word = divmod(int(early.argmax()), len(run.influence))
    return (
        f"Exchange word {word + 1} alone and output {output + 1} moves by "
        f"{size(early[output, word])}: a row of a head no longer belongs to one word, so a mask "
        "over rows does not keep the words apart."
    )


def _at_inference(run: RunLook) -> str:
    return (
        f"Inference dropped {run.dropped_at_inference} weights of this head, and the same input "
        f"given twice has outputs that differ by up to {number(run.inference_gap)}."
    )


def _indivisible(run: RunLook) -> str:
    raise AssertionError("a layer with this fault does not run")


def _no_projection(run: RunLook) -> str:
    return (
        f"The output differs from context × W_o by up to {number(run.projection_gap)}: it is the "
        "bare context, every number from one head alone."
    )


WORDS = {
    Fault.NO_MASK: FaultWords(
        "No mask",
        "Every word may look everywhere.",
        _no_mask,
        "Training can copy the answer from the future; at inference there is none to copy.",
    ),
    Fault.WRONG_TRIANGLE: FaultWords(
        "Wrong triangle",
        "Masks the past, leaves the future.",
        _wrong_triangle,
        "Each word reads what it has to predict and is cut off from what it should know.",
    ),
    Fault.FINITE_FILL: FaultWords(
        "Finite number, not −∞",
        f"Forbidden scores are set to {number(FINITE_FILL, 0)}.",
        _finite,
        "A leak that looks like 0.00. It grows whenever real scores come near the fill.",
    ),
    Fault.ZERO_AFTER_SOFTMAX: FaultWords(
        "Zero after softmax",
        "Zeroes the future, does not renormalise.",
        _zero_after,
        "A map of zeros hides it: every future score stands in its row’s denominator, so later "
        "words still reach earlier outputs. With −∞ before softmax they move them by exactly 0.",
    ),
    Fault.MISSING_SCALE: FaultWords(
        "No 1/√d_head",
        "Scores are q · k, not divided.",
        _no_scale,
        "Softmax settles on one key and its gradient fades, the more so the wider a head: the "
        f"scores are √64 = {number(64**0.5, 0)} times too large for a head of GPT-2.",
    ),
    Fault.MISSING_RESCALE: FaultWords(
        "Rescale missing",
        "Survivors are not divided by 1−p.",
        _no_rescale,
        "Training gets smaller outputs than inference, and nothing reports an error.",
    ),
    Fault.RESCALE_BY_P: FaultWords(
        "Survivors times p",
        "Multiplies by p where 1/(1−p) is due.",
        _no_rescale,
        "The factor should put back what was dropped, and takes still more away.",
    ),
    Fault.DROPOUT_AT_INFERENCE: FaultWords(
        "Dropout left on",
        "Drops at inference too.",
        _at_inference,
        "The same input no longer gives the same output, and useful weights are lost.",
    ),
    Fault.INDIVISIBLE_HEADS: FaultWords(
        "h does not divide d",
        "Asks for 5 heads of a width of 12.",
        _indivisible,
        "The width cannot be cut into equal heads, so the reshape is undefined.",
    ),
    Fault.STRAIGHT_RESHAPE: FaultWords(
        "Head axis not moved",
        "Reshapes straight to (h, T, d_head).",
        _straight,
        "Every shape is right and nothing reports an error, but each head mixes up the words.",
    ),
    Fault.NO_OUTPUT_PROJECTION: FaultWords(
        "No W_o",
        "Returns the concatenated heads.",
        _no_projection,
        "In this layer the heads never mix: what they found is left apart until a later layer "
        "happens to mix it.",
    ),
}
