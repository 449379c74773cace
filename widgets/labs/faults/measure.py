"""What does the failure lab measure, for any set of faults at once?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget import Attention, causal_mask, reaches_the_past
from attention_widget.checklist import ChecklistLine, checklist
from attention_widget.draws import draw_row_sums, draw_statistics
from attention_widget.faults import (
    LAB_DROPOUT,
    Fault,
    FaultRun,
    influence_on_outputs,
    run_with_faults,
    stages_for,
)
from attention_widget.lesson import DEFAULT_SEED, SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import (
    dropped_cells,
    masked_cells,
    row_sums,
    survivor_ratios,
)

FloatArray = npt.NDArray[np.floating]
TOKENS = tokenize(SENTENCE)
HEADS, HEAD = 4, 1  # the map that the lab shows
P = LAB_DROPOUT
DRAWS = 1000
OTHER_WORDS = ("My", "road", "ends", "after", "two", "days")  # what the words are exchanged for


@dataclass(frozen=True, slots=True, eq=False)
class RunLook:
    """A layer that ran; maps and sums are of head `HEAD`.

    Attributes:
        training: record of the training step, arrays (1, h, T, T).
        inference: record of the inference step.
        sees_future: whether exchanging a later word moves an earlier output at all.
        future_share: share of the map's weight that lies above the diagonal.
        masked_cells: scores at -inf.
        filled_cells: scores that got a finite number in their place.
        largest_filled: largest weight of such a cell after softmax.
        weight_sums: (T,) row sums after softmax.
        training_sums: (T,) row sums after dropout in the training step.
        mean_sums: (T,) their mean over `DRAWS` training steps.
        inference_sums: (T,) row sums that inference uses.
        survivor_ratio: measured growth of the survivors in training.
        dropped_at_inference: weights set to 0 at inference.
        inference_gap: largest difference between the outputs of two equal inference calls.
        score_ratio: measured factor of q . k over 1/sqrt(d_head).
        peak: largest weight of a row with more than one key, averaged over rows and heads.
        peak_due: the same with the scale in its place and the other faults as they are.
        influence: (T, T) how far output t moves when word j alone is exchanged, at inference.
        projection_gap: largest difference between the output and context W_o.
        output_shape: (B, T, d).
    """

    training: Attention
    inference: Attention
    sees_future: bool
    future_share: float
    masked_cells: int
    filled_cells: int
    largest_filled: float
    weight_sums: FloatArray
    training_sums: FloatArray
    mean_sums: FloatArray
    inference_sums: FloatArray
    survivor_ratio: float
    dropped_at_inference: int
    inference_gap: float
    score_ratio: float
    peak: float
    peak_due: float
    influence: FloatArray
    projection_gap: float
    output_shape: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FaultsLook:
    """One set of faults.

    Attributes:
        tokens: the words, T of them.
        faults: what is switched on.
        n_heads: the h that was asked for.
        lines: the checklist, measured.
        problem: the layer's own refusal; empty when it ran.
        run: what was measured; None when the layer refused.
    """

    tokens: tuple[str, ...]
    faults: frozenset[Fault]
    n_heads: int
    lines: tuple[ChecklistLine, ...]
    problem: str
    run: RunLook | None


@lru_cache(maxsize=256)
def look(faults: frozenset[Fault], tokens: tuple[str, ...] = TOKENS) -> FaultsLook:
    """Run and measure one set of faults."""
    layer, x = lesson_layer(HEADS), lesson_inputs(tokens)
    run = run_with_faults(x, layer, faults, dropout=P, seed=DEFAULT_SEED)
    lines, measured = checklist(run), None
    if run.training and run.inference and run.inference_again:
        scale = next(line.measured for line in lines if line.key == "scaled_scores")
        ratio = scale["factor"] / scale["factor_due"]
        measured = _measure(run, run.training, run.inference, run.inference_again, ratio, tokens)
    return FaultsLook(tokens, faults, run.n_heads, lines, run.error or "", measured)


def _measure(
    run: FaultRun,
    training: Attention,
    step: Attention,
    again: Attention,
    ratio: float,
    tokens: tuple[str, ...],
) -> RunLook:
    i = HEAD - 1
    weights, scores, masked = step.weights[0, i], step.scores[0, i], step.masked_scores[0, i]
    later = ~causal_mask(*weights.shape)
    filled = (masked != scores) & ~np.isneginf(masked)
    drop = stages_for(run.faults).drop
    influence = influence_on_outputs(run, lesson_inputs(other_words(tokens)))
    peak = peak_due = _peak(step)
    if Fault.MISSING_SCALE in run.faults:
        scaled = look(run.faults - {Fault.MISSING_SCALE}, tokens).run
        peak_due = scaled.peak if scaled else peak
    sums = draw_row_sums(weights, P, np.random.default_rng([DEFAULT_SEED, 2**20]), DRAWS, drop)
    return RunLook(
        training=training,
        inference=step,
        sees_future=reaches_the_past(influence),
        future_share=float(weights[later].sum() / weights.sum()),
        masked_cells=masked_cells(masked),
        filled_cells=int(np.count_nonzero(filled)),
        largest_filled=float(weights[filled].max(initial=0)),
        weight_sums=row_sums(weights),
        training_sums=row_sums(training.dropped[0, i]),
        mean_sums=draw_statistics(sums).mean,
        inference_sums=row_sums(step.dropped[0, i]),
        survivor_ratio=survivor_ratios(training.weights[0, i], training.dropped[0, i])[0],
        dropped_at_inference=dropped_cells(weights, step.dropped[0, i]),
        inference_gap=float(np.abs(step.output - again.output).max()),
        score_ratio=ratio,
        peak=peak,
        peak_due=peak_due,
        influence=influence,
        projection_gap=float(np.abs(step.output - step.context @ run.layer.w_o).max()),
        output_shape=step.output.shape,
    )


def other_words(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many words, each another one than stands in its place."""
    others = (OTHER_WORDS[place % len(OTHER_WORDS)] for place in range(len(tokens)))
    return tuple(b if b != a else "Then" for a, b in zip(tokens, others, strict=True))


def _peak(record: Attention) -> float:
    several = np.count_nonzero(record.weights, axis=-1) > 1  # (1, h, T)
    return float(record.weights.max(axis=-1)[several].mean())
