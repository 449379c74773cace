"""Step: what do the figures say while the mask is off?"""

import re

from attention_widget.widgets.checkpoint.machine import Field, Step, View
from attention_widget.widgets.checkpoint.wording import SHORT, numbers
from attention_widget.widgets.map.observation import Observation


class ReadMask(Step):
    """Mask off, then read "sees future?" and "masked cells"; graded from what is measured.

    States: "wait:M" (mask on), "short:M" (one word), "read:T:CELLS:SEES:WRONG:M" and the earned
    ones; M is 1 after a wrong answer.
    """

    key = "read"
    title = "Read the map with the mask off"
    start = "wait:0"
    fields = (
        Field("sees", "sees future?", {"yes": "yes", "no": "no"}),
        Field("cells", "masked cells", {}),
    )
    states = re.compile(
        r"(wait|short):[01]|read:\d{1,2}:\d{1,3}:(yes|no):(none|sees|cells|both):[01]"
        r"|done-(first|later):\d{1,3}:(yes|no)"
    )

    def observe(self, state: str, o: Observation) -> str:
        name, *rest = state.split(":")
        if o.tokens < 2:
            return f"short:{rest[-1]}"
        if o.masked:
            return f"wait:{rest[-1]}"
        wrong = rest[3] if name == "read" else "none"
        return f"read:{o.tokens}:{o.masked_cells}:{_word(o.sees_future)}:{wrong}:{rest[-1]}"

    def answers(self, state: str) -> tuple[str, ...]:
        name, *rest = state.split(":")
        if name != "read":
            return ()
        return tuple(f"{sees},{n}" for sees in ("yes", "no") for n in numbers(0, int(rest[0]) ** 2))

    def answer(self, state: str, value: str) -> str:
        _, t, cells, sees, _, missed = state.split(":")
        told_sees, told_cells = value.split(",")
        wrong_sees, wrong_cells = told_sees != sees, told_cells != cells
        if not wrong_sees and not wrong_cells:
            return f"done-{'later' if missed == '1' else 'first'}:{cells}:{sees}"
        wrong = "both" if wrong_sees and wrong_cells else "sees" if wrong_sees else "cells"
        return f"read:{t}:{cells}:{sees}:{wrong}:1"

    def view(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "wait":
            return View(
                "Turn the causal mask off.",
                announcement="The mask is on. Turn it off for this step.",
            )
        if name == "short":
            return View(SHORT, announcement=SHORT)
        if name != "read":
            cells, sees = rest
            text = (
                f"sees future? {sees}, masked cells {cells}. Nothing is hidden, so each word can "
                "look at the very word it must predict: it can copy the answer."
            )
            return View("You read the leaky map.", (("good", text),), text)
        t, _, _, wrong, _ = rest
        hints = {
            "sees": "Look again at the figure “sees future?” below the map.",
            "cells": "Look again at the figure “masked cells” below the map.",
            "both": "Look again at both figures, “sees future?” and “masked cells”.",
        }
        notes = (("hint", f"Not yet. {hints[wrong]}"),) if wrong in hints else ()
        said = notes[0][1] if notes else "The mask is off. Now read the two figures."
        return View(
            "The mask is off. Read these two figures below the map and enter them.",
            notes,
            said,
            top=int(t) ** 2,
        )


def _word(value: bool) -> str:
    return "yes" if value else "no"
