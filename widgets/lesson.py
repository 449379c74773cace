"""What is a lesson made of: which parts, scenes and figures, whatever the host?"""

from collections.abc import Callable, Iterable, Mapping

from bokeh.plotting import figure

from widgets.checkpoint.host import Checkpoint
from widgets.heatmap import build_heatmap
from widgets.labs.cost import COST
from widgets.labs.dropout import DROPOUT
from widgets.labs.faults import FAULTS
from widgets.labs.heads import HEADS
from widgets.labs.leak import LEAK
from widgets.labs.prompts import PROMPTS
from widgets.map_scene import map_scene
from widgets.numpy_script import script_pieces
from widgets.observation import Observation, observe
from widgets.part import Part
from widgets.scene import Paint, Scene
from widgets.snapshot import snapshot
from widgets.state import LessonState

MAP = Part(
    name="map",
    title="Map",
    figures=lambda: [build_heatmap("map")],
    words={"script": script_pieces()},
)
PARTS: tuple[Part, ...] = (MAP, FAULTS, DROPOUT, HEADS, COST, LEAK, PROMPTS)


class Lesson:
    """One student's lesson: the scenes' states, and how to paint them all.

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
        self.parts = choose_parts(parts)
        self.recorded = recorded_draws is not None
        scenes = [map_scene(self.map_state, recorded_draws)]
        for part in self.parts:
            scenes += part.scenes(self.recorded)
        self.scenes: dict[str, Scene] = {scene.name: scene for scene in scenes}
        self.checkpoint = Checkpoint(self.seen())
        self.push: Callable[[], None] = lambda: None

    def seen(self) -> Observation:
        """Look at the map, as the checkpoint does."""
        return observe(snapshot(self.map_state.settings()))

    def look(self) -> None:
        """Let the checkpoint see the map as it stands, with no action before it."""
        self.checkpoint.look(self.seen())

    def figures(self) -> list[figure]:
        """Make the figures of this lesson; call it once a session."""
        return [plot for part in self.parts for plot in part.figures()]

    def act(self, action: Mapping[str, object]) -> None:
        """Carry out what came from the page; what is not understood is passed over."""
        changes = action.get("set")
        if isinstance(changes, Mapping):
            for full, value in list(changes.items())[:64]:
                scene, _, name = full.partition(".") if isinstance(full, str) else ("", "", "")
                if scene in self.scenes:
                    self.scenes[scene].set({name: value})
        reset = action.get("reset")
        if isinstance(reset, str) and reset in self.scenes:
            self.scenes[reset].reset()
        command = action.get("act")
        if isinstance(command, str):
            scene, _, name = command.partition(".")
            if scene in self.scenes and name in self.scenes[scene].acts:
                self.scenes[scene].acts[name](self)
        self.checkpoint.act(action, self.seen())

    def paint(self) -> Paint:
        """Paint every scene and the checkpoint."""
        slots: Paint = {}
        for scene in self.scenes.values():
            slots |= scene.paint()
        return slots | self.checkpoint.paint()


def choose_parts(names: Iterable[str] | None) -> tuple[Part, ...]:
    """Give the parts with these names, in the lesson's order; the map is always among them.

    Raises:
        ValueError: a name is not known.
    """
    wanted = {part.name for part in PARTS} if names is None else {"map", *names}
    unknown = sorted(wanted - {part.name for part in PARTS})
    if unknown:
        known = ", ".join(part.name for part in PARTS)
        raise ValueError(f"parts are among {known}: got {', '.join(unknown)}; leave it out for all")
    return tuple(part for part in PARTS if part.name in wanted)
