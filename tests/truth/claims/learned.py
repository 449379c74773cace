"""What the numbers of the maps of the trained heads stand for, recorded and live."""

from typing import Any

import numpy as np

from tests.truth.claims.common import SCALE, Claims, these
from tests.truth.claims.trained import bar, measured, named, names, percent
from tests.truth.numbers import Claim
from tests.truth.trained import (
    CLEAR,
    HEADS,
    START,
    WORDS,
    Head,
    Off,
    Pass,
    induction_heads,
    previous_head,
    sentence,
    subject_head,
    worth,
)

NEAR = 0.05  # a chance that moves less is said to stay
BLANK = 0.005  # a cell with less has no number
LISTED = 3
SHARES = {
    "right": "second_right",
    "verb": "verb_right",
    "unknown": "first_right",
}


def changed(values: dict[str, Any]) -> tuple[Off, bool]:
    """Return which heads are off and whether the mask is on."""
    if "change" not in values:
        off = frozenset(h for h in HEADS if not values[f"head{h[0] + 1}{h[1] + 1}"])
        return off, values["causal"]
    change = values["change"]
    off = frozenset() if change in ("none", "mask") else frozenset(map(named, change.split()))
    return off, change != "mask"


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    (off, causal), text, head = changed(values), values["sentence"], named(values["head"])
    now = sentence(text, off, causal)
    map_of = now.weights[0, *head]
    seen = np.tri(len(map_of), dtype=bool) if causal else np.ones_like(map_of, dtype=bool)
    cells = [*np.where(seen, map_of, 0)[~seen | (map_of >= BLANK)]]
    looks = measured("largest weight of the last row", map_of[-1].max())
    order = np.argsort(-now.chances[0, -1], kind="stable")[:LISTED]
    moved = happened(sentence(text), now, off, causal)
    title = [*names([head]), *these("layer", head[0] + 1), *score_of(head)]
    controls = ("sentence", "change") if "change" in values else ("sentence", "causal", *switches())
    figures = {
        "title": title,
        "looks": looks,
        "figure": names([head]),
        "happened": moved,
        "leak": leak(text, off, causal),
        "changed": names(off),
        "next": [c for word in order for c in bar("chance", now.chances[0, -1, word])],
        "announcement.head": [*title, *looks],
        **{f"announcement.{control}": moved for control in (*controls, "reset")},
        **{f"mini-label.{h[0] + 1}.{h[1] + 1}": names([h]) for h in HEADS},
        **figures_on_unseen_rows(off, causal),
    }
    columns = {
        "cells.text": measured("weight", *cells),
        "cells.weight": measured("weight in a tooltip", *map_of.flat),
        "cells.head": names([head]),
        "notes.text": SCALE,
    }
    return {f"learned.{key}": found for key, found in figures.items()} | {
        f"source:learned.{key}": found for key, found in columns.items()
    }


def switches() -> list[str]:
    """Return the names of the heads' switches on a live page."""
    return [f"head{layer + 1}{i + 1}" for layer, i in HEADS]


def score_of(head: Head) -> list[Claim]:
    """Claim the score of a head that is called by what it does."""
    whole = worth()
    scores = [whole.previous[head]] if head == previous_head() else []
    scores += [whole.induction[head]] if head in induction_heads() else []
    scores += [whole.subject[head]] if head == subject_head() else []
    return measured("score", *[score for score in scores if score > CLEAR][:1])


def happened(before: Pass, now: Pass, off: Off, causal: bool) -> list[Claim]:
    """Claim the chance of the likeliest word, and how a change moved it."""
    was, chances = before.chances[0, -1], now.chances[0, -1]
    word, first = int(was.argmax()), int(chances.argmax())
    if not off and causal:
        return measured("chance", was[word])
    pair = [was[word], chances[word]]
    moved = pair[::-1] if abs(pair[0] - pair[1]) < NEAR else pair
    top = [] if first == word else [chances[first]]
    return [*names(off), *measured("chance", *moved, *top)]


def leak(text: str, off: Off, causal: bool) -> list[Claim]:
    """Claim how well the words inside the sentence are given."""
    numbers = [WORDS.index(word) for word in text.split()]
    if len(numbers) < 2:
        return []
    at = np.arange(1, len(numbers))
    masked, free = (
        sentence(text, off, c).chances[0, at, numbers[1:]].mean() for c in (True, False)
    )
    if causal:
        return measured("mean chance of the true word", masked)
    shares = (worth(off, causal=c).first_right for c in (False, True))
    told = [c for share in shares for c in percent("right among unknowable words", share)]
    return [*measured("mean chance of the true word", masked, free), *told]


def figures_on_unseen_rows(off: Off, causal: bool) -> Claims:
    """Claim the four figures and what they are with everything on."""
    now, whole = worth(off, causal), worth()
    found = {
        "kpi.second": measured("loss", now.second_loss),
        "note.second": measured("loss", whole.second_loss),
    }
    for key, share in SHARES.items():
        found[f"kpi.{key}"] = percent(share, getattr(now, share))
        found[f"note.{key}"] = percent(share, getattr(whole, share))
    found["note.unknown"] += percent("1/V", 1 / START)
    return found
