"""Step: which trained head does the copy need? The answers are read off measured figures."""

import re
from collections.abc import Callable
from functools import lru_cache

from attention_widget.models.learned.measures import Scores
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.roles import NOTHING, head_name, roles, worth
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import columns_picture, figures_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import CIRCUIT
from attention_widget.widgets.map.render import number


def key_of(head: Head) -> str:
    """Return a head's name in a record, such as "h12" for head 1.2."""
    return f"h{head_name(head).replace('.', '')}"


def candidates() -> tuple[Head, ...]:
    """Return the heads to choose from: one of each kind, and one that does neither task."""
    found = roles()
    return tuple(sorted((found.previous, found.induction[0], found.subject, found.idle)))


OPTIONS = {key_of(head): CIRCUIT["head"].format(head=head_name(head)) for head in candidates()}


class BreakTheCopy(Asking):
    """States: "ask" and "told:CHOICE:OWN"."""

    key = "circuit"
    title = CIRCUIT["title"]
    start = "ask"
    fields = (Field("head", CIRCUIT["field"], OPTIONS),)
    states = re.compile(rf"ask|told:({'|'.join(OPTIONS)}):({'|'.join(OPTIONS)})|{CASES}|{ENDS}")
    idea = CIRCUIT["idea"]
    look_again = CIRCUIT["again"]
    part = "learned"

    def watch(self, state: str, o: object) -> str:
        return state

    def guesses(self, state: str) -> tuple[str, ...]:
        return tuple(OPTIONS)

    def guess(self, state: str, value: str) -> str:
        right = most(copy_cost)
        return FIRST if value == right else f"told:{value}:{right}"

    def ask(self, state: str) -> View:
        if not state.startswith("told"):
            return View(CIRCUIT["ask"], announcement=CIRCUIT["ask"], asks=True)
        why = CIRCUIT["why"].format(whole=number(copy_cost(worth(NOTHING))), **_named())
        return told(why, picture=_picture("copy", copy_cost))

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()


def copy_cost(scores: Scores) -> float:
    """Return the loss of the second saying, nats per word."""
    return scores.second_loss


def verb_missed(scores: Scores) -> float:
    """Return the share of phrases in which the verb's number is wrong."""
    return 1 - scores.verb_right


def most(figure: Callable[[Scores], float]) -> str:
    """Return the candidate without which `figure` is largest."""
    return key_of(max(candidates(), key=lambda head: figure(without(head))))


def without(head: Head) -> Scores:
    """Return the scores with one head turned off."""
    return worth(frozenset({head}))


def _picture(label: str, figure: Callable[[Scores], float]) -> tuple[object, ...]:
    return figures_picture(CIRCUIT[label], [(name, figure(scores)) for name, scores in _measured()])


def _both() -> tuple[object, ...]:
    rows = [
        (name, number(copy_cost(scores)), number(verb_missed(scores)))
        for name, scores in _measured()
    ]
    label = CIRCUIT["both"]
    return columns_picture(label, ("", CIRCUIT["copy-short"], CIRCUIT["missed-short"]), rows)


def _measured() -> list[tuple[str, Scores]]:
    off = [(CIRCUIT["off"].format(head=head_name(head)), without(head)) for head in candidates()]
    return [(CIRCUIT["all"], worth(NOTHING)), *off]


def _looks(label: str, weights: dict[Head, float]) -> tuple[object, ...]:
    rows = [(CIRCUIT["head"].format(head=head_name(h)), w) for h, w in weights.items()]
    return figures_picture(CIRCUIT[label], rows)


def _named() -> dict[str, str]:
    found = roles()
    return {
        "previous": head_name(found.previous),
        "induction": head_name(found.induction[0]),
        "subject": head_name(found.subject),
        "idle": head_name(found.idle),
    }


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    scores, found = worth(NOTHING), roles()
    places = {h: float(scores.induction[h]) for h in candidates()}
    backs = {h: float(scores.previous[h]) for h in candidates()}
    rights = {
        "verb": (most(verb_missed), _picture("missed", verb_missed)),
        "look": (key_of(max(places, key=lambda h: places[h])), _looks("places", places)),
        "idle": (key_of(found.idle), _both()),
        "back": (key_of(max(backs, key=lambda h: backs[h])), _looks("backs", backs)),
    }
    return tuple(
        Case(CIRCUIT[name], right, CIRCUIT[f"{name}-why"].format(**_named()), (), picture)
        for name, (right, picture) in rights.items()
    )
