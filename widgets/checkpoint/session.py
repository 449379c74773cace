"""How does a lesson carry a checkpoint along: one action in, new progress and announcement out?"""

from collections.abc import Mapping, Sequence

from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Open,
    Progress,
    Reset,
    Step,
    advance,
    begin,
)
from attention_widget.widgets.checkpoint.record import from_text
from attention_widget.widgets.checkpoint.render import (
    announcement_of,
    opening_announcement,
    render_checkpoint,
)
from attention_widget.widgets.checkpoint.words import RESTARTED
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.section.section import Slots


class Checkpoint:
    """One student's progress through `steps`."""

    def __init__(self, seen: Observation, steps: Sequence[Step]) -> None:
        self.steps = tuple(steps)
        self.progress: Progress = begin(self.steps)
        self.announcement = ""
        self.look(seen)

    def act(self, action: Mapping[str, object], seen: Observation) -> None:
        """Carry out {"answer": [step, value]}, {"open": step}, {"restart": true} or
        {"restore": text}, then look at the widget; what is not understood is passed over."""
        before = self.progress
        moved, answered, opened = True, False, None
        if action.get("restart") is True:
            self.progress = advance(before, Reset(), self.steps)
        elif isinstance(text := action.get("restore"), str):
            self.restore(text)
        elif isinstance(opened := action.get("open"), str):
            self.progress = advance(before, Open(opened), self.steps)
        else:
            moved = False
            match action.get("answer"):
                case [str(step), str(value)]:
                    self.progress = advance(before, Answer(step, value), self.steps)
                    answered = True
        self.look(seen)
        at = self.progress.at
        if action.get("restart") is True:
            self.announcement = RESTARTED
        elif not moved:
            self.announcement = announcement_of(before, self.progress, answered, self.steps)
        elif opened == self.steps[at].key:
            self.announcement = opening_announcement(at, self.progress.states[at], self.steps)
        else:
            self.announcement = ""

    def look(self, seen: Observation) -> None:
        """See the widget as it stands."""
        self.progress = advance(self.progress, seen, self.steps)

    def restore(self, text: str) -> None:
        """Go on from a stored record; one that cannot be read is left alone."""
        try:
            self.progress = from_text(text, self.steps)
        except ValueError:
            return

    def render(self) -> Slots:
        """Return every slot."""
        return render_checkpoint(self.progress, self.steps, self.announcement)
