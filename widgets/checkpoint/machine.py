"""How does a student get through the checkpoint? A pure finite state machine.

It is a row of small automata, one per step. Only the current step hears what is seen and answered;
a step opens when all graded ones before it are earned, and what is earned stays earned.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from attention_widget.widgets.map.observation import Observation

EARNED = "done"  # states that begin so are earned, and no event leaves them
FIRST = "done-first"  # the first answer was right
LATER = "done-later"  # the answer to a new case was right
KEPT = "done-kept"  # earned in an earlier version, which asked no question here
SPARED = "done-spared"  # came to the lesson after all of it was earned, and does not count


@dataclass(frozen=True)
class Answer:
    """What a student answered in a step, for example ("hidden", "15"), or asked for: `NEXT`."""

    step: str
    value: str


@dataclass(frozen=True)
class Open:
    """A wish to go to a step."""

    step: str


@dataclass(frozen=True)
class Reset:
    """A wish to start over."""


Event = Observation | Answer | Open | Reset


@dataclass(frozen=True)
class Field:
    """One question of a step.

    Attributes:
        name: unique in the step.
        label: the question.
        options: {value: label} of radio buttons; empty for a whole number.
        low: the smallest number.
    """

    name: str
    label: str
    options: dict[str, str]
    low: int = 0


@dataclass(frozen=True)
class View:
    """What a step shows in one state.

    Attributes:
        wanted: the question, or what to do now.
        notes: (kind, text) below it; a kind is "good", "hint" or "plain".
        announcement: what is announced when this state is entered.
        asks: whether the fields are there to be filled in.
        top: the largest number that the step's number field takes.
        go: what the button says that leads on from an explanation; "" for no button.
        picture: nodes of a picture in the card.
        outlined: (row, column), from 0, of the cells that the map outlines.
    """

    wanted: str
    notes: tuple[tuple[str, str], ...] = ()
    announcement: str = ""
    asks: bool = False
    top: int = 0
    go: str = ""
    picture: tuple[Any, ...] = ()
    outlined: tuple[tuple[int, int], ...] = ()


class Step(ABC):
    """One automaton. Its states are short texts "name" or "name:value:value".

    Attributes:
        key: its name in a record.
        title: its heading.
        start: its first state.
        fields: its questions.
        states: which texts are states of it.
        graded: whether it counts; one that does not may be passed over.
        look_again: where to look for what it asks, said at the end after a wrong answer.
        part: the tab that it asks about; where that is left out, so is the step.
    """

    key: str
    title: str
    start: str
    fields: tuple[Field, ...] = ()
    states: re.Pattern[str]
    graded = True
    look_again = ""
    part = "map"

    def legal(self, state: str) -> bool:
        """Say whether `state`, from a record, is one of this step."""
        return self.states.fullmatch(state) is not None

    @abstractmethod
    def observe(self, state: str, o: Observation) -> str:
        """Return the state after `o` was seen."""

    def answers(self, state: str) -> tuple[str, ...]:
        """Return every answer that is taken in `state`: the fields' values joined by commas."""
        return ()

    def answer(self, state: str, value: str) -> str:
        """Return the state after one of `answers(state)`."""
        return state

    @abstractmethod
    def view(self, state: str) -> View:
        """Return what is shown."""


@dataclass(frozen=True)
class Progress:
    """Where a student is: the current step, and each step's state."""

    at: int
    states: tuple[str, ...]


def begin(steps: Sequence[Step]) -> Progress:
    """Return the start."""
    return Progress(0, tuple(step.start for step in steps))


def advance(progress: Progress, event: Event, steps: Sequence[Step]) -> Progress:
    """Return the progress after `event`; an event that is out of place changes nothing."""
    step, state = steps[progress.at], progress.states[progress.at]
    if isinstance(event, Reset):
        return begin(steps)
    if isinstance(event, Open):
        keys = [s.key for s in steps]
        place = keys.index(event.step) if event.step in keys else -1
        return replace(progress, at=place) if opens(progress, place, steps) else progress
    if earned(state):
        return progress
    if isinstance(event, Observation):
        return _with(progress, step.observe(state, event))
    if event.step == step.key and event.value in step.answers(state):
        return _with(progress, step.answer(state, event.value))
    return progress


def earned(state: str) -> bool:
    """Say whether a step in this state is earned."""
    return state.startswith(EARNED)


def opens(progress: Progress, place: int, steps: Sequence[Step]) -> bool:
    """Say whether the step at `place` may be opened: it is earned, or all graded before it are."""
    states = progress.states
    if not 0 <= place < len(states):
        return False
    before = zip(steps[:place], states[:place], strict=True)
    return earned(states[place]) or all(earned(s) or not step.graded for step, s in before)


def graded(progress: Progress, steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the states of the steps that count."""
    return tuple(s for step, s in zip(steps, progress.states, strict=True) if step.graded)


def done(progress: Progress, steps: Sequence[Step]) -> int:
    """Count the earned steps."""
    return sum(map(earned, graded(progress, steps)))


def completion(progress: Progress, steps: Sequence[Step]) -> float:
    """Return the share of steps earned, 0 to 1."""
    return done(progress, steps) / len(graded(progress, steps))


def marks(state: str) -> int:
    """Return how well a step's question was answered, in halves: 2 at the first try, 1 later."""
    return 2 if state.startswith(FIRST) else int(state.startswith(LATER))


def mastery(progress: Progress, steps: Sequence[Step]) -> float:
    """Return the share of questions mastered, 0 to 1: 1 for each right at the first try, 0.5 for
    each right later, of all questions but the spared; one that is unanswered counts 0, so it only
    rises."""
    return share(sum(map(marks, graded(progress, steps))), questions(progress, steps))


def share(halves: int, count: int) -> float:
    """Return the share of `count` questions that so many half marks are, 0 to 1."""
    return halves / (2 * count) if count else 1.0


def questions(progress: Progress, steps: Sequence[Step]) -> int:
    """Count the questions that are asked: those of all steps that count but the spared."""
    return sum(not state.startswith(SPARED) for state in graded(progress, steps))


def first_tries(progress: Progress, steps: Sequence[Step]) -> int:
    """Count the questions that were right at the first try."""
    return sum(state.startswith(FIRST) for state in graded(progress, steps))


def finished(progress: Progress, steps: Sequence[Step]) -> bool:
    """Say whether every step that counts is earned."""
    return all(map(earned, graded(progress, steps)))


def _with(progress: Progress, state: str) -> Progress:
    states = progress.states
    return replace(progress, states=(*states[: progress.at], state, *states[progress.at + 1 :]))
