"""How does the smallest next-word model work, and how do its gradients flow back?

One attention layer between an embedding and a readout, with every gradient written by hand:

    x      = token[w] + place[0..T-1]                 (B, T, d)
    y      = x + [Z_1, ..., Z_h] W_o                  (B, T, d)
    logits = y readout                                (B, T, V)
    loss   = -log softmax(logits)[target]             (B, T), nats

Without `place` no query could ask for "the next position": attention alone sees a bag of words.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention_widget.models.leak.text import IntArray
from attention_widget.multihead import merge_heads, split_heads
from attention_widget.sdpa import Attention, scaled_dot_product_attention
from attention_widget.softmax import normalise
from attention_widget.validate import FloatArray


class Parameters(NamedTuple):
    """All that is trained, or the gradient of all that is trained; float64.

    Attributes:
        token: (V, d), one row for every word.
        place: (T, d), one row for every position.
        w_q: (d, d), for `x @ w_q`; likewise w_k, w_v and w_o.
        readout: (d, V).
    """

    token: FloatArray
    place: FloatArray
    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray
    readout: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Forward:
    """One pass, with all that the way back needs.

    Attributes:
        x: what the layer reads, (B, T, d).
        q: (B, h, T, d_head); likewise k and v.
        heads: the record of the attention; its output is (B, h, T, d_head).
        context: heads side by side, (B, T, d).
        y: after W_o and the residual, (B, T, d).
        logits: (B, T, V).
    """

    x: FloatArray
    q: FloatArray
    k: FloatArray
    v: FloatArray
    heads: Attention
    context: FloatArray
    y: FloatArray
    logits: FloatArray


def draw_parameters(vocabulary: int, t: int, d: int, rng: np.random.Generator) -> Parameters:
    """Draw starting values: embeddings of variance 1/4, matrices of variance 1/d."""
    near = 1 / math.sqrt(d)
    return Parameters(
        token=rng.normal(0, 0.5, (vocabulary, d)),
        place=rng.normal(0, 0.5, (t, d)),
        w_q=rng.normal(0, near, (d, d)),
        w_k=rng.normal(0, near, (d, d)),
        w_v=rng.normal(0, near, (d, d)),
        w_o=rng.normal(0, near, (d, d)),
        readout=rng.normal(0, near, (d, vocabulary)),
    )


def forward(p: Parameters, words: IntArray, n_heads: int, causal: bool) -> Forward:
    """Predict the next word at every position, int (B, T) -> logits (B, T, V).

    Args:
        p: the parameters; T may be any length up to the rows of `p.place`.
        words: numbers of the words, int (B, T).
        n_heads: h.
        causal: position t sees positions <= t only.
    """
    x = p.token[words] + p.place[: words.shape[1]]  # (B, T, d)
    q, k, v = (split_heads(x @ w, n_heads) for w in (p.w_q, p.w_k, p.w_v))  # (B, h, T, d_head)
    heads = scaled_dot_product_attention(q, k, v, causal=causal)
    context = merge_heads(heads.output)  # (B, T, d)
    y = x + context @ p.w_o
    return Forward(x, q, k, v, heads, context, y, y @ p.readout)


def losses_at(logits: FloatArray, targets: IntArray) -> FloatArray:
    """Measure the surprise -log softmax(logits)[target] in nats, (..., V) -> (...)."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    chosen = np.take_along_axis(shifted, targets[..., None], axis=-1)[..., 0]
    surprise: FloatArray = np.log(np.exp(shifted).sum(axis=-1)) - chosen
    return surprise


def losses_and_gradient(
    p: Parameters, words: IntArray, targets: IntArray, n_heads: int, causal: bool
) -> tuple[FloatArray, Parameters]:
    """Return the loss at every position, (B, T), and the gradient of their mean.

    The mask needs no line of its own on the way back: a masked weight is exactly 0, and the
    gradient of its score, a_ij (da_ij - sum_k a_ik da_ik), is 0 with it.
    """
    f = forward(p, words, n_heads, causal)
    d_logits = normalise(f.logits)  # softmax - one-hot(target), over the mean
    np.put_along_axis(
        d_logits,
        targets[..., None],
        np.take_along_axis(d_logits, targets[..., None], axis=-1) - 1,
        axis=-1,
    )
    d_logits /= targets.size  # (B, T, V)
    d_y = d_logits @ p.readout.T  # (B, T, d)
    d_heads = split_heads(d_y @ p.w_o.T, n_heads)  # (B, h, T, d_head)
    a = f.heads.weights
    d_a = d_heads @ f.v.swapaxes(-1, -2)  # (B, h, T, T)
    d_s = a * (d_a - (a * d_a).sum(axis=-1, keepdims=True)) / math.sqrt(f.q.shape[-1])
    d_q = merge_heads(d_s @ f.k)  # (B, T, d)
    d_k = merge_heads(d_s.swapaxes(-1, -2) @ f.q)
    d_v = merge_heads(a.swapaxes(-1, -2) @ d_heads)
    d_x = d_y + d_q @ p.w_q.T + d_k @ p.w_k.T + d_v @ p.w_v.T
    d_token, d_place = np.zeros_like(p.token), np.zeros_like(p.place)
    np.add.at(d_token, words, d_x)  # a word may occur many times
    d_place[: words.shape[1]] = d_x.sum(axis=0)
    gradient = Parameters(
        token=d_token,
        place=d_place,
        w_q=_outer(f.x, d_q),
        w_k=_outer(f.x, d_k),
        w_v=_outer(f.x, d_v),
        w_o=_outer(f.context, d_y),
        readout=_outer(f.y, d_logits),
    )
    return losses_at(f.logits, targets), gradient


def _outer(left: FloatArray, right: FloatArray) -> FloatArray:
    """Sum left_bt^T right_bt over batch and position, (B, T, m), (B, T, n) -> (m, n)."""
    return left.reshape(-1, left.shape[-1]).T @ right.reshape(-1, right.shape[-1])
