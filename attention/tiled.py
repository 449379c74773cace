"""How can attention run without ever holding the T x T scores?

Tile by tile. For every query three numbers are carried along: the largest score so far (m), the
sum of exp(score - m) so far (l), and the sum of exp(score - m) times the values so far (the
accumulated output). When a tile brings a larger score, l and the accumulated output shrink by
exp(m_old - m_new). The memory goes; the quadratic arithmetic stays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.mask import both, check_mask, fill_with_minus_inf, read_mask
from attention_widget.products import scaled_scores, weigh_values
from attention_widget.sdpa import check_scale, prepare
from attention_widget.softmax import lowest
from attention_widget.stages import default_scale
from attention_widget.validate import BoolArray, FloatArray, count, to_dtype


@dataclass(frozen=True, slots=True, eq=False)
class TileStep:
    """What is known of one tile of queries after one more tile of keys.

    Attributes:
        queries: the rows of this tile.
        keys: the keys just read.
        running_max: m, (..., t_q); -inf while a query has seen no allowed key.
        running_sum: l, (..., t_q).
        accumulated: (..., t_q, d_v), not yet divided by l.
        last: whether these queries have now read every key they may see.
    """

    queries: slice
    keys: slice
    running_max: FloatArray
    running_sum: FloatArray
    accumulated: FloatArray
    last: bool

    @property
    def output(self) -> FloatArray:
        """The attention over the keys read so far, (..., t_q, d_v); 0 for a query with none."""
        with np.errstate(invalid="ignore"):
            output: FloatArray = self.accumulated / np.maximum(self.running_sum, 1)[..., None]
        return output

    @property
    def lse(self) -> FloatArray:
        """Log-sum-exp of the scores read so far, (..., t_q); -inf for a query with none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            lse: FloatArray = np.log(self.running_sum) + self.running_max
        return lse


def tiled_attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    causal: bool = False,
    mask: npt.ArrayLike | None = None,
    scale: float | None = None,
    tile: int = 64,
) -> tuple[FloatArray, FloatArray]:
    """Attend as `scaled_dot_product_attention` does, with memory linear in T.

    Args:
        q: queries (..., T_q, d).
        k: keys (..., T_k, d).
        v: values (..., T_k, d_v).
        causal: allow query i the keys j <= i only; tiles above the diagonal are never read.
        mask: bool or additive float, as for `scaled_dot_product_attention`; read tile by tile.
        scale: factor of q . k; 1 / sqrt(d) when left out.
        tile: rows and columns of a tile, at least 1.

    Returns:
        (output, lse): output (..., T_q, d_v) in the dtype of the inputs; lse (..., T_q), the
        log-sum-exp of every row's scaled and masked scores (float32 for float16 inputs), -inf
        for a row with nothing to attend to, whose output is 0.

    Raises:
        ValueError: as `scaled_dot_product_attention`, or `tile` is not a whole number >= 1.

    Source: Milakov and Gimelshein 2018 (online softmax); Dao et al. 2022 (FlashAttention).
    """
    steps = tile_steps(q, k, v, causal=causal, mask=mask, scale=scale, tile=tile)
    q, k, v, dtype = prepare(q, k, v)
    output = np.zeros((*q.shape[:-1], v.shape[-1]), v.dtype)
    lse = np.full(q.shape[:-1], -np.inf, v.dtype)
    for step in steps:
        if step.last:
            output[..., step.queries, :] = step.output
            lse[..., step.queries] = step.lse
    return to_dtype(output, dtype), lse


def tile_steps(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    causal: bool = False,
    mask: npt.ArrayLike | None = None,
    scale: float | None = None,
    tile: int = 64,
) -> Iterator[TileStep]:
    """Yield one `TileStep` per tile read, query tile by query tile, keys from left to right.

    Arguments and errors as `tiled_attention`; the arrays are in the working dtype.
    """
    q, k, v, _ = prepare(q, k, v)
    factor = default_scale(q.shape[-1]) if scale is None else check_scale(scale)
    shape = (*q.shape[:-1], k.shape[-2])  # (..., T_q, T_k), never allocated
    checked = check_mask(mask, shape)
    whole = None if checked is None else np.broadcast_to(checked, shape)  # a view
    grid = tile_grid(q.shape[-2], k.shape[-2], tile, causal=causal)
    return _steps(q, k, v, factor, whole, grid, tile, causal)


def tile_grid(t_q: int, t_k: int, tile: int, *, causal: bool) -> BoolArray:
    """Say which tiles are read: bool (query tiles, key tiles); False lies above the diagonal.

    Raises:
        ValueError: a length is negative, or `tile` is below 1.
    """
    t_q, t_k, tile = count("t_q", t_q, 0), count("t_k", t_k, 0), count("tile", tile)
    if not causal:
        return np.ones((-(-t_q // tile), -(-t_k // tile)), dtype=np.bool_)
    last_query = np.minimum(np.arange(tile, t_q + tile, tile), t_q) - 1
    first_key = np.arange(0, t_k, tile)
    return first_key <= last_query[:, None]


def _steps(
    q: FloatArray,
    k: FloatArray,
    v: FloatArray,
    scale: float,
    mask: npt.NDArray[Any] | None,
    grid: BoolArray,
    tile: int,
    causal: bool,
) -> Iterator[TileStep]:
    for row, read in enumerate(grid):
        queries = slice(row * tile, min((row + 1) * tile, q.shape[-2]))
        q_tile = q[..., queries, :]
        top: FloatArray = np.full(q_tile.shape[:-1], -np.inf, q.dtype)
        total: FloatArray = np.zeros_like(top)
        accumulated: FloatArray = np.zeros((*top.shape, v.shape[-1]), v.dtype)
        columns = np.flatnonzero(read)
        for column in columns:
            keys = slice(column * tile, min((column + 1) * tile, k.shape[-2]))
            part = None if mask is None else mask[..., queries, keys]
            allowed, bias = read_mask(part, q.dtype)
            if causal and keys.stop - 1 > queries.start:  # a tile that the diagonal crosses
                allowed = both(_diagonal_tile(queries, keys), allowed)
            scores = _masked_scores(q_tile, k[..., keys, :], scale, allowed, bias)
            top, total, accumulated = _fold(scores, v[..., keys, :], top, total, accumulated)
            yield TileStep(queries, keys, top, total, accumulated, bool(column == columns[-1]))


def _diagonal_tile(queries: slice, keys: slice) -> BoolArray:
    return np.arange(keys.start, keys.stop) <= np.arange(queries.start, queries.stop)[:, None]


def _masked_scores(
    q: FloatArray,
    k: FloatArray,
    scale: float,
    allowed: BoolArray | None,
    bias: FloatArray | None,
) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        scores = scaled_scores(q, k, scale)
        if bias is not None:
            scores = scores + bias
    return scores if allowed is None else fill_with_minus_inf(scores, allowed)


def _fold(
    scores: FloatArray, v: FloatArray, top: FloatArray, total: FloatArray, accumulated: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Take one more tile of scores (..., t_q, t_k) into m, l and the accumulated output."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        new_top = np.maximum(top, scores.max(axis=-1))
        zero = np.maximum(new_top, lowest(top.dtype))  # -inf - -inf would be NaN
        shrink = np.exp(top - zero)  # 0 at the first allowed key
        weights = np.exp(scores - zero[..., None])
        kept = accumulated * shrink[..., None]
        kept[shrink == 0] = 0  # what has shrunk to weight 0 contributes nothing, inf included
        return (
            new_top,
            total * shrink + weights.sum(axis=-1),
            kept + weigh_values(weights, v),
        )
