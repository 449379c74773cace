"""Step: why must there be two layers? Told from measured figures, then tried on other models."""

import re

from attention_widget.models.learned.roles import (
    head_name,
    heads,
    roles,
    worth,
    worth_without,
)
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import figures_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import LAYERS
from attention_widget.widgets.map.render import number

REASONS = {name: LAYERS[name] for name in ("more", "order", "jobs")}
RIGHT = "order"
MODELS = (("apart", "jobs"), ("wide", "more"), ("swapped", RIGHT), ("any", "more"))


class WhyTwoLayers(Asking):
    """States: "ask" and "told:CHOICE:OWN"."""

    key = "layers"
    title = LAYERS["title"]
    start = "ask"
    fields = (Field("reason", LAYERS["field"], REASONS),)
    states = re.compile(rf"ask|told:(more|jobs):{RIGHT}|{CASES}|{ENDS}")
    idea = LAYERS["idea"]
    look_again = LAYERS["again"]
    part = "learned"

    def watch(self, state: str, o: object) -> str:
        return state

    def guesses(self, state: str) -> tuple[str, ...]:
        return tuple(REASONS)

    def guess(self, state: str, value: str) -> str:
        return FIRST if value == RIGHT else f"told:{value}:{RIGHT}"

    def ask(self, state: str) -> View:
        if not state.startswith("told"):
            return View(LAYERS["ask"], announcement=LAYERS["ask"], asks=True)
        found = roles()
        pair = {found.previous, *found.induction}
        few = worth(frozenset(heads()) - pair).second_loss
        one = worth(name="one-layer").second_loss
        cut = worth_without("keys").second_loss
        sizes = {"few": len(pair), "half": len(heads()) // 2}
        why = LAYERS["why"].format(
            two=number(few), one=number(one), previous=head_name(found.previous), **sizes
        )
        rows = [
            (LAYERS["few-row"].format(**sizes), few),
            (LAYERS["one-row"].format(**sizes), one),
            (LAYERS["cut-row"].format(previous=head_name(found.previous)), cut),
        ]
        return told(why, picture=figures_picture(LAYERS["label"], rows))

    def all_cases(self) -> tuple[Case, ...]:
        return tuple(Case(LAYERS[name], right, LAYERS[f"{name}-why"]) for name, right in MODELS)
