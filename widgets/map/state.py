"""What has the student chosen?

`LessonState` is the only thing that changes in a session. `Settings` is its frozen copy: a key
for caches and the argument of everything that computes.
"""

from dataclasses import dataclass
from typing import Any

import param

from attention_widget.lesson import DEFAULT_SEED, SENTENCE, check_seed, tokenize

MAX_HEADS = 4
MAX_DRAWS = 1000
STAGES = {
    "scores": "Scores",
    "masked": "Masked scores",
    "weights": "Weights",
    "dropped": "After dropout",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One reachable state of the widget; `draw` counts from 0, `head` from 1."""

    sentence: str
    seed: int
    causal: bool
    heads: int
    head: int
    dropout: float
    training: bool
    draw: int
    stage: str

    @property
    def drops(self) -> bool:
        """Whether dropout can act at all: a training step with p > 0."""
        return self.training and self.dropout > 0


class LessonState(param.Parameterized):
    """The controls' values. `head` never exceeds `heads`: lowering one lowers the other."""

    sentence: str = param.String(default=SENTENCE, doc="1 to 16 words.")
    seed: int = param.Integer(default=DEFAULT_SEED, bounds=(0, 2**32 - 1))
    causal: bool = param.Boolean(default=False)
    heads: int = param.Integer(default=1, bounds=(1, MAX_HEADS))
    head: int = param.Integer(default=1, bounds=(1, MAX_HEADS))
    dropout: float = param.Number(default=0.0, bounds=(0.0, 0.9))
    training: bool = param.Boolean(default=False)
    draw: int = param.Integer(default=0, bounds=(0, MAX_DRAWS - 1))
    stage: str = param.Selector(default="dropped", objects=list(STAGES))

    def choose(self, **values: Any) -> None:
        """Set several parameters at once; all of them, or none if one is out of bounds.

        Raises:
            ValueError: a value is out of bounds, with the rule.
        """
        if "sentence" in values:
            values["sentence"] = " ".join(tokenize(values["sentence"]))
        if "seed" in values:
            values["seed"] = check_seed(values["seed"])
        heads = values.get("heads", self.heads)
        head = values.get("head", self.head)
        if isinstance(heads, int) and isinstance(head, int):
            values["head"] = min(head, heads)
        before = {name: getattr(self, name) for name in values}
        try:
            self.param.update(**values)
        except ValueError:
            self.param.update(**before)
            raise

    def settings(self) -> Settings:
        """Return the frozen copy."""
        return Settings(
            sentence=self.sentence,
            seed=self.seed,
            causal=self.causal,
            heads=self.heads,
            head=self.head,
            dropout=self.dropout,
            training=self.training,
            draw=self.draw,
            stage=self.stage,
        )
