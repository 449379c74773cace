"""What is a tab of the lesson, so that adding one is one line in `widgets.lesson`?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bokeh.plotting import figure

from widgets.scene import Scene


def _none() -> list[figure]:
    return []


@dataclass(frozen=True, kw_only=True)
class Part:
    """A tab: the template `assets/part-<name>.html`, its scenes and its figures.

    Attributes:
        name: of the tab and its template.
        title: on the tab.
        scenes: makes this session's scenes; `recorded` is true for a recording.
        figures: makes this session's figures, each named "<scene>.figure".
        words: constant texts for the template, as `words.<part name>`.
    """

    name: str
    title: str
    scenes: Callable[[bool], list[Scene]] = lambda recorded: []
    figures: Callable[[], list[figure]] = _none
    words: Mapping[str, object] | None = None
