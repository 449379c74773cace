"""What does the heads lab measure: one token's context by head, and what W_o makes of it?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget import head_width
from attention_widget.contributions import head_contributions, head_products
from attention_widget.lesson import D_MODEL, SENTENCE, lesson_inputs, lesson_layer, tokenize

FloatArray = npt.NDArray[np.floating]
TOKENS = tokenize(SENTENCE)


@dataclass(frozen=True, slots=True, eq=False)
class HeadsLook:
    """One token in one layer.

    Attributes:
        d_head: width of a head.
        context: (d,) the concatenated heads.
        output: (d,) what the layer gives, context W_o.
        column: (d,) the chosen column of W_o.
        products: (d,) context * column, term by term.
        by_head: (h, d) contribution of each head to each output channel.
        gap: largest |sum over heads - output| of all channels; rounding only.
        feeding: heads whose contribution to the chosen channel is not 0.
        feeding_alone: the same if W_o were left out, so that a channel is a context number.
    """

    d_head: int
    context: FloatArray
    output: FloatArray
    column: FloatArray
    products: FloatArray
    by_head: FloatArray
    gap: float
    feeding: int
    feeding_alone: int


@lru_cache(maxsize=1024)
def look(
    heads: int, causal: bool, token: int, channel: int, tokens: tuple[str, ...] = TOKENS
) -> HeadsLook:
    """Measure one state; `token` and `channel` count from 1."""
    layer = lesson_layer(heads)
    record = layer(lesson_inputs(tokens), causal=causal)
    t, c = token - 1, channel - 1
    context, output = record.context[0, t], record.output[0, t]  # (d,)
    by_head = head_contributions(record.context[0], layer.w_o, heads)[:, t]  # (h, d)
    alone = head_contributions(record.context[0], np.eye(D_MODEL), heads)[:, t]
    return HeadsLook(
        d_head=head_width(D_MODEL, heads),
        context=context,
        output=output,
        column=layer.w_o[:, c],
        products=head_products(record.context[0], layer.w_o, heads)[:, t, :, c].ravel(),
        by_head=by_head,
        gap=float(np.abs(by_head.sum(axis=0) - output).max()),
        feeding=int(np.count_nonzero(by_head[:, c])),
        feeding_alone=int(np.count_nonzero(alone[:, c])),
    )
