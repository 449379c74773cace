"""What does the trained model predict, and what can be seen on the way?

    x_0    = token[w] + place[0..T-1]              (B, T, d)
    x_l    = x_(l-1) + layer_l(x_(l-1))            (B, T, d)
    logits = x_L readout                           (B, T, V)

The layers are `MultiHeadAttention`, the same code that draws the untrained maps.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from attention_widget.models.learned.gradients import Parameters
from attention_widget.models.words import IntArray, embed
from attention_widget.multihead import MultiHeadAttention, head_width
from attention_widget.sdpa import Attention
from attention_widget.validate import FloatArray

Head = tuple[int, int]  # layer and head, both counted from 0


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one pass through the model left behind.

    Attributes:
        layers: the record of every layer, weights (B, h, T, T).
        stream: x_0 ... x_L, (B, T, d) each.
        logits: for the next word, (B, T, V).
    """

    layers: tuple[Attention, ...]
    stream: tuple[FloatArray, ...]
    logits: FloatArray

    @property
    def weights(self) -> FloatArray:
        """The maps of all layers, (B, L, h, T, T)."""
        return np.stack([record.weights for record in self.layers], axis=1)


class WordModel:
    """A next-word model made of attention layers and nothing else.

    Args:
        parameters: trained values; see `Parameters`.
        n_heads: h of every layer.

    Raises:
        ValueError: h does not divide d, or the arrays do not fit together.
    """

    __slots__ = ("layers", "n_heads", "place", "readout", "token")

    def __init__(self, parameters: Parameters, n_heads: int) -> None:
        self.token, self.place, self.readout = (
            parameters.token,
            parameters.place,
            parameters.readout,
        )
        self.layers = tuple(MultiHeadAttention(*w, n_heads) for w in parameters.layers)
        self.n_heads = n_heads
        d = self.token.shape[1]
        head_width(d, n_heads)
        inner = [layer.w_q.shape for layer in self.layers]
        if self.place.shape[1] != d or self.readout.shape[0] != d or inner != [(d, d)] * len(inner):
            raise ValueError(
                f"all arrays must share the width d: token {self.token.shape}, place "
                f"{self.place.shape}, layers {inner}, readout {self.readout.shape}; load what one "
                "training wrote"
            )

    def __call__(
        self, words: IntArray, *, causal: bool = True, off: Collection[Head] = ()
    ) -> Reading:
        """Predict the next word at every position.

        Args:
            words: numbers of the words, int (B, T), the start token first; T is at most the
                positions that were trained.
            causal: position t sees positions <= t only.
            off: heads that are turned off: their context is 0 and so they write nothing.

        Raises:
            ValueError: `words` has another shape or is too long, or a head does not exist.
        """
        if words.ndim != 2 or words.shape[1] > len(self.place):
            raise ValueError(
                f"words must be (B, T) with T <= {len(self.place)}: got {words.shape}; shorten "
                "the rows, or train with more positions"
            )
        self.check_heads(off)
        x = embed(self.token, self.place, words)  # (B, T, d)
        records, stream = [], [x]
        for number, layer in enumerate(self.layers):
            record = layer(x, causal=causal)
            kept = self.kept_columns(number, off)
            x = x + (record.output if kept.all() else (record.context * kept) @ layer.w_o)
            records.append(record)
            stream.append(x)
        return Reading(tuple(records), tuple(stream), x @ self.readout)

    @property
    def heads(self) -> tuple[Head, ...]:
        """All heads, from the bottom."""
        return tuple((lay, i) for lay in range(len(self.layers)) for i in range(self.n_heads))

    def check_heads(self, heads: Collection[Head]) -> None:
        """Raise ValueError if one of the heads does not exist."""
        for head in heads:
            if head not in self.heads:
                raise ValueError(
                    f"a head is (layer, head), counted from 0, with {len(self.layers)} layers of "
                    f"{self.n_heads}: got {head!r}; try (0, 0)"
                )

    def kept_columns(self, layer: int, off: Collection[Head]) -> FloatArray:
        """Return 0 for the context's columns of heads that are off and 1 for the others, (d,)."""
        on = [float((layer, i) not in off) for i in range(self.n_heads)]
        return np.repeat(on, self.layers[layer].d_head).astype(self.token.dtype)
