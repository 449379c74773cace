"""How do gradients flow back through two attention layers, one above the other?

    x_0    = token[w] + place[0..T-1]                       (B, T, d)
    x_l    = x_(l-1) + heads_l(x_(l-1)) W_o                 (B, T, d)
    logits = x_L readout                                    (B, T, V)
    loss   = -log softmax(logits)[target], mean over B, T   nats

No biases, no normalisation, no other layers: what the model can do, its heads do.
"""

import math
from typing import NamedTuple

import numpy as np

from attention_widget.models.adam import Arrays
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
    """All that is trained, or the gradient of all that is trained.

    Attributes:
        token: (V + 1, d), one row for every word, the last for the start token.
        place: (T, d), one row for every position.
        layers: the four matrices of every layer, from the bottom.
        readout: (d, V); the start token is never predicted.
    """

    token: FloatArray
    place: FloatArray
    layers: tuple[LayerWeights, ...]
    readout: FloatArray

    def arrays(self) -> Arrays:
        """Return all arrays in one row: token, place, layer after layer, readout."""
        return (self.token, self.place, *(w for layer in self.layers for w in layer), self.readout)

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "Parameters":
        """Put the arrays back in their places; undoes `arrays`."""
        token, place, *inner, readout = arrays
        layers = (LayerWeights(*inner[i : i + 4]) for i in range(0, len(inner), 4))
        return cls(token, place, tuple(layers), readout)


def draw_parameters(
    vocabulary: int, t: int, d: int, n_layers: int, rng: np.random.Generator
) -> Parameters:
    """Draw starting values, float64: embeddings of variance 1/4, matrices of variance 1/d."""
    return Parameters(
        rng.normal(0, 0.5, (vocabulary + 1, d)),
        rng.normal(0, 0.5, (t, d)),
        tuple(draw_layer(d, rng) for _ in range(n_layers)),
        rng.normal(0, 1 / math.sqrt(d), (d, vocabulary)),
    )


def forward(
    p: Parameters, words: IntArray, n_heads: int, causal: bool
) -> tuple[list[LayerPass], FloatArray]:
    """Return the layers' passes and the logits, int (B, T) -> (B, T, V)."""
    x: FloatArray = embed(p.token, p.place, words)
    passes: list[LayerPass] = []
    for weights in p.layers:
        passes.append(pass_forward(weights, x, n_heads, causal))
        x = passes[-1].y
    return passes, x @ p.readout


def losses_and_gradient(
    p: Parameters, words: IntArray, targets: IntArray, n_heads: int, causal: bool
) -> tuple[FloatArray, Parameters]:
    """Return the loss at every position, (B, T), and the gradient of their mean."""
    passes, logits = forward(p, words, n_heads, causal)
    d_logits = mean_loss_back(logits, targets)  # (B, T, V)
    d_x: FloatArray = d_logits @ p.readout.T  # (B, T, d)
    layers: list[LayerWeights] = []
    for weights, done in zip(reversed(p.layers), reversed(passes), strict=True):
        d_x, d_weights = pass_back(weights, done, d_x)
        layers.insert(0, d_weights)
    d_token, d_place = embed_back(p.token, p.place, words, d_x)
    d_readout = sum_of_outer(passes[-1].y, d_logits)
    return losses_at(logits, targets), Parameters(d_token, d_place, tuple(layers), d_readout)
