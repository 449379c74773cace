"""What does the core say about one state of the widget?

A `Snapshot` holds arrays and measured figures; views turn them into words and colours.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget import Attention, head_width
from attention_widget.draws import draw_row_sums, draw_statistics
from attention_widget.lesson import lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import (
    dropped_cells,
    masked_cells,
    row_change,
    row_sums,
    sees_future,
    survivor_ratios,
    weight_on_answers,
)
from attention_widget.widgets.map.state import Settings

FloatArray = npt.NDArray[np.floating]
MEAN_DRAWS = 1000
FLOAT32_BYTES = 4
KEPT = 1024  # results, of up to 40 kB: visitors choose sentences, so all may be new ones


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One state, computed.

    Attributes:
        settings: what was asked for.
        tokens: the words, T of them.
        layer: the layer's record, arrays (1, h, T, T), output (1, T, d).
        shown: the map on screen, (T, T): the stage of the viewing head.
        cell_states: (T, T) of "seen", "masked" or "dropped", read off the record.
        sees_future: any weight above the diagonal is non-zero, over all heads.
        masked_cells: scores at -inf in the viewing head's map.
        masked_cells_all_heads: the same in the whole (1, h, T, T) tensor.
        d_head: width of one head.
        row_sums: (T,) sums of the viewing head's rows after dropout.
        mean_row_sums: (T,) their mean over `MEAN_DRAWS` draws; `row_sums` when nothing drops.
        dropped_cells: weights that dropout set to 0 in the viewing head.
        survivor_ratio: measured dropped / weights of the survivors; nan when none survived.
        score_shape: (B, h, T, T).
        score_bytes: bytes of that tensor in float32, as the cost lab counts them.
        weight_on_answers: mean weight of a row on the token it must predict, after softmax.
        change: (T,) total variation between the row with the mask off and on, viewing head.
        all_heads: (h, T, T) weights after dropout.
    """

    settings: Settings
    tokens: tuple[str, ...]
    layer: Attention
    shown: FloatArray
    cell_states: npt.NDArray[np.str_]
    sees_future: bool
    masked_cells: int
    masked_cells_all_heads: int
    d_head: int
    row_sums: FloatArray
    mean_row_sums: FloatArray
    dropped_cells: int
    survivor_ratio: float
    score_shape: tuple[int, ...]
    score_bytes: int
    weight_on_answers: float
    change: FloatArray
    all_heads: FloatArray

    @property
    def head_index(self) -> int:
        """The viewing head, counted from 0."""
        return self.settings.head - 1


def snapshot(settings: Settings) -> Snapshot:
    """Compute one state; states that differ only in what cannot matter share the work."""
    core = settings
    if not settings.drops:
        core = replace(settings, dropout=0.0, training=False, draw=0)
    result = _snapshot(core)
    return result if core == settings else replace(result, settings=settings)


@lru_cache(maxsize=KEPT)
def _run(sentence: str, seed: int, causal: bool, heads: int, p: float, draw: int) -> Attention:
    x = lesson_inputs(tokenize(sentence), seed)  # (1, T, d)
    rng = np.random.default_rng([seed, draw])
    record = lesson_layer(heads, seed)(x, causal=causal, dropout=p, rng=rng, training=p > 0)
    for array in (record.scores, record.masked_scores, record.weights, record.dropped):
        array.setflags(write=False)  # shared between sessions
    return record


@lru_cache(maxsize=4096)
def mean_row_sums(
    sentence: str, seed: int, causal: bool, heads: int, head: int, p: float
) -> FloatArray:
    """Average the row sums of one head over `MEAN_DRAWS` draws, (T,)."""
    weights = _run(sentence, seed, causal, heads, 0.0, 0).weights[0, head - 1]
    rng = np.random.default_rng([seed, 2**20])
    return draw_statistics(draw_row_sums(weights, p, rng, MEAN_DRAWS)).mean


@lru_cache(maxsize=KEPT)
def _snapshot(s: Settings) -> Snapshot:
    layer = _run(s.sentence, s.seed, s.causal, s.heads, s.dropout, s.draw)
    i = s.head - 1
    scores, masked = layer.scores[0, i], layer.masked_scores[0, i]  # (T, T)
    weights, dropped = layer.weights[0, i], layer.dropped[0, i]
    shown = {"scores": scores, "masked": masked, "weights": weights, "dropped": dropped}[s.stage]
    cell_states = np.full(shown.shape, "seen", dtype="<U7")
    if s.stage != "scores":
        cell_states[np.isneginf(masked)] = "masked"
    if s.stage == "dropped":
        cell_states[(weights != 0) & (dropped == 0)] = "dropped"
    off, on = (_run(s.sentence, s.seed, c, s.heads, 0.0, 0).weights[0, i] for c in (False, True))
    sums = row_sums(dropped)
    return Snapshot(
        settings=s,
        tokens=tokenize(s.sentence),
        layer=layer,
        shown=shown,
        cell_states=cell_states,
        sees_future=sees_future(layer.weights),
        masked_cells=masked_cells(masked),
        masked_cells_all_heads=masked_cells(layer.masked_scores),
        d_head=head_width(layer.output.shape[-1], layer.scores.shape[1]),
        row_sums=sums,
        mean_row_sums=(
            mean_row_sums(s.sentence, s.seed, s.causal, s.heads, s.head, s.dropout)
            if s.drops
            else sums
        ),
        dropped_cells=dropped_cells(weights, dropped),
        survivor_ratio=survivor_ratios(weights, dropped)[0],
        score_shape=layer.scores.shape,
        score_bytes=layer.scores.size * FLOAT32_BYTES,
        weight_on_answers=weight_on_answers(weights),
        change=row_change(off, on),
        all_heads=layer.dropped[0],
    )
