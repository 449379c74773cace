"""Before the steps: which of two models would you ship, by their loss alone?"""

import json
import re

from attention_widget.assets import read_asset
from attention_widget.widgets.checkpoint.machine import Field, Step, View
from attention_widget.widgets.checkpoint.words import HOOK
from attention_widget.widgets.map.observation import Observation

# What a run of the Leak lab measured and wrote with its default seed; a test runs it again.
RUN = json.loads(read_asset("checkpoint/two-models.json"))
FACTS = {
    "leaky": f"{RUN['leaky_loss']:.3f}",
    "masked": f"{RUN['masked_loss']:.2f}",
    "leaky_absent": f"{RUN['leaky_absent_loss']:.2f}",
    "masked_absent": f"{RUN['masked_absent_loss']:.2f}",
    "leaky_text": RUN["leaky_text"],
    "masked_text": RUN["masked_text"],
    "prompt": RUN["prompt"],
}


class Hook(Step):
    """States: "ask" and "told:CHOICE"; it counts for nothing and may be passed over."""

    key = "hook"
    title = HOOK["title"]
    start = "ask"
    options = {name: HOOK[name].format(**FACTS) for name in ("low", "high")}  # noqa: RUF012
    fields = (Field("ship", HOOK["field"], options),)
    states = re.compile("ask|told:(low|high)")
    graded = False

    def observe(self, state: str, o: Observation) -> str:
        return state

    def answers(self, state: str) -> tuple[str, ...]:
        return tuple(self.options) if state == "ask" else ()

    def answer(self, state: str, value: str) -> str:
        return f"told:{value}"

    def view(self, state: str) -> View:
        if state == "ask":
            text = HOOK["ask"].format(**FACTS)
            return View(text, announcement=text, asks=True)
        texts = [HOOK[name].format(**FACTS) for name in ("leaky", "masked", "why")]
        kinds = ("hint", "good", "plain")
        wanted = HOOK["told"].format(**FACTS)
        said = " ".join([wanted, *texts])
        return View(wanted, tuple(zip(kinds, texts, strict=True)), said)
