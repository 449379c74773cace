"""What does tiled attention know after each tile, on the lesson's own sentence?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attention_widget.cost import attention_cost, tile_score_bytes
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.multihead import split_heads
from attention_widget.sdpa import Attention, scaled_dot_product_attention
from attention_widget.tiled import TileStep, tile_grid, tile_steps
from attention_widget.validate import BoolArray, FloatArray

TILE = 2
LAYER_HEADS = 4
TOKENS = tokenize(SENTENCE)


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """Head 1 of 4 over the lesson's sentence, tile by tile and all at once.

    Attributes:
        tokens: the words, T of them.
        steps: one record for every tile that is read.
        grid: (query tiles, key tiles), False where a tile is never read.
        values: V of the head, (T, 3).
        dense: the same head with the whole score matrix; arrays (T, T) and (T, 3).
        tile_bytes: bytes of scores that tiling holds at once, as float32.
        dense_bytes: bytes of the whole score matrix, as float32.
    """

    tokens: tuple[str, ...]
    steps: tuple[TileStep, ...]
    grid: BoolArray
    values: FloatArray
    dense: Attention
    tile_bytes: int
    dense_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """What one query knows after some tiles.

    Attributes:
        top: running maximum m; -inf before its first tile.
        total: running sum l; 0 before its first tile.
        accumulated: running sum of exponentials times values, (3,).
        output: accumulated / l, (3,).
        finished: it has read every key it may see.
        error: largest distance of `output` from the dense result.
    """

    top: float
    total: float
    accumulated: FloatArray
    output: FloatArray
    finished: bool
    error: float


@lru_cache(maxsize=64)
def walk(causal: bool, tokens: tuple[str, ...] = TOKENS) -> Walk:
    """Compute the walk; it is shared between sessions and never written to."""
    layer = lesson_layer(LAYER_HEADS)
    x = lesson_inputs(tokens)  # (1, T, 12)
    q, k, v = (
        split_heads(x @ w, LAYER_HEADS)[0, 0]  # (T, 3)
        for w in (layer.w_q, layer.w_k, layer.w_v)
    )
    t, width = q.shape
    return Walk(
        tokens=tokens,
        steps=tuple(tile_steps(q, k, v, causal=causal, tile=TILE)),
        grid=tile_grid(t, t, TILE, causal=causal),
        values=v,
        dense=scaled_dot_product_attention(q, k, v, causal=causal),
        tile_bytes=tile_score_bytes(t, 1, TILE),
        dense_bytes=attention_cost(t, width, 1).score_bytes,
    )


def rows_after(done: Walk, count: int) -> tuple[Row, ...]:
    """Return what every query knows after the first `count` tiles."""
    dense = done.dense.output
    nothing = np.zeros(dense.shape[-1])
    rows = [Row(-np.inf, 0.0, nothing, nothing, False, np.inf) for _ in dense]
    for step in done.steps[:count]:
        for place, i in enumerate(range(step.queries.start, step.queries.stop)):
            output = step.output[place]
            rows[i] = Row(
                top=float(step.running_max[place]),
                total=float(step.running_sum[place]),
                accumulated=step.accumulated[place],
                output=output,
                finished=step.last,
                error=float(np.abs(output - dense[i]).max()),
            )
    return tuple(rows)


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What one tile did to one query: what was there, times a factor, plus what the tile adds.

    Attributes:
        query: its place, from 0.
        before: what was known before.
        after: what is known now.
        factor: exp(old maximum - new maximum); 0 where there was no maximum yet.
        added_total: sum of the tile's exponentials exp(s - new maximum).
        added: the same exponentials times their values, (3,).
    """

    query: int
    before: Row
    after: Row
    factor: float
    added_total: float
    added: FloatArray


def updates(done: Walk, count: int) -> tuple[Update, ...]:
    """Return what the tile number `count` did to its queries; nothing for tile 0."""
    if count == 0:
        return ()
    step, (old, new) = done.steps[count - 1], (rows_after(done, n) for n in (count - 1, count))
    found = []
    for i in range(step.queries.start, step.queries.stop):
        exps = np.exp(done.dense.masked_scores[i, step.keys] - new[i].top)  # (TILE,)
        found.append(
            Update(
                query=i,
                before=old[i],
                after=new[i],
                factor=float(np.exp(old[i].top - new[i].top)),
                added_total=float(exps.sum()),
                added=exps @ done.values[step.keys],
            )
        )
    return tuple(found)
