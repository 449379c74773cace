"""What is behind the map: two ways to mask one row, computed, and the words around them?"""

from typing import Any

import numpy as np

from attention_widget import causal_mask, softmax
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.map import words
from attention_widget.widgets.map.render import number

ROW = 2  # "starts", in the middle of the sentence


def routes() -> dict[str, Any]:
    """Return the two ways to mask one row, computed: {"word", "tokens", "before", "cut", "after"}.

    "before" masks the scores, "cut" zeroes the weights after softmax, and "after" divides what is
    left by its sum, "left".
    """
    tokens = tokenize(SENTENCE)
    scores = lesson_layer(1)(lesson_inputs(tokens), causal=False).scores[0, 0, ROW]  # (T,)
    allowed = causal_mask(len(tokens))[ROW]
    cut = np.where(allowed, softmax(scores), 0.0)
    rows = {
        "before": softmax(np.where(allowed, scores, -np.inf)),
        "cut": cut,
        "after": cut / cut.sum(),
    }
    return {
        "word": tokens[ROW],
        "tokens": tokens,
        "left": number(cut.sum()),
        **{name: [number(v) for v in row] for name, row in rows.items()},
    }


def story() -> dict[str, Any]:
    """Return everything that the story's template places."""
    return {
        "parts": words.PARTS,
        "more": words.MORE,
        "shapes": words.SHAPES,
        "routes": routes(),
    }
