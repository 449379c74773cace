"""How is a term explained where it stands?

In the words of a room "[[weights|weight]]" marks a term: it stands there as "weights" and opens the
explanation of "weight"; "[[mask]]" does both under one name. `assets/page/terms.js` opens it.
"""

import re
from collections.abc import Mapping
from typing import Any

MARK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]|]+))?\]\]")
# Each in one sentence.
TERMS: Mapping[str, str] = {
    "query": "What a word asks for, its numbers times W_q: one row of the map.",
    "key": "What a word can be found by, its numbers times W_k: one column of the map.",
    "value": "What a word gives to those that look at it: its numbers times W_v.",
    "score": "How well a query fits a key: the product of the two, divided by √d_head.",
    "softmax": "Turns the scores of a row into weights: all above 0, and together 1.",
    "weight": "The share of its look that a word gives to another word: the number in a cell.",
    "mask": "Sets the scores of later words to −∞, so that softmax makes their weights 0.",
    "head": "One set of queries, keys and values, with a map of its own.",
    "d_head": "How many of a word’s d numbers one head has: d / h, so h must divide d.",
    "context": "What a head takes away for a word: all values, each times its weight, added up.",
    "W_o": "Mixes the contexts of all heads into the output of the layer.",
    "dropout": "In training, sets weights to 0 at random, so that no word relies on one other.",
    "draw": "One throw of the dice for dropout: which weights are set to 0 this time.",
    "loss": "How surprised a model was by each word that really came, on average; 0 is not at all.",
    "nat": "The unit of loss: 0.69 nats is as wrong as guessing between two words.",
}


def with_terms(text: str) -> list[Any]:
    """Return the nodes of a text, its marked terms as buttons."""
    nodes: list[Any] = []
    end = 0
    for mark in MARK.finditer(text):
        shown, term = mark[1], mark[2] or mark[1]
        if term not in TERMS:
            continue  # a student's own words, perhaps
        nodes += [text[end : mark.start()], term_button(shown, term)]
        end = mark.end()
    return [node for node in (*nodes, text[end:]) if node]


def term_button(shown: str, term: str) -> list[Any]:
    """Return the node of a button that stands as `shown` and opens the explanation of `term`.

    Raises:
        KeyError: there is no such term.
    """
    TERMS[term]
    attributes = {
        "class": "term",
        "type": "button",
        "data-term": term,
        "aria-expanded": "false",
        "aria-describedby": f"term-{term}",
    }
    return ["button", attributes, shown]


def without_terms(text: str) -> str:
    """Return a text as it is said: without its marks."""
    return MARK.sub(lambda mark: mark[1] if (mark[2] or mark[1]) in TERMS else mark[0], text)
