"""How does a lesson carry a checkpoint along: one action in, new progress and announcement out?"""

from collections.abc import Mapping

from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Open,
    Progress,
    Reset,
    advance,
    begin,
)
from attention_widget.widgets.checkpoint.record import from_text
from attention_widget.widgets.checkpoint.render import (
    announcement_of,
    opening_announcement,
    render_checkpoint,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.words import RESTARTED
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.section.section import Slots


class Checkpoint:
    """One student's progress."""

    def __init__(self, seen: Observation) -> None:
        self.progress: Progress = begin(STEPS)
        self.announcement = ""
        self.look(seen)

    def act(self, action: Mapping[str, object], seen: Observation) -> None:
        """Carry out {"answer": [step, value]}, {"open": step}, {"restart": true} or
        {"restore": text}, then look at the widget; what is not understood is passed over."""
        before = self.progress
        moved, answered, opened = True, False, None
        if action.get("restart") is True:
            self.progress = advance(before, Reset(), STEPS)
        elif isinstance(text := action.get("restore"), str):
            self.restore(text)
        elif isinstance(opened := action.get("open"), str):
            self.progress = advance(before, Open(opened), STEPS)
        else:
            moved = False
            match action.get("answer"):
                case [str(step), str(value)]:
                    self.progress = advance(before, Answer(step, value), STEPS)
                    answered = True
        self.look(seen)
        at = self.progress.at
        if action.get("restart") is True:
            self.announcement = RESTARTED
        elif not moved:
            self.announcement = announcement_of(before, self.progress, answered)
        elif opened == STEPS[at].key:
            self.announcement = opening_announcement(at, self.progress.states[at])
        else:
            self.announcement = ""

    def look(self, seen: Observation) -> None:
        """See the widget as it stands."""
        self.progress = advance(self.progress, seen, STEPS)

    def restore(self, text: str) -> None:
        """Go on from a stored record; one that cannot be read is left alone."""
        try:
            self.progress = from_text(text, STEPS)
        except ValueError:
            return

    def render(self) -> Slots:
        """Return every slot."""
        return render_checkpoint(self.progress, self.announcement)
