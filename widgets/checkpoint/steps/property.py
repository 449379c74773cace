"""Step: which of the three properties does the causal mask protect?"""

import re

from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import Picture, columns_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.steps.hook import FACTS
from attention_widget.widgets.checkpoint.words import PROPERTY
from attention_widget.widgets.map.observation import Observation

CHOICES = {name: PROPERTY[name] for name in ("accurate", "trainable", "steerable")}
RIGHT = "accurate"
MODELS = (
    ("request", "steerable"),
    ("deep", "trainable"),
    ("left-on", RIGHT),
    ("rate", "trainable"),
)


class NameProperty(Asking):
    """States: "ask" and "told:CHOICE:OWN"."""

    key = "property"
    title = PROPERTY["title"]
    start = "ask"
    fields = (Field("choice", PROPERTY["field"], CHOICES),)
    states = re.compile(rf"ask|told:(trainable|steerable):{RIGHT}|{CASES}|{ENDS}")
    idea = PROPERTY["idea"]
    look_again = PROPERTY["again"]

    def watch(self, state: str, o: Observation) -> str:
        return state

    def guesses(self, state: str) -> tuple[str, ...]:
        return tuple(CHOICES)

    def guess(self, state: str, value: str) -> str:
        return FIRST if value == RIGHT else f"told:{value}:{RIGHT}"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "told":
            return told(PROPERTY[f"why-{rest[0]}"], picture=_losses())
        return View(PROPERTY["ask"], announcement=PROPERTY["ask"], asks=True)

    def all_cases(self) -> tuple[Case, ...]:
        return tuple(Case(PROPERTY[name], right, PROPERTY[f"{name}-why"]) for name, right in MODELS)


def _losses() -> Picture:
    """Return what the two models of the first card are worth with the next word there, and
    without it."""
    rows = [(PROPERTY[name], FACTS[name], FACTS[f"{name}_absent"]) for name in ("leaky", "masked")]
    heads = (PROPERTY["loss"], PROPERTY["there"], PROPERTY["absent"])
    return columns_picture(PROPERTY["losses"], heads, rows)
