"""Step: which of the three properties does the causal mask protect?"""

import re

from attention_widget.widgets.checkpoint.machine import Field, Step, View
from attention_widget.widgets.map.observation import Observation

CHOICES = {"accurate": "accurate", "trainable": "trainable", "steerable": "steerable"}
RIGHT = "accurate"
WHY = {
    "accurate": (
        "Accurate: yes. A layer that peeks learns to copy the next word. When it must write, that "
        "word is not there yet, and its predictions are wrong."
    ),
    "trainable": (
        "Trainable: no. A layer that sees the future trains all too well: its loss falls because "
        "it can copy."
    ),
    "steerable": (
        "Steerable: no. Whether a model follows instructions is not decided by which words it may "
        "look at while it learns."
    ),
}
HINT = "Think of the predictions it makes when the later words do not exist yet."


class NameProperty(Step):
    """States: "ask", "miss:CHOICE", "done-first", "done-later"."""

    key = "property"
    title = "Say what the mask protects"
    start = "ask"
    fields = (Field("choice", "Which of these does the causal mask protect?", CHOICES),)
    states = re.compile("ask|miss:(trainable|steerable)|done-(first|later)")

    def observe(self, state: str, o: Observation) -> str:
        return state

    def answers(self, state: str) -> tuple[str, ...]:
        return tuple(CHOICES)

    def answer(self, state: str, value: str) -> str:
        if value != RIGHT:
            return f"miss:{value}"
        return "done-first" if state == "ask" else "done-later"

    def view(self, state: str) -> View:
        name, _, choice = state.partition(":")
        wanted = "A language model should be accurate, trainable and steerable. Choose one."
        if name == "ask":
            return View(wanted, announcement=wanted)
        if name == "miss":
            text = f"{WHY[choice]} {HINT}"
            return View(wanted, (("hint", text),), text)
        others = tuple(("plain", text) for key, text in WHY.items() if key != RIGHT)
        return View("You named the property.", (("good", WHY[RIGHT]), *others), WHY[RIGHT])
