"""How does the smallest next-word model work, and how do its gradients flow back?

One attention layer between an embedding and a readout, with every gradient written by hand:

    x      = token[w] + place[0..T-1]                 (B, T, d)
    y      = x + [Z_1, ..., Z_h] W_o                  (B, T, d)
    logits = y readout                                (B, T, V)
    loss   = -log softmax(logits)[target]             (B, T), nats
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention_widget.models.layer import (
    LayerPass,
    LayerWeights,
    draw_layer,
    pass_back,
    pass_forward,
    sum_of_outer,
)
from attention_widget.models.words import (
    IntArray,
    embed,
    embed_back,
    losses_at,
    mean_loss_back,
)
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

    @property
    def layer(self) -> LayerWeights:
        """The weights of the attention layer."""
        return LayerWeights(self.w_q, self.w_k, self.w_v, self.w_o)


@dataclass(frozen=True, slots=True, eq=False)
class Forward:
    """One pass: the layer's intermediates, and logits (B, T, V)."""

    layer: LayerPass
    logits: FloatArray


def draw_parameters(vocabulary: int, t: int, d: int, rng: np.random.Generator) -> Parameters:
    """Draw starting values: embeddings of variance 1/4, matrices of variance 1/d."""
    return Parameters(
        rng.normal(0, 0.5, (vocabulary, d)),
        rng.normal(0, 0.5, (t, d)),
        *draw_layer(d, rng),
        rng.normal(0, 1 / math.sqrt(d), (d, vocabulary)),
    )


def forward(p: Parameters, words: IntArray, n_heads: int, causal: bool) -> Forward:
    """Predict the next word at every position, int (B, T) -> logits (B, T, V).

    Args:
        p: the parameters; T may be any length up to the rows of `p.place`.
        words: numbers of the words, int (B, T).
        n_heads: h.
        causal: position t sees positions <= t only.
    """
    layer = pass_forward(p.layer, embed(p.token, p.place, words), n_heads, causal)
    return Forward(layer, layer.y @ p.readout)


def losses_and_gradient(
    p: Parameters, words: IntArray, targets: IntArray, n_heads: int, causal: bool
) -> tuple[FloatArray, Parameters]:
    """Return the loss at every position, (B, T), and the gradient of their mean."""
    f = forward(p, words, n_heads, causal)
    d_logits = mean_loss_back(f.logits, targets)  # (B, T, V)
    d_x, d_layer = pass_back(p.layer, f.layer, d_logits @ p.readout.T)
    gradient = Parameters(
        *embed_back(p.token, p.place, words, d_x), *d_layer, sum_of_outer(f.layer.y, d_logits)
    )
    return losses_at(f.logits, targets), gradient
