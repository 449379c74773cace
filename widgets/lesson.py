"""What is a lesson made of: which parts, sections and figures, whatever the host?"""

from collections.abc import Collection, Iterable, Mapping

from bokeh.plotting import figure

from attention_widget.lesson import tokenize
from attention_widget.widgets.checkpoint.outlines import add_outlines
from attention_widget.widgets.checkpoint.session import Checkpoint
from attention_widget.widgets.checkpoint.steps import steps_about
from attention_widget.widgets.labs.cost.lab import COST
from attention_widget.widgets.labs.dropout.lab import DROPOUT
from attention_widget.widgets.labs.faults.lab import FAULTS
from attention_widget.widgets.labs.heads.lab import HEADS
from attention_widget.widgets.labs.leak.lab import LEAK
from attention_widget.widgets.labs.learned.lab import LEARNED
from attention_widget.widgets.labs.prompts.lab import PROMPTS
from attention_widget.widgets.map import words as map_words
from attention_widget.widgets.map.numpy_script import script_pieces
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.section import map_section
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.map.story import story
from attention_widget.widgets.section.heatmap import build_heatmap
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.tab import Tab

MAP = Tab(
    name="map",
    template="map/tab.html",
    title="Map",
    figures=lambda: [add_outlines(build_heatmap("map", arcs=True), "map")],
    words={"script": script_pieces(), "story": story(), "say": map_words},
)
TABS: tuple[Tab, ...] = (MAP, LEAK, DROPOUT, HEADS, LEARNED, COST, FAULTS, PROMPTS)


class Lesson:
    """One student's lesson: the sections' states, and how to paint them all.

    Args:
        state: the main map's state; a new one when left out.
        parts: names of the tabs to show; all when left out. The map is always there.
        recorded_draws: set for a recording: how many draws it holds.

    Raises:
        ValueError: a part is not known.
    """

    def __init__(
        self,
        state: LessonState | None = None,
        *,
        parts: Iterable[str] | None = None,
        recorded_draws: int | None = None,
    ) -> None:
        self.map_state = state or LessonState()
        self.tabs = choose_tabs(parts)
        self.recorded = recorded_draws is not None
        sections = [map_section(self.map_state, recorded_draws)]
        for part in self.tabs:
            sections += part.sections(self.recorded)
        self.sections: dict[str, Section] = {section.name: section for section in sections}
        self.following = False  # while the labs take up other words
        self._followed: set[str] = set()
        self._follow()
        self.followed()  # nothing is rendered yet
        self.map_state.param.watch(self._follow, "sentence")
        steps = steps_about({part.name for part in self.tabs})
        self.checkpoint = Checkpoint(self.seen(), steps)

    def seen(self) -> Observation:
        """Look at the map, as the checkpoint does."""
        return observe(snapshot(self.map_state.settings()))

    def _follow(self, *_: object) -> None:
        """Let every lab show the map's words; a lab about later words needs two of them."""
        tokens = tokenize(self.map_state.sentence)
        if len(tokens) < 2:
            return
        self.following = True
        for name, section in self.sections.items():
            if section.follow(tokens):
                self._followed.add(name)
        self.following = False

    def followed(self) -> set[str]:
        """Return the names of the sections that took up other words since this was asked."""
        names, self._followed = self._followed, set()
        return names

    def look(self) -> None:
        """Let the checkpoint see the map as it stands, with no action before it."""
        self.checkpoint.look(self.seen())

    def figures(self) -> list[figure]:
        """Make the figures of this lesson; call it once a session."""
        return [plot for part in self.tabs for plot in part.figures()]

    def act(self, action: Mapping[str, object]) -> set[str]:
        """Carry out what came from the page; what is not understood is passed over.

        Returns:
            The names of the sections that it was for.
        """
        touched = set()
        changes = action.get("set")
        if isinstance(changes, Mapping):
            for full, value in list(changes.items())[:64]:
                section, _, name = full.partition(".") if isinstance(full, str) else ("", "", "")
                if section in self.sections:
                    self.sections[section].set({name: value})
                    touched.add(section)
        reset = action.get("reset")
        if isinstance(reset, str) and reset in self.sections:
            self.sections[reset].reset()
            touched.add(reset)
        command = action.get("act")
        if isinstance(command, str):
            section, _, name = command.partition(".")
            if section in self.sections and name in self.sections[section].commands:
                self.sections[section].commands[name]()
                touched.add(section)
        self.checkpoint.act(action, self.seen())
        return touched

    def render(self, names: Collection[str] | None = None) -> Slots:
        """Render these sections, all when left out, and the checkpoint."""
        slots: Slots = {}
        for section in self.sections if names is None else names:
            slots |= self.sections[section].render()
        return slots | self.checkpoint.render()


def choose_tabs(names: Iterable[str] | None) -> tuple[Tab, ...]:
    """Return the parts with these names, in the lesson's order; the map is always among them.

    Raises:
        ValueError: a name is not known.
    """
    wanted = {part.name for part in TABS} if names is None else {"map", *names}
    unknown = sorted(wanted - {part.name for part in TABS})
    if unknown:
        known = ", ".join(part.name for part in TABS)
        raise ValueError(f"parts are among {known}: got {', '.join(unknown)}; leave it out for all")
    return tuple(part for part in TABS if part.name in wanted)
