"""Which questions does an interviewer ask about this layer, and can a student answer them?

Think first, open the answer, then mark yourself. Seven cards, one choice each: nothing is graded.
"""

import param

from attention_widget.widgets.labs.prompts import words
from attention_widget.widgets.labs.prompts.cards import CARDS
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab

MARKS = {"open": "Not marked", "got": "Got it", "again": "Not yet"}
NAMES = tuple(f"q{n}" for n in range(1, len(CARDS) + 1))


class PromptState(SectionState):
    """How the student marked each card: one parameter per card, q1, q2 and so on."""


for _n, _name in enumerate(NAMES, start=1):
    PromptState.param.add_parameter(
        _name,
        param.Selector(
            default="open",
            objects={label: mark for mark, label in MARKS.items()},
            label=f"Mark yourself on prompt {_n}",
        ),
    )


def render_prompts(state: PromptState) -> Slots:
    """Render the marks: one slot a card, and the count over all of them."""
    marks = [getattr(state, name) for name in NAMES]
    paint: Slots = {"count": count_in_words(marks)}
    for n, (name, mark) in enumerate(zip(NAMES, marks, strict=True), start=1):
        paint[f"card.{n}"] = {"data-state": mark}
        paint[f"announcement.{name}"] = f"Prompt {n}: {MARKS[mark].lower()}."
    return paint | {"announcement.reset": f"All {len(NAMES)} marks are cleared."}


def count_in_words(marks: list[str]) -> str:
    """Say how many cards are marked "got it", and how many are to be tried again."""
    got, again = marks.count("got"), marks.count("again")
    later = f", {again} not yet" if again else ""
    return f"{got} of {len(marks)} got it{later}"


def prompts_sections(recorded: bool) -> list[Section]:
    """Make the section "prompts"; the same live and recorded."""
    return [Section("prompts", PromptState(), render_prompts)]


PROMPTS = Tab(
    name="prompts",
    template="labs/prompts/tab.html",
    title="Interview prompts",
    sections=prompts_sections,
    words={"cards": CARDS, "say": words},
)
