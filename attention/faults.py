"""What goes wrong, and where would it show?

Every fault puts a wrong step in the place of a right one on the same path
(`attention_widget.stages`), so that faults can be combined and nothing is computed twice.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
import numpy.typing as npt

from attention_widget.causality import word_influence
from attention_widget.mask import causal_mask
from attention_widget.multihead import MultiHeadAttention
from attention_widget.sdpa import Attention
from attention_widget.softmax import normalise
from attention_widget.stages import CORRECT, Stages
from attention_widget.validate import BoolArray, FloatArray, float_array

FINITE_FILL = -10.0
"""A "minus infinity" that is not: exp(-10) = 4.5e-5 is small, and not 0, in every dtype."""

LAB_DROPOUT = 0.4
"""Not 0.5, which would hide 1/p against 1/(1-p)."""


class Fault(Enum):
    """The faults of the failure lab; the values are stable names."""

    NO_MASK = "no_mask"
    WRONG_TRIANGLE = "wrong_triangle"
    FINITE_FILL = "finite_fill"
    ZERO_AFTER_SOFTMAX = "zero_after_softmax"
    MISSING_SCALE = "missing_scale"
    MISSING_RESCALE = "missing_rescale"
    RESCALE_BY_P = "rescale_by_p"
    DROPOUT_AT_INFERENCE = "dropout_at_inference"
    INDIVISIBLE_HEADS = "indivisible_heads"
    STRAIGHT_RESHAPE = "straight_reshape"
    NO_OUTPUT_PROJECTION = "no_output_projection"


@dataclass(frozen=True, slots=True, eq=False)
class FaultRun:
    """One layer run with faults, and all that a checklist needs to measure it.

    Attributes:
        faults: what was switched on.
        x: input (B, T, d_in).
        layer: the layer whose weights were used; its n_heads is the correct one.
        n_heads: the h that was asked for.
        dropout: p.
        seed: of the dropout fields.
        error: the message of the refusal, or None; with a message the records are None.
        training: record of a training step.
        inference: record of an inference step.
        inference_again: record of the same inference step, once more.
    """

    faults: frozenset[Fault]
    x: FloatArray
    layer: MultiHeadAttention
    n_heads: int
    dropout: float
    seed: int
    error: str | None = None
    training: Attention | None = None
    inference: Attention | None = None
    inference_again: Attention | None = None


def stages_for(faults: Collection[Fault]) -> Stages:
    """Return the steps with the faulty ones in place.

    Faults that want the same step are settled so: without a mask there is no triangle to get
    wrong, zeroing after softmax leaves the scores alone unless a finite fill is wanted, and
    survivors that are left as they are do not get a wrong factor either.
    """
    stages = CORRECT
    if Fault.ZERO_AFTER_SOFTMAX in faults:
        stages = replace(stages, fill=leave_scores, normalise=softmax_then_zero)
    if Fault.FINITE_FILL in faults:
        stages = replace(stages, fill=fill_with_finite)
    if Fault.WRONG_TRIANGLE in faults:
        stages = replace(stages, allow=future_mask)
    if Fault.NO_MASK in faults:
        stages = replace(stages, allow=allow_all)
    if Fault.MISSING_SCALE in faults:
        stages = replace(stages, scale=no_scale)
    if Fault.STRAIGHT_RESHAPE in faults:
        stages = replace(stages, split=reshape_straight)
    if Fault.RESCALE_BY_P in faults:
        stages = replace(stages, drop=drop_times_p)
    if Fault.MISSING_RESCALE in faults:
        stages = replace(stages, drop=drop_without_rescale)
    if Fault.DROPOUT_AT_INFERENCE in faults:
        stages = replace(stages, drops=always)
    if Fault.NO_OUTPUT_PROJECTION in faults:
        stages = replace(stages, project=leave_context)
    return stages


def run_with_faults(
    x: npt.ArrayLike,
    layer: MultiHeadAttention,
    faults: Collection[Fault] = frozenset(),
    *,
    dropout: float = LAB_DROPOUT,
    seed: int = 0,
) -> FaultRun:
    """Run a causal layer once in training and twice at inference, with `faults` switched on.

    Args:
        x: (B, T, d_in).
        layer: the correct layer; its weights are used, with another h under INDIVISIBLE_HEADS.
        faults: any subset of `Fault`.
        dropout: p, in [0, 1].
        seed: seed of the dropout field; training draws the same field whatever the faults.

    Returns:
        `FaultRun`. A head count that does not divide d is reported in `error`, not raised.

    Raises:
        ValueError: x or p is refused for a reason that is not one of the faults.
    """
    array, chosen = float_array("x", x), frozenset(faults)
    d, n_heads = layer.w_q.shape[1], layer.n_heads
    if Fault.INDIVISIBLE_HEADS in chosen:
        n_heads = next(h for h in range(2, d + 2) if d % h)
    run = FaultRun(chosen, array, layer, n_heads, dropout, seed)
    try:
        faulty = with_heads(layer, n_heads)
    except ValueError as refusal:
        return replace(run, error=str(refusal))
    stages, rng = stages_for(chosen), np.random.default_rng(seed)
    step, again = (
        faulty(array, dropout=dropout, rng=rng, training=False, stages=stages) for _ in range(2)
    )
    draw = np.random.default_rng(seed)
    training = faulty(array, dropout=dropout, rng=draw, training=True, stages=stages)
    return replace(run, training=training, inference=step, inference_again=again)


def influence_on_outputs(run: FaultRun, other: npt.ArrayLike) -> FloatArray:
    """Return how far each output of a run's inference step moves when one word is exchanged.

    Args:
        run: a run that was not refused.
        other: (B, T, d_in), what the words are exchanged for, one at a time.

    Returns:
        (T, T); see `word_influence`. Every step draws the same dropout field.

    Raises:
        ValueError: the run was refused, or `other` has another shape than its input.
    """
    layer, stages = with_heads(run.layer, run.n_heads), stages_for(run.faults)

    def step(x: FloatArray) -> FloatArray:
        rng = np.random.default_rng(run.seed)
        return layer(x, dropout=run.dropout, rng=rng, training=False, stages=stages).output

    return word_influence(step, run.x, other)


def with_heads(layer: MultiHeadAttention, n_heads: int) -> MultiHeadAttention:
    """Cut the same matrices into another number of heads, or raise ValueError."""
    return MultiHeadAttention(
        layer.w_q,
        layer.w_k,
        layer.w_v,
        layer.w_o,
        n_heads,
        b_q=layer.b_q,
        b_k=layer.b_k,
        b_v=layer.b_v,
        b_o=layer.b_o,
    )


def allow_all(t_q: int, t_k: int) -> BoolArray:
    """No mask: every query may attend to every key."""
    return np.ones((t_q, t_k), dtype=np.bool_)


def future_mask(t_q: int, t_k: int) -> BoolArray:
    """The wrong triangle: query i may attend to the keys j >= i."""
    return ~causal_mask(t_q, t_k) | np.eye(t_q, t_k, dtype=np.bool_)


def fill_with_finite(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """Put `FINITE_FILL` where -inf belongs."""
    return np.where(allowed, scores, scores.dtype.type(FINITE_FILL))


def leave_scores(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """Put nothing into the forbidden cells before softmax."""
    return scores


def softmax_then_zero(scores: FloatArray, allowed: BoolArray | None) -> FloatArray:
    """Zero the forbidden weights after softmax, and forget to renormalise."""
    weights = normalise(scores)
    return weights if allowed is None else np.where(allowed, weights, weights.dtype.type(0))


def drop_without_rescale(weights: FloatArray, keep: BoolArray, p: float) -> FloatArray:
    """Drop cells and leave the survivors as they are."""
    return weights * keep.astype(weights.dtype)


def drop_times_p(weights: FloatArray, keep: BoolArray, p: float) -> FloatArray:
    """Return the survivors times p, where 1/(1-p) is due."""
    return drop_without_rescale(weights, keep, p) * weights.dtype.type(p)


def no_scale(d_head: int) -> float:
    """Return 1, where 1 / sqrt(d_head) is due."""
    return 1.0


def reshape_straight(x: FloatArray, n_heads: int) -> FloatArray:
    """Read the numbers into (..., h, T, d_head) as they lie, where the axes have to be swapped.

    The shape is right. But row t of a head no longer belongs to word t: head 1 holds the first
    words whole, and the last head the last ones.
    """
    *lead, t, d = x.shape
    return x.reshape(*lead, n_heads, t, d // n_heads)  # (..., h, T, d_head)


def always(training: bool) -> bool:
    """Apply dropout at inference too."""
    return True


def leave_context(context: FloatArray, w_o: FloatArray, b_o: FloatArray | None) -> FloatArray:
    """Return the concatenated heads unmixed."""
    return context
