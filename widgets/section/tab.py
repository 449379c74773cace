"""What is a tab of the lesson, so that adding one is one line in `widgets/lesson.py`?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bokeh.plotting import figure

from attention_widget.widgets.section.section import Section


def _none() -> list[figure]:
    return []


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A tab: its template, sections and figures.

    Attributes:
        name: of the tab.
        template: asset that holds its markup.
        title: on the tab.
        sections: makes this session's sections; `recorded` is true for a recording.
        figures: makes this session's figures, each named "<section>.figure".
        words: constant texts for the template, as `words.<part name>`.
    """

    name: str
    title: str
    template: str
    sections: Callable[[bool], list[Section]] = lambda recorded: []
    figures: Callable[[], list[figure]] = _none
    words: Mapping[str, object] | None = None
