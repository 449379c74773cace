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
        steps: one record for every tile that is read.
        grid: (query tiles, key tiles), False where a tile is never read.
        dense: the same head with the whole score matrix; arrays (T, T) and (T, 3).
        tile_bytes: bytes of scores that tiling holds at once, float64.
        dense_bytes: bytes of the whole score matrix, float64.
    """

    steps: tuple[TileStep, ...]
    grid: BoolArray
    dense: Attention
    tile_bytes: int
    dense_bytes: int


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """What one query knows after some tiles.

    Attributes:
        top: running maximum m; -inf before its first tile.
        total: running sum l; 0 before its first tile.
        output: accumulated output over l, (3,).
        finished: it has read every key it may see.
        error: largest distance of `output` from the dense result.
    """

    top: float
    total: float
    output: FloatArray
    finished: bool
    error: float


@lru_cache(maxsize=2)
def walk(causal: bool) -> Walk:
    """Compute the walk; it is shared between sessions and never written to."""
    layer = lesson_layer(LAYER_HEADS)
    x = lesson_inputs(TOKENS)  # (1, T, 12)
    q, k, v = (
        split_heads(x @ w, LAYER_HEADS)[0, 0]  # (T, 3)
        for w in (layer.w_q, layer.w_k, layer.w_v)
    )
    t, width = q.shape
    return Walk(
        steps=tuple(tile_steps(q, k, v, causal=causal, tile=TILE)),
        grid=tile_grid(t, t, TILE, causal=causal),
        dense=scaled_dot_product_attention(q, k, v, causal=causal),
        tile_bytes=tile_score_bytes(t, 1, TILE, dtype_bytes=q.itemsize),
        dense_bytes=attention_cost(t, width, 1, dtype_bytes=q.itemsize).score_bytes,
    )


def rows_after(done: Walk, count: int) -> tuple[Row, ...]:
    """Return what every query knows after the first `count` tiles."""
    dense = done.dense.output
    rows = [Row(-np.inf, 0.0, np.zeros(dense.shape[-1]), False, np.inf) for _ in dense]
    for step in done.steps[:count]:
        for place, i in enumerate(range(step.queries.start, step.queries.stop)):
            output = step.output[place]
            rows[i] = Row(
                top=float(step.running_max[place]),
                total=float(step.running_sum[place]),
                output=output,
                finished=step.last,
                error=float(np.abs(output - dense[i]).max()),
            )
    return tuple(rows)
