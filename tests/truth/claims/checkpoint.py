"""What the numbers of every step of the checkpoint stand for, in every state."""

from functools import lru_cache
from itertools import product

import numpy as np

from attention_widget.models.learned import roles as trained
from tests.truth.claims.common import Claims, constants, rounded, these
from tests.truth.claims.leak import models
from tests.truth.independent import FUTURE, SEED, D, columns, inputs, matrices, softmax, weights
from tests.truth.numbers import Claim

HEADS, DRAWS = 4, 1000
LINE = ("We", "read", "one", "line")
CELLS = (4, 8, 3, 7, 5, 9, 2)  # words of the cases of "How many cells go dark?"
LAYERS = ((768, 12), (96, 8), (64, 2), (120, 3), (12, 2), (512, 4), (36, 12))


@lru_cache
def scores(words: tuple[str, ...], h: int = 1) -> np.ndarray:
    """Return the scaled scores of a sentence, (h, T, T)."""
    q, k = (columns(inputs(words), w, h) for w in matrices()[:2])
    return np.einsum("hid,hjd->hij", q, k) / np.sqrt(D // h)


def under(raw: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Return the weights when only some cells may be looked at."""
    return softmax(np.where(allowed, raw, -np.inf))


def drawn(rows: np.ndarray, label: tuple[float, ...] = (0,)) -> list[Claim]:
    """Claim a small map: numbers of its label, then the bar and the weight of every cell."""
    found = constants(*label)
    for weight in rows.flat:
        found += rounded("square root of a weight", [np.sqrt(weight)], 3)
        found += these("weight", weight)
    return found


def bars(rows: list[tuple[list[Claim], float]], top: float) -> list[Claim]:
    """Claim figures by name, each with a bar."""
    found: list[Claim] = []
    for name, value in rows:
        found += [*name, *these("figure", value), *rounded("bar of a figure", [value / top], 3)]
    return found


def hook(name: str, rest: list[str]) -> Claims:
    leaky, masked = (float(run.position_losses[:-1].mean()) for run in models(SEED))
    both = these("loss", leaky, masked)
    return {"wanted": [*constants(0), *both]} if name == "ask" else {"notes": both}


def read(name: str, rest: list[str]) -> Claims:
    t = len(LINE)
    back = np.tri(t, dtype=bool)
    everything = np.ones((t, t), dtype=bool)
    masks = (back, back.T, everything, np.tri(t, k=1, dtype=bool))
    if name in ("told", "done-first", "done-later"):
        return {"notes": constants(0)}
    if name not in ("case", "missed"):
        return {}
    n = int(rest[0])
    rows = under(scores(LINE)[0], masks[n])
    picture = drawn(rows[-1:] if n == 2 else rows)
    return {"picture": picture, "notes": constants(0) if (name, n) == ("missed", 0) else []}


def hidden(name: str, rest: list[str]) -> Claims:
    if name == "ask":
        return {"wanted": these("words", *[int(rest[0])] * 2)}
    if name == "held":
        return {"notes": these("guess", int(rest[0]))}
    if name == "told":
        guess, size = int(rest[0]), int(rest[1])
        counts = np.triu(np.ones((size, size)), 1).sum(axis=1)
        rows = [v for i, c in enumerate(counts, start=1) if c for v in (c, i)]
        return {"notes": these("guess, cells by row, all cells", guess, *rows, counts.sum())}
    if name in ("done-first", "done-later"):
        return {"notes": constants(5, 4, 3, 2, 1, FUTURE.sum(), 1)}
    if name not in ("case", "missed"):
        return {}
    sizes = [t for t in CELLS if t * (t - 1) // 2 != int(rest[1])]
    size = sizes[int(rest[0])]
    counts = np.triu(np.ones((size, size)), 1).sum(axis=1)
    if name == "case":
        return {"wanted": these("words", size), "picture": these("words", size, size)}
    return {
        "notes": these("terms and their sum", *counts[:-1], counts.sum()),
        "picture": these("words, cells, cells by row", size, size, counts.sum(), *counts),
    }


def percents(off: np.ndarray, on: np.ndarray) -> list[int]:
    """Return the change of every row in percent; 0 only where nothing changed."""
    change = np.abs(off - on).sum(axis=1) / 2
    return [0 if c < 1e-12 else max(1, round(100 * c)) for c in change]


@lru_cache
def of_the_map() -> set[tuple[int, ...]]:
    """Return the changes of every head of every number of heads."""
    pairs = product(range(1, HEADS + 1), (False, True))
    both = {(h, causal): weights(h, causal) for h, causal in pairs}
    return {
        tuple(percents(both[h, False][i], both[h, True][i]))
        for h in range(1, HEADS + 1)
        for i in range(h)
    }


def changes(found: list[int]) -> list[Claim]:
    """Claim the bars of changes."""
    claims: list[Claim] = []
    for n, change in enumerate(found, start=1):
        claims += these("place and bar", n, change / 100)
        claims += these("change in percent", change) if change else []
    return claims


CASES = (
    (LINE, 1, 1, True),
    (("The", "cat", "sat", "down"), 1, 1, False),
    (("Rain", "falls", "on", "stone"), 2, 2, True),
    (("Birds", "sing", "at", "dawn"), 1, 1, False),
)


def said(place: int, t: int) -> list[Claim]:
    """Claim the number in the name of a row: only the first has one."""
    return constants(1) if place == 1 else []


def rows(name: str, rest: list[str]) -> Claims:
    if name == "held":
        return {"notes": constants(*[1] * [*rest[:2]].count("first"))}
    if name == "told":
        found = [int(c) for c in rest[1].split(".")]
        assert tuple(found) in of_the_map(), "a head of the map changes so"
        top = int(np.argmax(found))
        told = these("row and its change", top + 1, found[top])
        return {"notes": told, "picture": changes(found)}
    if name in ("done-first", "done-later"):
        return {"notes": constants(1)}
    if name not in ("case", "missed"):
        return {}
    words, h, head, past = CASES[int(rest[0])]
    t = len(words)
    allowed = np.tri(t, dtype=bool).T if past else np.tri(t, dtype=bool)
    off = softmax(scores(words, h)[head - 1])
    found = percents(off, under(scores(words, h)[head - 1], allowed))
    if name == "case":
        return {"picture": drawn(off, label=())}
    top = int(np.argmax(found))
    still = [n for n, change in enumerate(found, start=1) if change == 0]
    why = [*said(top + 1, t), *these("row and its change", top + 1, found[top])]
    return {"notes": [*why, *said(still[-1], t)], "picture": changes(found)}


def width(name: str, rest: list[str]) -> Claims:
    if name == "ask":
        return {"wanted": these("d and heads", D, HEADS)}
    if name == "wait":
        return {"wanted": these("heads", HEADS)}
    if name == "held":
        return {"wanted": these("heads", HEADS), "notes": these("guess", int(rest[0]))}
    if name == "told":
        parts = these("d, heads, d_head", D, HEADS, D // HEADS)
        return {"notes": [*these("guess", int(rest[0])), *parts], "picture": parts}
    if name == "done-later":
        return {"again": these("heads", HEADS)}
    if name not in ("case", "missed"):
        return {}
    layers = [one for one in LAYERS if one[0] // one[1] != int(rest[1])]
    d, h = layers[int(rest[0])]
    parts = these("d, heads, d_head", d, h, d // h)
    return {"wanted": parts[:2]} if name == "case" else {"notes": parts, "picture": parts}


def heads(name: str, rest: list[str]) -> Claims:
    if name == "held":
        choice, seen, ready = rest
        left = [i for i in range(1, HEADS + 1) if str(i) not in seen]
        asked = these("heads left", *left) if ready == "1" else these("heads", HEADS)
        return {"wanted": asked, "notes": said(1 if choice == "first" else 0, 0)}
    if name == "told":
        return {"notes": constants(1, 1, 1)}
    if name in ("done-first", "done-later"):
        again = these("heads", HEADS) if name == "done-later" else []
        return {"notes": constants(1), "again": again}
    if name != "missed":
        return {}
    t, n = len(LINE), int(rest[0])
    back = np.tri(t, dtype=bool)
    near = back & np.tri(t, k=1, dtype=bool).T
    masks = (np.ones((t, t), dtype=bool), back.T, back, near)
    raw = scores(LINE, HEADS)[[0, 0] if n == 2 else [0, 1]]
    pictures = [drawn(under(one, masks[n])) for one in raw]
    notes = constants(1) if n in (1, 3) else []
    return {"notes": notes, "picture": [*pictures[0], *pictures[1]]}


def dropout(name: str, rest: list[str]) -> Claims:
    if name == "ask":
        return {"wanted": constants(0, 1, 1)}
    if name == "held":
        phase = rest[1]
        hints = {"idle-t": [0], "unsettled": [1], "left-none": [0]}
        own = constants(1)  # each of the answers names the sum 1
        wanted = constants(*([0] if not phase.startswith("left") else [1, 1]))
        return {"wanted": wanted, "notes": [*own, *constants(*hints.get(phase, []))]}
    if name == "told":
        return {"notes": constants(1, 1, 1, 1), "picture": [*these("p", 0.5), *row_sums(0.5, 2)]}
    if name in ("done-first", "done-later"):
        again = constants(0) if name == "done-later" else []
        return {"notes": constants(1, 1, 1), "again": again}
    n = int(rest[0])
    p = (0.5, 0.5, 0.2, 0.2)[n]
    wanted = [*these("p", p), *constants(*[1] * (0, 2, 2, 2)[n])]
    if name == "case":
        return {"wanted": wanted}
    return {"notes": constants(*[1] * (1, 1, 0, 1)[n]), "picture": row_sums(p, n)}


def row_sums(p: float, n: int) -> list[Claim]:
    """Claim the sums of one draw and their means: n is 0 for inference, 2 where survivors grow."""
    rows = under(scores(LINE)[0], np.tri(len(LINE), dtype=bool))
    field = np.random.default_rng(0).random((DRAWS, *rows.shape))
    factor = (1, 1, 1 / (1 - p), 1)[n]
    many = np.where(field >= p, rows, 0) * factor if n else np.repeat(rows[None], DRAWS, axis=0)
    sums = many.sum(axis=2)
    above, below = (sums > 1 + 1e-9).any(axis=1), (sums < 1 - 1e-9).any(axis=1)
    telling = (np.ones(DRAWS, dtype=bool), below, above & below, below)[n]
    one, mean = sums[int(np.argmax(telling))], sums.mean(axis=0)
    table = constants(*range(1, len(LINE) + 1))
    return [*table, *these("sum of a row", *one), *constants(DRAWS), *these("its mean", *mean)]


def property_(name: str, rest: list[str]) -> Claims:
    if name != "told":
        return {}
    table: list[Claim] = []
    for run in models(SEED):
        there, absent = (losses[:-1].mean() for losses in (run.position_losses, run.absent_losses))
        table += these("loss", float(there), float(absent))
    return {"picture": table}


def named(head: tuple[int, int]) -> list[Claim]:
    """Claim the name of a trained head, layer.head."""
    return these("name of a head", (head[0] + 1) + (head[1] + 1) / 10)


def circuit(name: str, rest: list[str]) -> Claims:
    found = trained.roles()
    heads = sorted((found.previous, found.induction[0], found.subject, found.idle))
    whole = trained.worth()
    without = [trained.worth(frozenset({head})) for head in heads]

    def costs(figure) -> list[Claim]:
        rows = [([], figure(whole))]
        rows += [(named(h), figure(one)) for h, one in zip(heads, without, strict=True)]
        return bars(rows, max(value for _, value in rows))

    copies = costs(lambda one: one.second_loss)
    verbs = costs(lambda one: 1 - one.verb_right)
    if name == "told":
        told = [*these("loss", whole.second_loss), *named(found.previous)]
        return {"notes": [*told, *named(found.induction[0])], "picture": copies}
    if name != "missed":
        return {}
    places = [(named(h), float(whole.induction[h])) for h in heads]
    backs = [(named(h), float(whole.previous[h])) for h in heads]
    both: list[Claim] = these("figures", whole.second_loss, 1 - whole.verb_right)
    for head, one in zip(heads, without, strict=True):
        both += [*named(head), *these("figures", one.second_loss, 1 - one.verb_right)]
    notes = (found.subject, found.induction[0], found.idle, found.previous)
    looks = [bars(rows, max(v for _, v in rows)) for rows in (places, backs)]
    n = int(rest[0])
    return {"notes": named(notes[n]), "picture": (verbs, looks[0], both, looks[1])[n]}


def layers(name: str, rest: list[str]) -> Claims:
    found = trained.roles()
    if name == "case":
        return {"wanted": constants(1, 2)} if rest[0] == "0" else {}
    if name != "told":
        return {}
    pair = {found.previous, *found.induction}
    few = trained.worth(frozenset(trained.heads()) - pair).second_loss
    one = trained.worth(name="one-layer").second_loss
    cut = trained.worth_without("keys").second_loss
    half = len(trained.heads()) // 2
    why = [*these("heads, loss", len(pair), few, half, one), *named(found.previous)]
    table = [(these("heads", len(pair)), few), (these("heads", half), one)]
    table += [([*constants(2), *named(found.previous)], cut)]
    return {"notes": why, "picture": bars(table, max(few, one, cut))}


STEPS = {
    "hook": hook,
    "read": read,
    "hidden": hidden,
    "rows": rows,
    "width": width,
    "heads": heads,
    "dropout": dropout,
    "property": property_,
    "circuit": circuit,
    "layers": layers,
}


def claims(step: str, state: str) -> Claims:
    """Return the claims of one step in one state."""
    name, *rest = state.split(":")
    return STEPS[step](name, rest)
