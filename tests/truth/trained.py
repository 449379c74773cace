"""The trained models once more: a pass written with einsum, and measures from their equations.

Nothing here imports the product; the shipped numbers are read from their files.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

FILES = Path(__file__).parents[2] / "attention" / "models" / "learned"
NOUNS = ["dog", "cat", "bird", "boy", "girl", "horse", "teacher", "farmer"]
VERBS = ["run", "sleep", "sing", "wait", "walk", "smile"]
PLACES = ["near", "behind", "beside", "with"]
OTHERS = """
the one step at a time your journey starts day by night and again green tea rose is red blue
sea sun moon star tree river stone road hill house door window bread milk apple salt
now then here there big small old new slow fast more less yes no word map song
"""
WORDS = sorted([n + s for n in NOUNS + VERBS for s in ("", "s")] + PLACES + OTHERS.split())
START = len(WORDS)
H, HALF, N, SEED = 4, 8, 100, 2  # heads, words of a saying, rows of each kind, their seed
CLEAR = 0.5
Head = tuple[int, int]
HEADS = [(layer, i) for layer in range(2) for i in range(H)]
Off = frozenset[Head]
NONE: Off = frozenset()


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass: weights (B, L, h, T, T) and logits (B, T, V)."""

    weights: np.ndarray
    logits: np.ndarray

    @property
    def chances(self) -> np.ndarray:
        """The chance of every word, (B, T, V)."""
        powers = np.exp(self.logits - self.logits.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)


@cache
def stored(name: str) -> tuple[np.ndarray, ...]:
    """Return a shipped model's arrays in float64: token, place, the layers', readout."""
    with np.load(FILES / f"{name}.npz") as file:
        return tuple(file[key].astype(float) for key in sorted(file) if key != "n_heads")


@cache
def moments() -> dict[str, np.ndarray]:
    """Return what was written down during the training; the losses and scores in float32."""
    with np.load(FILES / "moments.npz") as file:
        names = ("first_loss", "second_loss", "previous", "induction")
        return {"step": file["step"]} | {name: file[name].astype(np.float32) for name in names}


def run(
    arrays: tuple[np.ndarray, ...],
    words: np.ndarray,
    off: Iterable[Head] = (),
    causal: bool = True,
    unheard: tuple[Head, str] | None = None,
) -> Pass:
    """Read rows of numbers, int (B, T); `unheard` is a head and what the next layer makes of it."""
    token, place, *inner, readout = arrays
    t = words.shape[1]
    x = token[words] + place[None, :t]
    width = x.shape[-1] // H
    lost = {"queries": 0.0, "keys": 0.0, "values": 0.0}
    maps = []
    for layer in range(len(inner) // 4):
        w_q, w_k, w_v, w_o = inner[4 * layer : 4 * layer + 4]
        heard = [x - lost[way] for way in ("queries", "keys", "values")]
        written = np.zeros_like(x)
        lost = dict.fromkeys(lost, 0.0)
        for i in range(H):
            own = slice(i * width, (i + 1) * width)
            q, k, v = (
                np.einsum("btd,de->bte", into, w[:, own])
                for into, w in zip(heard, (w_q, w_k, w_v), strict=True)
            )
            powers = np.einsum("bte,bse->bts", q, k) / np.sqrt(width)
            powers = np.exp(powers - powers.max(axis=-1, keepdims=True))
            powers = powers * np.tri(t) if causal else powers
            weights = powers / powers.sum(axis=-1, keepdims=True)
            maps.append(weights)
            share = np.einsum("bts,bse,ed->btd", weights, v, w_o[own], optimize=True)
            written += 0 if (layer, i) in off else share
            if unheard is not None and unheard[0] == (layer, i):
                lost[unheard[1]] = share
        x = x + written
    shape = (len(words), len(inner) // 4, H, t, t)
    return Pass(np.stack(maps, axis=1).reshape(shape), np.einsum("btd,dv->btv", x, readout))


def numbers_of(words: Iterable[str]) -> np.ndarray:
    """Return one row: the start token and the words, int (1, T)."""
    return np.array([[START, *map(WORDS.index, words)]])


@cache
def sentence(text: str, off: Off = NONE, causal: bool = True) -> Pass:
    """Let the model of two layers read a sentence."""
    return run(stored("two-layers"), numbers_of(text.split()), off, causal)


@dataclass(frozen=True, eq=False)
class Worth:
    """What a model is worth on unseen rows; the heads' scores are (L, h)."""

    first_loss: float
    second_loss: float
    first_right: float
    second_right: float
    verb_right: float
    previous: np.ndarray
    induction: np.ndarray
    subject: np.ndarray


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw n rows said twice and n phrases, the start token before each, and who is many."""
    rng = np.random.default_rng(seed)
    once = rng.random((n, START)).argsort(axis=1)[:, :HALF]
    start = np.full((n, 1), START)
    many, other = rng.integers(2, size=(2, n))
    noun, between = rng.integers(len(NOUNS), size=(2, n))
    places = rng.choice([WORDS.index(word) for word in PLACES], n)
    verb = rng.integers(len(VERBS), size=n)

    def form(words: list[str], which: np.ndarray, s: np.ndarray) -> list[int]:
        return [WORDS.index(words[i] + "s" * int(add)) for i, add in zip(which, s, strict=True)]

    the = np.full(n, WORDS.index("the"))
    rows = [the, form(NOUNS, noun, many), places, the]
    rows += [form(NOUNS, between, other), form(VERBS, verb, 1 - many)]
    phrases = np.stack(rows, axis=1)
    return np.hstack([start, once, once]), np.hstack([start, phrases]), many


def of_one_and_many(chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance of all verbs of one, and of all verbs of many, (..., V)."""
    one, many = ([WORDS.index(verb + s) for verb in VERBS] for s in ("s", ""))
    return chances[..., one].sum(axis=-1), chances[..., many].sum(axis=-1)


def measure(
    arrays: tuple[np.ndarray, ...],
    off: Iterable[Head] = (),
    causal: bool = True,
    unheard: tuple[Head, str] | None = None,
    n: int = N,
) -> Worth:
    """Measure a model on n rows of each kind."""
    rows, phrases, many = draw(n, SEED)
    said = run(arrays, rows, off, causal, unheard)
    spoken = run(arrays, phrases, off, causal, unheard)
    targets = rows[:, 1:]
    true = np.take_along_axis(said.chances[:, :-1], targets[..., None], axis=-1)[..., 0]
    right = said.logits[:, :-1].argmax(axis=-1) == targets
    again = np.arange(HALF + 1, 2 * HALF + 1)  # places of the second saying
    one, several = of_one_and_many(spoken.chances[:, -2])
    return Worth(
        first_loss=float(-np.log(true[:, :HALF]).mean()),
        second_loss=float(-np.log(true[:, HALF + 1 :]).mean()),
        first_right=float(right[:, :HALF].mean()),
        second_right=float(right[:, HALF + 1 :].mean()),
        verb_right=float(((several > one) == many).mean()),
        previous=said.weights.diagonal(-1, axis1=-2, axis2=-1).mean(axis=(0, -1)),
        induction=said.weights[..., again, again - HALF + 1].mean(axis=(0, -1)),
        subject=spoken.weights[..., -2, 2].mean(axis=0),
    )


@cache
def worth(off: Off = NONE, causal: bool = True, name: str = "two-layers") -> Worth:
    """Measure a shipped model."""
    return measure(stored(name), off, causal)


@cache
def worth_without(way: str) -> Worth:
    """Measure the model whose second layer does not hear the previous-token head on one way."""
    return measure(stored("two-layers"), unheard=(previous_head(), way))


def previous_head() -> Head:
    """Return the head that looks most at the word before."""
    return max(HEADS, key=lambda head: worth().previous[head])


def subject_head() -> Head:
    """Return the head that looks most at the subject."""
    return max(HEADS, key=lambda head: worth().subject[head])


def induction_heads() -> list[Head]:
    """Return the induction heads, the highest score first."""
    found = [head for head in HEADS if worth().induction[head] > CLEAR]
    return sorted(found, key=lambda head: -worth().induction[head])


def untrained(layers: int = 2, d: int = 48, t: int = 21) -> tuple[np.ndarray, ...]:
    """Draw the values that the training starts from, as float32 numbers."""
    rng = np.random.default_rng([4, 0])
    token, place = rng.normal(0, 0.5, (START + 1, d)), rng.normal(0, 0.5, (t, d))
    inner = [rng.normal(0, d**-0.5, (d, d)) for _ in range(4 * layers)]
    readout = rng.normal(0, d**-0.5, (d, START))
    return tuple(a.astype(np.float32).astype(float) for a in (token, place, *inner, readout))
