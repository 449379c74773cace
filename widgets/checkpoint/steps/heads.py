"""Step: look at each of the four heads, in any order."""

import re

from attention_widget.widgets.checkpoint.machine import Step, View
from attention_widget.widgets.checkpoint.wording import listed
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.map.state import MAX_HEADS

ALL = "".join(str(i) for i in range(1, MAX_HEADS + 1))


class SeeHeads(Step):
    """States: "few:SEEN" (fewer than four heads), "seen:SEEN" (four), "done"; SEEN lists heads."""

    key = "heads"
    title = f"View each of the {MAX_HEADS} heads"
    start = "few:"
    states = re.compile(f"(few|seen):(?!{ALL}$)" + "".join(f"{i}?" for i in ALL) + "|done")

    def observe(self, state: str, o: Observation) -> str:
        seen = state.partition(":")[2]
        if o.heads != MAX_HEADS:
            return f"few:{seen}"
        seen = "".join(sorted({*seen, str(o.head)}))
        return "done" if seen == ALL else f"seen:{seen}"

    def view(self, state: str) -> View:
        name, _, seen = state.partition(":")
        if name == "done":
            text = (
                "Four heads, four maps of the same sentence. They are untrained, so they differ "
                "by chance and not because each has learned a job."
            )
            return View("You viewed every head.", (("good", text),), text)
        left = [i for i in ALL if i not in seen]
        if name == "few":
            text = f"Set Heads to {MAX_HEADS} first."
        else:
            text = "Step through Viewing head, or pick a small map, in any order."
        note = f"Still to see: head {listed(left)}."
        return View(text, (("plain", note),), text if name == "few" else note)
