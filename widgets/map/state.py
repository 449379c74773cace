"""What has the student chosen?

`LessonState` is the only thing that changes in a session. `Settings` is its frozen copy: a key
for caches and the argument of everything that computes. Controls, links, Reset and the script that
a student takes away follow from the parameters.
"""

from typing import TYPE_CHECKING

import param

from attention_widget.lesson import DEFAULT_SEED, MAX_TOKENS, SENTENCE, tokenize
from attention_widget.widgets.section.parameters import Cycle, Pick, Seed, Sentence
from attention_widget.widgets.section.state import SectionState, frozen_copy

MAX_HEADS = 4
MAX_DRAWS = 1000
STAGES = {
    "scores": "Scores",
    "masked": "Masked scores",
    "weights": "Weights",
    "dropped": "After dropout",
}


class LessonState(SectionState):
    """The controls' values. `head` never exceeds `heads`: lowering one lowers the other."""

    causal: bool = param.Boolean(
        default=False, label="Causal mask", doc="Each word may look back, never ahead."
    )
    heads: int = param.Integer(
        default=1, bounds=(1, MAX_HEADS), label="Heads", doc="h; each is d/h wide."
    )
    head: int = param.Integer(
        default=1, bounds=(1, MAX_HEADS), label="Viewing head", doc="Which map is shown."
    )
    dropout: float = param.Number(
        default=0.0, bounds=(0, 0.9), step=0.1, label="Dropout", doc="p; in training only."
    )
    training: bool = param.Boolean(default=False, label="Training", doc="Off is inference.")
    stage: str = param.Selector(
        default="dropped", objects={label: name for name, label in STAGES.items()}, label="Stage"
    )
    draw: int = Cycle(
        default=0, bounds=(0, MAX_DRAWS - 1), label="New draw", doc="Drop other cells."
    )
    word: int = Pick(
        default=3, bounds=(1, MAX_TOKENS), label="Word", doc="The word whose arcs are shown."
    )
    sentence: str = Sentence(default=SENTENCE, label="Sentence", doc="1 to 16 words.")
    seed: int = Seed(
        default=DEFAULT_SEED, bounds=(0, 2**32 - 1), label="Seed", doc="Of every random number."
    )

    @param.depends("heads", "head", watch=True, on_init=True)
    def _keep_the_viewing_head_among_the_heads(self) -> None:
        if self.head > self.heads:
            self.head = self.heads

    @param.depends("sentence", "word", watch=True, on_init=True)
    def _keep_the_word_in_the_sentence(self) -> None:
        words = len(tokenize(self.sentence))
        if self.word > words:
            self.word = words

    def settings(self) -> "Settings":
        """Return the frozen copy."""
        return Settings(**self.computed())


if TYPE_CHECKING:  # the same fields, for who reads them

    class _Values(LessonState): ...

else:
    _Values = frozen_copy(LessonState)


class Settings(_Values):
    """One reachable state of the widget; `draw` counts from 0, `head` from 1."""

    __slots__ = ()

    @property
    def drops(self) -> bool:
        """Whether dropout can act at all: a training step with p > 0."""
        return self.training and self.dropout > 0
