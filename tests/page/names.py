"""Does every name find its other half: slots, elements, controls, models and columns?"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from bokeh.core.property.vectorization import Field
from bokeh.models import ColumnDataSource, GlyphRenderer, HoverTool
from bokeh.plotting import figure

from attention_widget.widgets.lesson import Lesson

# Slots with no place of their own: the checkpoint's record is stored and its announcement said, an
# observation is graded.
READ_BY_SCRIPTS = {"checkpoint.record", "checkpoint.announcement", "map.observation"}
FILLED_BY_THE_PLAYER = {"lesson.problems"}  # what is wrong with the options in a recorded file


@dataclass
class Markup(HTMLParser):
    """The names in a page's markup, by the attribute they stand in."""

    text: str
    found: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            self.found.setdefault(name, []).append(value or "")

    def names(self, attribute: str) -> set[str]:
        """Return the names in an attribute, several parted by a space."""
        return {name for value in self.found.get(attribute, ()) for name in value.split()}


def mistakes(
    lesson: Lesson, slots: Iterable[str], markup: str, figures: Iterable[figure]
) -> list[str]:
    """Return a line per name that has no other half; none in a lesson where all is well."""
    page, figures, slots = Markup(markup), list(figures), set(slots)
    controls = {f"{s.name}.{name}" for s in lesson.sections.values() for name in s.names}
    declared = {f"{s.name}.{c.name}" for s in lesson.sections.values() for c in s.state.controls()}
    commands = {f"{s.name}.{name}" for s in lesson.sections.values() for name in s.commands}
    told = {key for key in slots if ".announcement." in key}
    set_by = {key.replace(".control.", ".") for key in slots if ".control." in key}
    elsewhere = told | READ_BY_SCRIPTS | {key for key in slots if ":" in key or ".control." in key}
    choices = {
        pair.split("=")[0]
        for value in page.found.get("data-choose", ())
        for pair in value.split("&")
    }
    halves = {
        "slot without an element": (slots - elsewhere, page.names("data-slot")),
        "element whose slot is never rendered": (
            page.names("data-slot") - FILLED_BY_THE_PLAYER,
            slots,
        ),
        "control without an element": (controls, page.names("data-control") | choices),
        "element of an unknown control": (page.names("data-control") | choices, controls),
        "value of an unknown control": (set_by, controls),
        "announcement of nothing": (
            {key.replace(".announcement.", ".") for key in told},
            declared | commands | {f"{name}.reset" for name in lesson.sections},
        ),
        "reset of an unknown section": (page.names("data-reset"), set(lesson.sections)),
        "unknown command": (page.names("data-act"), commands),
        "unknown tab": (
            page.names("data-show-tab"),
            {f"tab-{tab.name}" for tab in lesson.tabs},
        ),
    }
    return [
        f"{trouble}: {name}"
        for trouble, (names, others) in (halves | _of_figures(page, figures, slots)).items()
        for name in sorted(names - others)
    ]


def _of_figures(
    page: Markup, figures: Iterable[figure], slots: set[str]
) -> Mapping[str, tuple[set[str], set[str]]]:
    models = [model for plot in figures for model in plot.references()]
    named = {model.name: model for model in models if model.name}
    sources = {n: model for n, model in named.items() if isinstance(model, ColumnDataSource)}
    columns = {f"{name}.{column}" for name, source in sources.items() for column in source.data}
    rendered = {key.removeprefix("source:") for key in slots if key.startswith("source:")}
    drawn = {
        f"{renderer.data_source.name}.{spec.field}"
        for plot in figures
        for renderer in plot.renderers
        if isinstance(renderer, GlyphRenderer)
        and renderer.data_source.name  # else it never changes
        for spec in renderer.glyph.properties_with_values().values()
        if isinstance(spec, Field)
    }
    pointed_at = {
        f"{renderer.data_source.name}.{column}"
        for hover in models
        if isinstance(hover, HoverTool)
        for renderer in hover.renderers
        for _, text in hover.tooltips
        for column in re.findall(r"@(\w+)", text)
    }
    return {
        "rendered column that no source has": (rendered, columns),
        "column that is never rendered": (columns, rendered),
        "column that a glyph reads and no source has": (drawn, columns),
        "column that a tooltip reads and no source has": (pointed_at, columns),
        "rendered model that no figure has": (
            {key.removeprefix("model:") for key in slots if key.startswith("model:")},
            set(named),
        ),
        "figure without a place": (
            {plot.name for plot in figures},
            page.names("data-figure"),
        ),
        "place without a figure": (page.names("data-figure"), {plot.name for plot in figures}),
        "table of an unknown source": (page.names("data-mirror"), set(sources)),
    }
