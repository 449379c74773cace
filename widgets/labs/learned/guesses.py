"""Where does a trained head look? Guess first; the answer is read off its weights."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from attention_widget.models.learned.roles import head_name, roles, worth
from attention_widget.widgets.labs.learned.measure import START_TOKEN, FloatArray, read
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.groups import Groups, Render
from attention_widget.widgets.section.section import Slots

SMALL = 0.01  # a word with less weight is not listed
Kind = Literal["previous", "induction", "subject"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its label, and the positions it stands for, counted from the start token."""

    name: str
    label: str
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Where does the head of one kind look from the last word of a sentence?"""

    name: str
    kind: Kind
    words: tuple[str, ...]
    answers: tuple[Answer, ...]

    @property
    def title(self) -> str:
        """The question, but for the head's number."""
        return f"From the last “{self.words[-1]}”, it looks most at"


_STEP = ("one", "step", "at", "a", "time", "one", "step", "at", "a")
_COPY = (
    Answer("before", "“at”, the word just before", (8,)),
    Answer("same", "“a”, the same word earlier", (4,)),
    Answer("after", "“time”, the word after that one", (5,)),
    Answer("start", "the start token", (0,)),
)
QUESTIONS = (
    Question("back", "previous", _STEP, _COPY),
    Question("again", "induction", _STEP, _COPY),
    Question(
        "verb",
        "subject",
        ("the", "dogs", "near", "the", "cat"),
        (
            Answer("before", "“the”, the word just before", (4,)),
            Answer("subject", "“dogs”, the subject", (2,)),
            Answer("itself", "“cat” itself", (5,)),
            Answer("start", "the start token", (0,)),
        ),
    ),
)
MEANINGS = {
    "previous": (
        "a previous-token head. It writes into each place which word came before",
        "on random words it looks one place back with {} of its weight",
    ),
    "induction": (
        "an induction head. It looks for the place after the same word, and makes the word that "
        "stands there likelier",
        "on random words said twice it looks there with {} of its weight",
    ),
    "subject": (
        "a subject head. It fetches the noun that decides between “run” and “runs”",
        "on made-up phrases it looks at the subject with {} of its weight",
    ),
}


def render_all(settings: Any) -> Slots:
    """Render what depends on all guesses."""
    guesses = [getattr(settings, question.name) for question in QUESTIONS]
    return {
        "rest": {"hidden": "open" in guesses},
        "wait": wait(guesses),
        "announcement.reset": "All three guesses are cleared.",
    }


def render_question(question: Question) -> Render:
    """Return what renders one question."""

    def render(settings: Any) -> Slots:
        guess = getattr(settings, question.name)
        told = verdict(question, guess)
        return {
            f"ask.{question.name}": ask(question),
            f"verdict.{question.name}": told,
            f"row.{question.name}": bars(question) if guess != "open" else [],
            f"seen.{question.name}": {"hidden": guess == "open"},
            f"announcement.{question.name}": told or "No guess.",
        }

    return render


RENDER_GUESSES = Groups(render_all, *map(render_question, QUESTIONS))


def wait(guesses: list[str]) -> str:
    """Say how many guesses are missing before all maps are shown."""
    left = guesses.count("open")
    if not left:
        return "All three guessed. Below are all eight heads."
    return f"{left} {'guess' if left == 1 else 'guesses'} to go; then all eight heads are shown."


def ask(question: Question) -> str:
    """Return the sentence and the head that a question is about."""
    layer, i = head(question)
    return f"“{' '.join(question.words)}”. Layer {layer + 1}, head {layer + 1}.{i + 1}."


def head(question: Question) -> tuple[int, int]:
    """Return the head that a question is about."""
    found = roles()
    return found.induction[0] if question.kind == "induction" else getattr(found, question.kind)


@cache
def last_row(question: Question) -> FloatArray:
    """Return the head's weights from the last word, (T,)."""
    layer, i = head(question)
    row: FloatArray = read(question.words).weights[layer, i, -1]
    return row


def right_answer(question: Question) -> Answer:
    """Return the answer whose positions hold most of the weight."""
    row = last_row(question)
    return max(question.answers, key=lambda answer: row[list(answer.positions)].sum())


def verdict(question: Question, guess: str) -> str:
    """Say whether a guess was right, and what the head is; "" before there is one."""
    if guess == "open":
        return ""
    right = right_answer(question)
    weight = number(last_row(question)[list(right.positions)].sum())
    meaning, measured = MEANINGS[question.kind]
    share = number(getattr(worth(), question.kind)[head(question)])
    begin = "Right: " if guess == right.name else "No: "
    return (
        f"{begin}{weight} of its weight lies on {right.label}. Head {head_name(head(question))} "
        f"is {meaning}; {measured.format(share)}."
    )


def bars(question: Question) -> list[object]:
    """Return the last row as a table: the words that get weight, and all others together."""
    row, words = last_row(question), (START_TOKEN, *question.words)
    shown = [n for n in np.argsort(-row, kind="stable") if row[n] >= SMALL]
    rest = float(row.sum() - row[shown].sum())
    lines = [(f"{words[n]}, place {n}", float(row[n])) for n in shown]
    return [bar(label, weight) for label, weight in [*lines, ("all others", rest)]]


def bar(label: str, share: float) -> list[object]:
    """Return a row of a table: a label, a share from 0 to 1, and the same as a bar."""
    return [
        "tr",
        {},
        ["th", {"scope": "row"}, label],
        ["td", {}, number(share)],
        ["td", {}, ["i", {"class": "bar", "data-level": round(max(share, 0.0), 3)}]],
    ]
