"""What can a student choose among the trained heads, live and in a recording?"""

from typing import Any

import param

from attention_widget.models.learned.model import Head
from attention_widget.models.learned.roles import Off, head_name, head_named, heads, roles
from attention_widget.models.learned.store import shipped_moments
from attention_widget.models.learned.vocabulary import read_words
from attention_widget.widgets.labs.learned.guesses import QUESTIONS
from attention_widget.widgets.labs.learned.measure import in_a_row
from attention_widget.widgets.section.parameters import TypedIn
from attention_widget.widgets.section.state import SectionState

SENTENCES = (
    "one step at a time one step at a",
    "your journey starts with one step your journey starts",
    "day by day by",
    "green tea red rose blue sea green tea red",
    "the dogs near the cat",
    "now the old house is slow",
)


class KnownWords(TypedIn, param.String):
    """A sentence of 1 to 16 of the words that the model knows."""

    def read(self, text: str) -> str:
        """Return the words of `text`; see `read_words` for what is refused."""
        return " ".join(read_words(text))


class GuessState(SectionState):
    """The student's guess at each question; "open" for none yet."""


for _question in QUESTIONS:
    GuessState.param.add_parameter(
        _question.name,
        param.Selector(
            default="open",
            objects={"Not guessed yet": "open"} | {a.label: a.name for a in _question.answers},
            label=_question.title,
        ),
    )


class _ViewState(SectionState):
    head: str = param.Selector(
        default=head_name(roles().induction[0]),
        objects=[head_name(head) for head in heads()],
        label="Viewing head",
    )


class LiveViewState(_ViewState):
    """Any sentence of known words, every head with a switch of its own, and the mask's."""

    sentence: str = KnownWords(
        default=SENTENCES[0], label="Your words", doc="1 to 16 of the words listed below."
    )
    causal: bool = param.Boolean(default=True, label="Causal mask")


def switch_name(head: Head) -> str:
    """Return the parameter that turns a head on and off."""
    return f"head{head[0] + 1}{head[1] + 1}"


def live_off(settings: Any) -> Off:
    """Return the heads that are turned off on a live page."""
    return frozenset(head for head in heads() if not getattr(settings, switch_name(head)))


for _head in heads():
    LiveViewState.param.add_parameter(
        switch_name(_head), param.Boolean(default=True, label=f"Head {head_name(_head)}")
    )


def _changes() -> dict[str, str]:
    """Return label -> value of what a recording can change: nothing, one head, a pair, the mask."""
    pair = [head_name(head) for head in roles().induction[:2]]
    singles = {f"Head {head_name(head)} off": head_name(head) for head in heads()}
    return (
        {"Nothing": "none"}
        | singles
        | {f"Heads {in_a_row(pair)} off": " ".join(pair), "Causal mask off": "mask"}
    )


class RecordedViewState(_ViewState):
    """One of a few sentences, with one change at a time."""

    sentence: str = param.Selector(default=SENTENCES[0], objects=list(SENTENCES), label="Sentence")
    change: str = param.Selector(default="none", objects=_changes(), label="Turn off")


def recorded_off(settings: Any) -> Off:
    """Return the heads that are turned off in a recorded state."""
    if settings.change in ("none", "mask"):
        return frozenset()
    return frozenset(map(head_named, settings.change.split()))


class TrainingState(SectionState):
    """Which moment of the training is shown, counted from 0."""

    moment: int = param.Integer(
        default=0,
        bounds=(0, len(shipped_moments().step) - 1),
        label="Moment of training",
        doc="From the untrained model to the trained one.",
    )


class SubjectState(SectionState):
    """The number of the two nouns, and whether the subject head is on."""

    many: bool = param.Boolean(default=True, label="Subject is plural")
    between: bool = param.Boolean(default=False, label="Noun between is plural")
    on: bool = param.Boolean(default=True, label="Subject head")
