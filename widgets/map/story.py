"""What is behind the map: the formula, its parts, two ways to mask, and the words that are used?"""

from typing import Any

import numpy as np

from attention_widget import causal_mask, softmax
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.map.render import number

ROW = 2  # "starts", in the middle of the sentence

TERMS = (
    ("query", "What a word asks for: its numbers times W_q. One row of the map."),
    ("key", "What a word offers to be found by: its numbers times W_k. One column of the map."),
    ("value", "What a word gives to those that look at it: its numbers times W_v."),
    ("score", "How well a query fits a key: the product of the two, divided by √d_head."),
    ("softmax", "Turns the scores of a row into weights: all above 0, and together 1."),
    ("weight", "The share of its look that a word gives to another word. The number in a cell."),
    ("mask", "Sets the scores of later words to −∞, so that softmax makes their weights 0."),
    ("head", "One set of queries, keys and values, with a map of its own."),
    ("d_head", "How many of the d numbers a head has: d / h, so h must divide d."),
    ("context", "What a head takes away for a word: all values, each times its weight, added up."),
    ("W_o", "Mixes the contexts of all heads into the output of the layer."),
    ("dropout", "In training, sets weights to 0 at random, so that no word relies on one other."),
    ("draw", "One throw of the dice for dropout: which weights are set to 0 this time."),
    ("nat", "The unit of loss: the natural logarithm of how surprised the model was."),
)
PARTS = (
    "QKᵀ holds a score for each query (row) with each key (column).",
    "Dividing by √d_head keeps scores of wide heads as small as those of narrow ones; without it "
    "the largest score would take nearly all the weight.",
    "mask sets every score of a later word to −∞.",
    "softmax makes weights: e to the −∞ is 0, and what is left of a row sums to 1.",
    "Times V: each word takes the values of the words it looks at, as much as it looks at them.",
)
MORE = (
    (
        "What is learned",
        "A language model gives p(next | so far): how likely each word is to come next, after the "
        "words so far. Nobody labels the text: the word at place t + 1 is the answer at place t, "
        "so one sentence shifted by one word asks a question at each place, all in one pass.",
    ),
    (
        "What dropout is for",
        "A large model learns a small text by heart. When some weights are missing at random, it "
        "has to find its answer in more than one place, and does better on text it has not seen.",
    ),
    (
        "Why several heads",
        "One head has one idea of what fits. Several look at the same word for different things. "
        "Each head reads all d numbers of a word; W_q, W_k and W_v make d numbers of them, and "
        "those are cut into h parts of d_head. Cost stays about the same, but the h maps need h "
        "times the memory.",
    ),
    (
        "Take away",
        "Mask before softmax, so that no word reads what it must say. "
        "Dropout after softmax, in training only. h heads of d / h, joined again by W_o. A map has "
        "T × T cells: twice the words, four times the cells.",
    ),
    (
        "What comes next",
        "Attention only mixes words. The next lesson adds what works on each word by itself, and "
        "what lets many layers be stacked.",
    ),
)
SHAPES = (
    ("(B, T, d)", "B texts of T words, each word d numbers"),
    ("(B, T, h, d_head)", "each word's d numbers cut into h parts; nothing moves"),
    ("(B, h, T, d_head)", "heads moved before words: h small matrices, one per head"),
)


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
        "terms": TERMS,
        "parts": PARTS,
        "more": MORE,
        "shapes": SHAPES,
        "routes": routes(),
    }
