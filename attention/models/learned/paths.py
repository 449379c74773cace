"""By which way does one head use another?

A head of the layer above reads the stream three times: for its queries, its keys and its values.
Take what one head wrote out of a single one of the three, leave it in the other two and in the
stream itself, and see what breaks.
"""

from collections.abc import Collection
from typing import Literal

from attention_widget.contributions import head_contributions
from attention_widget.models.learned.model import Head, Reading, WordModel
from attention_widget.models.words import IntArray
from attention_widget.multihead import merge_heads, split_heads
from attention_widget.sdpa import Attention, scaled_dot_product_attention

Way = Literal["queries", "keys", "values"]
WAYS: tuple[Way, ...] = ("queries", "keys", "values")


def without_path(model: WordModel, words: IntArray, source: Head, ways: Collection[Way]) -> Reading:
    """Return what the model reads when the layer above `source` does not hear it on these ways.

        x'  = x - Z_i W_o[rows of head i]
        Q   = x' W_q  if "queries" is among the ways, else x W_q; likewise K and V

    Args:
        model: a trained model.
        words: int (B, T), the start token first.
        source: a head with a layer above it.
        ways: of "queries", "keys", "values".

    Raises:
        ValueError: the head does not exist or has no layer above it, or a way is not known.
    """
    model.check_heads([source])
    below, i = source
    if below + 1 >= len(model.layers):
        raise ValueError(
            f"a path needs a layer above the head: got {source!r} in the last of "
            f"{len(model.layers)} layers; take a head below"
        )
    if unknown := [way for way in ways if way not in WAYS]:
        raise ValueError(f"the ways are {', '.join(WAYS)}: got {unknown[0]!r}; try 'keys'")
    plain = model(words)
    w_o, context = model.layers[below].w_o, plain.layers[below].context
    written = head_contributions(context, w_o, model.n_heads)[:, i]  # (B, T, d)
    x, layer = plain.stream[below + 1], model.layers[below + 1]
    q, k, v = (
        split_heads((x - written if way in ways else x) @ w, model.n_heads)
        for way, w in zip(WAYS, (layer.w_q, layer.w_k, layer.w_v), strict=True)
    )  # (B, h, T, d_head)
    heads = scaled_dot_product_attention(q, k, v, causal=True)
    merged = merge_heads(heads.output)  # (B, T, d)
    output = merged @ layer.w_o
    records = [
        *plain.layers[: below + 1],
        Attention(heads.scores, heads.masked_scores, heads.weights, heads.dropped, output, merged),
    ]
    stream = [*plain.stream[: below + 2], x + output]
    for above in model.layers[below + 2 :]:
        records.append(above(stream[-1], causal=True))
        stream.append(stream[-1] + records[-1].output)
    return Reading(tuple(records), tuple(stream), stream[-1] @ model.readout)
