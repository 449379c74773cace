"""Which words does the chosen word look at, as arcs above the words and as a sentence?

The arcs and sentences of all rows are rendered together: the control `word` only chooses among
them, so a page without Python holds each state once.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.map.layout import ROOM, label_height, unit
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.section.section import Slots

WORD = "map.control.word"
WEIGHTS = "source:map.cells.weight"
PLACE = "\t"  # counts as a space, so no word of a sentence holds it
BACK, AHEAD = 0, 1  # places in a scheme's "arcs"
FloatArray = npt.NDArray[np.floating]


def chosen(of: Sequence[object]) -> dict[str, object]:
    """Return a slot that holds one value for each word, of which the chosen word's is shown."""
    return {"by": WORD, "of": of}


def render_looks(snap: Snapshot) -> Slots:
    """Render the sentence about each word's row."""
    weights = snap.weights_shown  # (T, T)
    sentences: list[object] = [in_words(snap.tokens, n, row) for n, row in enumerate(weights)]
    return {
        "looks": chosen(sentences) | {"fill": WEIGHTS},
        "announcement.word": {"like": "map.looks"},
    }


def render_arcs(snap: Snapshot) -> Slots:
    """Render the arcs and the labels of each word; they differ with the sentence alone."""
    return _arcs(snap.tokens)


@lru_cache(maxsize=64)
def _arcs(tokens: tuple[str, ...]) -> Slots:
    t = len(tokens)
    others = ["normal"] * (2 + ROOM)
    styles: list[object] = [
        [*(["bold" if j == row else "normal" for j in range(t)] * 2), *others] for row in range(t)
    ]
    words: list[object] = [
        {"aria-valuenow": row + 1, "aria-valuemax": t, "aria-valuetext": token}
        for row, token in enumerate(tokens)
    ]
    return _places(tokens) | {
        "source:arcs.width": {"by": WORD, "row_of": WEIGHTS},
        "source:labels.style": chosen(styles),
        "word": chosen(words),
    }


def _places(tokens: tuple[str, ...]) -> Slots:
    """Render where each word's arcs begin, bend and end; one to itself is a loop."""
    t, size = len(tokens), unit(len(tokens))
    foot = -label_height(tokens, arcs=True)
    starts, bends_from, bends_to, ends, tops = ([] for _ in range(5))
    for i in range(t):
        away = [abs(j - i) for j in range(t)]
        starts.append([i + 0.5 - (0.15 if j == i else 0) for j in range(t)])
        ends.append([j + 0.5 + (0.15 if j == i else 0) for j in range(t)])
        bends_from.append([i + 0.5 - (0.5 if j == i else 0) for j in range(t)])
        bends_to.append([j + 0.5 + (0.5 if j == i else 0) for j in range(t)])
        tops.append([round(foot - size * (0.55 + 0.85 * n / max(1, t - 1)), 3) for n in away])
    return {
        "source:arcs.x0": chosen(starts),
        "source:arcs.x1": chosen(ends),
        "source:arcs.cx0": chosen(bends_from),
        "source:arcs.cx1": chosen(bends_to),
        "source:arcs.cy": chosen(tops),
        "source:arcs.kind": chosen(
            [[AHEAD if j > i else BACK for j in range(t)] for i in range(t)]
        ),
        "source:arcs.y0": [foot] * t,
    }


def in_words(tokens: tuple[str, ...], row: int, weights: FloatArray) -> str:
    """Return what a word looks at; `PLACE` and the number of a cell stand where its weight goes.

    With the weights it reads, for example, "starts looks at Your 0.33, itself 0.67, and at nothing
    after it."

    Args:
        tokens: the words, T of them.
        row: the word that looks, from 0.
        weights: (T,) its row.
    """
    seen = [j for j, weight in enumerate(weights) if weight > 0]
    if not seen:
        return f"{tokens[row]} looks at nothing: all of its weights were dropped."
    named = ["itself" if j == row else token for j, token in enumerate(tokens)]
    text = f"{tokens[row]} looks at " + ", ".join(
        f"{named[j]} {PLACE}{row * len(tokens) + j}" for j in seen
    )
    if row == len(tokens) - 1:
        return f"{text}; no word comes after it."
    ahead = sum(j > row for j in seen)
    if not ahead:
        return f"{text}, and at nothing after it."
    return f"{text}; {ahead} of these {'comes' if ahead == 1 else 'come'} after it."


def filled(sentence: str, weights: list[str]) -> str:
    """Return a sentence of `in_words` with the weights of the cells in their places."""
    return re.sub(f"{PLACE}([0-9]+)", lambda place: weights[int(place[1])], sentence)
