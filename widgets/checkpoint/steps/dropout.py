"""Step: what does dropout do to the sum of a row in training, and what at inference?"""

import re
from functools import lru_cache

import numpy as np

from attention_widget import apply_dropout, keep_mask
from attention_widget.widgets.checkpoint.examples import back, example
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import Picture, sums_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import DROPOUT, HELD, SUM_OF
from attention_widget.widgets.map.observation import Observation

OPTIONS = {name: DROPOUT[name] for name in ("one", "less", "around")}
OWN = "around"  # what every draw with row sums off 1 and settled means shows
PHASES = ("plain", "idle-p", "idle-t", "lucky", "unsettled", "left", "left-none")
SENTENCE, DRAWS = "We read one line", 1000
TOLD_P = 0.5  # of the picture that explains


class DropoutSums(Asking):
    """States: "ask", "held:CHOICE:PHASE" and "told:OWN"; in the phases "left" and "left-none" the
    first half, training, has been seen."""

    key = "dropout"
    title = DROPOUT["title"]
    start = "ask"
    fields = (Field("sums", DROPOUT["field"], OPTIONS),)
    states = re.compile(
        rf"ask|held:({'|'.join(OPTIONS)}):({'|'.join(PHASES)})|told:{OWN}|{CASES}|{ENDS}"
    )
    idea = DROPOUT["idea"]
    look_again = DROPOUT["again"]

    def watch(self, state: str, o: Observation) -> str:
        if state == "ask":
            return state
        _, choice, phase = state.split(":")
        if phase.startswith("left"):
            if o.dropout and not o.training and not o.dropped and not o.sums_off:
                return FIRST if choice == OWN else f"told:{OWN}"
            return f"held:{choice}:{'left' if o.dropout else 'left-none'}"
        return f"held:{choice}:{_phase(o)}"

    def guesses(self, state: str) -> tuple[str, ...]:
        return tuple(OPTIONS) if state == "ask" else ()

    def guess(self, state: str, value: str) -> str:
        return f"held:{value}:plain"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "ask":
            return View(DROPOUT["ask"], announcement=DROPOUT["ask"], asks=True)
        if name == "told":
            return told(DROPOUT["why"], picture=_in_training())
        choice, phase = rest
        note = HELD.format(guess=OPTIONS[choice])
        hints = () if phase in ("plain", "left") else (("hint", DROPOUT[phase]),)
        wanted = DROPOUT["left" if phase.startswith("left") else "plain"]
        said = DROPOUT[phase]
        if not phase.startswith("left"):  # what is locked in is not said again
            said = f"{note} {said}"
        return View(wanted, (("plain", note), *hints), said)

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()


def _phase(o: Observation) -> str:
    if not (o.training and o.dropout):
        return "idle-p" if o.dropout else "idle-t" if o.training else "plain"
    if not (o.dropped and o.sums_off):
        return "lucky"
    return "left" if o.means_settled else "unsettled"


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    return (
        _case("inference", 0.5, training=False),
        _case("bare", 0.5, rescale=False),
        _case("small", 0.2),
        _case("bare", 0.2, rescale=False),
    )


@lru_cache(maxsize=1)
def _in_training() -> Picture:
    """Return the sums of another sentence in training, for a student who guessed wrong."""
    sums = _sums(TOLD_P)
    return _picture(sums, _right(sums), DROPOUT["of"].format(p=TOLD_P))


def _case(name: str, p: float, *, training: bool = True, rescale: bool = True) -> Case:
    sums = _sums(p, training=training, rescale=rescale)
    right = _right(sums)
    why = DROPOUT[f"{name}-why"]
    return Case(DROPOUT[name].format(p=p), right, why, (), _picture(sums, right))


def _sums(p: float, *, training: bool = True, rescale: bool = True) -> np.ndarray:
    """Return the sum of each row in each draw, (DRAWS, T)."""
    it = example(SENTENCE)
    weights = it.weights(back(len(it.tokens)))[0]
    many = np.repeat(weights[None], DRAWS, axis=0)  # (DRAWS, T, T)
    if training:
        keep = keep_mask(many.shape, p, np.random.default_rng(0))
        many = apply_dropout(many, keep, p) if rescale else np.where(keep, many, 0.0)
    return np.asarray(many.sum(axis=-1))


def _right(sums: np.ndarray) -> str:
    if np.allclose(sums, 1):
        return "one"
    return "around" if (sums > 1 + 1e-9).any() and (sums < 1).any() else "less"


def _picture(sums: np.ndarray, right: str, of: str = SUM_OF) -> Picture:
    shown = next((n for n in range(DRAWS) if _telling(sums[n], right)), 0)
    return sums_picture(sums[shown], sums.mean(axis=0), of)


def _telling(sums: np.ndarray, right: str) -> bool:
    """Say whether one draw shows what is true of all: some above and some below where there are."""
    if right == "around":
        return bool((sums > 1 + 1e-9).any() and (sums < 1 - 1e-9).any())
    return right == "one" or bool((sums < 1 - 1e-9).any())
