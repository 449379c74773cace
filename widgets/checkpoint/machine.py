"""How does a student get through the checkpoint? A pure finite state machine.

It is a row of small automata, one a step. Only the current step hears what is seen and answered;
a step opens when all before it are earned, and what is earned stays earned.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

from attention_widget.widgets.map.observation import Observation

VERSION = "1"
EARNED = "done"  # states that begin so are earned, and no event leaves them
FIRST = "done-first"  # earned with no wrong answer before
LATER = "done-later"  # earned after a wrong answer
MAX_TEXT = 4096


@dataclass(frozen=True)
class Answer:
    """What a student answered in a step, for example ("hidden", "15")."""

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
        wanted: what to do now.
        notes: (kind, text) below it; a kind is "good", "hint" or "plain".
        announcement: what is announced when this state is entered.
        rows: changes of the rows in percent, when there is something to reveal.
        top: the largest number that the step's number field takes.
    """

    wanted: str
    notes: tuple[tuple[str, str], ...] = ()
    announcement: str = ""
    rows: tuple[int, ...] = ()
    top: int = 0


class Step(ABC):
    """One automaton. Its states are short texts "name" or "name:value:value"."""

    key: str
    title: str
    start: str
    fields: tuple[Field, ...] = ()
    states: re.Pattern[str]  # which texts are states

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
        """Say what is shown."""


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
        return replace(progress, at=place) if opens(progress, place) else progress
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


def opens(progress: Progress, place: int) -> bool:
    """Say whether the step at `place` may be opened: all before it are earned."""
    return 0 <= place < len(progress.states) and all(map(earned, progress.states[:place]))


def done(progress: Progress) -> int:
    """Count the earned steps."""
    return sum(map(earned, progress.states))


def completion(progress: Progress) -> float:
    """Return the share of steps earned, 0 to 1."""
    return done(progress) / len(progress.states)


def marks(state: str) -> int:
    """Return how well a step's question was answered, in halves: 2 at the first try, 1 later."""
    return 2 if state.startswith(FIRST) else int(state.startswith(LATER))


def mastery(progress: Progress, steps: Sequence[Step]) -> float:
    """Return the share of questions mastered, 0 to 1: 1 for each right at the first try, 0.5 for
    each right later, of all questions; one that is unanswered counts 0, so it only rises."""
    questions = sum(bool(step.fields) for step in steps)
    return sum(map(marks, progress.states)) / (2 * questions)


def first_tries(progress: Progress) -> int:
    """Count the questions that were right at the first try."""
    return sum(state.startswith(FIRST) for state in progress.states)


def finished(progress: Progress) -> bool:
    """Say whether every step is earned."""
    return all(map(earned, progress.states))


def to_text(progress: Progress) -> str:
    """Write progress down for storage: "1;2;state;state;..."."""
    return ";".join([VERSION, str(progress.at), *progress.states])


def from_text(text: str, steps: Sequence[Step]) -> Progress:
    """Read what `to_text` wrote.

    Raises:
        ValueError: another version, or not a progress that these steps can be in.
    """
    version, _, rest = text[: MAX_TEXT + 1].partition(";")
    at, *states = rest.split(";")
    if version != VERSION or len(text) > MAX_TEXT or len(states) != len(steps):
        raise ValueError(
            f"progress is version {VERSION} with {len(steps)} steps: got {text[:60]!r}; start over"
        )
    legal = all(s.states.fullmatch(state) for s, state in zip(steps, states, strict=True))
    progress = Progress(int(at) if at.isascii() and at.isdigit() else -1, tuple(states))
    count = done(progress)
    in_turn = all(map(earned, states[:count])) and all(
        state == s.start for s, state in list(zip(steps, states, strict=True))[count + 1 :]
    )
    if not legal or not in_turn or not opens(progress, progress.at):
        raise ValueError(f"progress must be one that the steps lead to: got {text[:60]!r}")
    return progress


def _with(progress: Progress, state: str) -> Progress:
    states = progress.states
    return replace(progress, states=(*states[: progress.at], state, *states[progress.at + 1 :]))
