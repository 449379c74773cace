"""How do gradients flow back through one attention layer?

A layer reads a stream of vectors and adds to it (a residual connection); no biases, no dropout:

    [Z_1, ..., Z_h] = heads of x W_q, x W_k, x W_v     (B, T, d)
    y               = x + [Z_1, ..., Z_h] W_o          (B, T, d)
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention_widget.multihead import merge_heads, split_heads
from attention_widget.sdpa import Attention, scaled_dot_product_attention
from attention_widget.validate import FloatArray


class LayerWeights(NamedTuple):
    """The four matrices of a layer, or the gradient of all four; each (d, d), for `x @ w`."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class LayerPass:
    """One pass through a layer, with all that the way back needs.

    Attributes:
        x: what the layer reads, (B, T, d).
        q: (B, h, T, d_head); likewise k and v.
        heads: the record of the attention; its output is (B, h, T, d_head).
        context: heads side by side, (B, T, d).
        y: after W_o and the residual, (B, T, d).
    """

    x: FloatArray
    q: FloatArray
    k: FloatArray
    v: FloatArray
    heads: Attention
    context: FloatArray
    y: FloatArray


def draw_layer(d: int, rng: np.random.Generator) -> LayerWeights:
    """Draw four starting matrices of variance 1/d, float64."""
    return LayerWeights(*(rng.normal(0, 1 / math.sqrt(d), (d, d)) for _ in range(4)))


def pass_forward(w: LayerWeights, x: FloatArray, n_heads: int, causal: bool) -> LayerPass:
    """Return what the layer makes of x, (B, T, d) -> y (B, T, d), and every intermediate."""
    q, k, v = (split_heads(x @ matrix, n_heads) for matrix in w[:3])  # (B, h, T, d_head)
    heads = scaled_dot_product_attention(q, k, v, causal=causal)
    context = merge_heads(heads.output)  # (B, T, d)
    return LayerPass(x, q, k, v, heads, context, x + context @ w.w_o)


def pass_back(w: LayerWeights, done: LayerPass, d_y: FloatArray) -> tuple[FloatArray, LayerWeights]:
    """Return the gradients of x, (B, T, d), and of the weights, from that of y, (B, T, d).

    The mask needs no line of its own on the way back: a masked weight is exactly 0, and the
    gradient of its score, a_ij (da_ij - sum_k a_ik da_ik), is 0 with it.
    """
    n_heads, d_head = done.q.shape[1], done.q.shape[-1]
    d_heads = split_heads(d_y @ w.w_o.T, n_heads)  # (B, h, T, d_head)
    a = done.heads.weights
    d_a = d_heads @ done.v.swapaxes(-1, -2)  # (B, h, T, T)
    d_s = a * (d_a - (a * d_a).sum(axis=-1, keepdims=True)) / math.sqrt(d_head)
    d_q = merge_heads(d_s @ done.k)  # (B, T, d)
    d_k = merge_heads(d_s.swapaxes(-1, -2) @ done.q)
    d_v = merge_heads(a.swapaxes(-1, -2) @ d_heads)
    d_x = d_y + d_q @ w.w_q.T + d_k @ w.w_k.T + d_v @ w.w_v.T
    return d_x, LayerWeights(
        w_q=sum_of_outer(done.x, d_q),
        w_k=sum_of_outer(done.x, d_k),
        w_v=sum_of_outer(done.x, d_v),
        w_o=sum_of_outer(done.context, d_y),
    )


def sum_of_outer(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum left_bt^T right_bt over batch and position, (B, T, m), (B, T, n) -> (m, n)."""
    return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])
