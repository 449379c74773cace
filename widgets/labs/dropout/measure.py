"""What does the dropout lab measure: one draw, and the same row over many draws?"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget import CORRECT, Attention
from attention_widget.draws import (
    DrawStatistics,
    draw_row_sums,
    draw_statistics,
    exact_mean,
    exact_spread,
)
from attention_widget.faults import drop_without_rescale
from attention_widget.lesson import DEFAULT_SEED, SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import dropped_cells, row_sums, survivor_ratios

FloatArray = npt.NDArray[np.floating]
TOKENS = tokenize(SENTENCE)
HEADS, HEAD = 4, 1  # the map that the lab shows
DRAWS = 1000
BAND = 4  # standard errors within which a mean agrees with its exact value


@dataclass(frozen=True, slots=True, eq=False)
class DropoutLook:
    """One state of the lab; arrays are of head `HEAD`.

    Attributes:
        tokens: the words, T of them.
        layer: the record of the draw on screen, arrays (1, h, T, T).
        sums: (T,) row sums of that draw.
        dropped: weights that this draw set to 0.
        legal: weights that were there to lose.
        empty_rows: rows that this draw left all zero.
        survivor_ratio: measured growth of the survivors; nan when none survived.
        many: the row sums of `DRAWS` draws.
        mean: (T,) exact mean of a row's sum.
        spread: (T,) exact standard deviation of a row's sum.
        agrees: (T,) whether the measured mean lies within `BAND` standard errors of the exact.
        against_inference: mean sum in training over the sum at inference, where nothing drops.
    """

    tokens: tuple[str, ...]
    layer: Attention
    sums: FloatArray
    dropped: int
    legal: int
    empty_rows: int
    survivor_ratio: float
    many: DrawStatistics
    mean: FloatArray
    spread: FloatArray
    agrees: npt.NDArray[np.bool_]
    against_inference: float


@lru_cache(maxsize=1024)
def look(rescale: bool, p: float, draw: int, tokens: tuple[str, ...] = TOKENS) -> DropoutLook:
    """Measure one state; draw n drops the cells that the main map's draw n drops."""
    drop = CORRECT.drop if rescale else drop_without_rescale
    layer = lesson_layer(HEADS)(
        lesson_inputs(tokens),
        dropout=p,
        rng=np.random.default_rng([DEFAULT_SEED, draw]),
        training=True,
        stages=replace(CORRECT, drop=drop),
    )
    weights, dropped = layer.weights[0, HEAD - 1], layer.dropped[0, HEAD - 1]  # (T, T)
    sums = row_sums(dropped)
    many, mean = _many(rescale, p, tokens), exact_mean(weights, p, rescaled=rescale)
    spread = exact_spread(weights, p, rescaled=rescale)
    return DropoutLook(
        tokens=tokens,
        layer=layer,
        sums=sums,
        dropped=dropped_cells(weights, dropped),
        legal=int(np.count_nonzero(weights)),
        empty_rows=int(np.count_nonzero(sums == 0)),
        survivor_ratio=survivor_ratios(weights, dropped)[0],
        many=many,
        mean=mean,
        spread=spread,
        agrees=np.abs(many.mean - mean) <= BAND * spread / np.sqrt(many.draws),
        against_inference=float(many.mean.mean() / row_sums(weights).mean()),
    )


@lru_cache(maxsize=64)
def _many(rescale: bool, p: float, tokens: tuple[str, ...]) -> DrawStatistics:
    weights = lesson_layer(HEADS)(lesson_inputs(tokens)).weights[0, HEAD - 1]
    rng = np.random.default_rng([DEFAULT_SEED, 2**20])
    drop = CORRECT.drop if rescale else drop_without_rescale
    return draw_statistics(draw_row_sums(weights, p, rng, DRAWS, drop))
