"""Is a misspelt name found before a student finds an empty place?"""

import re
from dataclasses import replace

import param
import pytest
from bokeh.models import ColumnDataSource, HoverTool
from bokeh.plotting import figure

from attention_widget.widgets.lesson import TABS, Lesson
from attention_widget.widgets.page.markup import MarkupOptions, skeleton
from attention_widget.widgets.section.figure import make_figure
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from tests.page.names import mistakes

PARTS = [[], *([tab.name] for tab in TABS if tab.name != "map"), None]


@pytest.mark.parametrize("parts", PARTS, ids=str)
@pytest.mark.parametrize("draws", [None, 2], ids=["live", "recorded"])
def test_every_name_of_the_lesson_finds_its_other_half(parts, draws):
    lesson = Lesson(parts=parts, recorded_draws=draws)
    markup = skeleton(lesson, MarkupOptions(live=draws is None, draws=draws or 0))
    assert mistakes(lesson, lesson.render(), markup, lesson.figures()) == []


class NewState(SectionState):
    """What a new tab would declare."""

    speed = param.Integer(default=1, bounds=(1, 3), label="Speed")


def render_new(state: NewState) -> Slots:
    return {
        "kpi.speed": str(state.speed),
        "source:dots.x": [1, 2],
        "source:dots.y": [state.speed, 0],
        "model:x_range": {"start": 0, "end": 3},
        "figure": {"aria-label": "Two dots."},
        "announcement.speed": "Faster.",
    }


def build_new_figure() -> figure:
    plot = make_figure("new", x_range=(0, 3))
    plot.x_range.name = "new.x_range"
    plot.scatter("x", "y", source=ColumnDataSource({"x": [], "y": []}, name="new.dots"))
    return plot


MARKUP = """
<input data-control="new.speed" data-slot="new.limit.speed"><b data-slot="new.readout.speed"></b>
<b data-slot="new.kpi.speed"></b><div data-figure="new.figure" data-slot="new.figure"></div>
<p data-slot="new.problems"></p><table data-mirror="new.dots"></table>
<button data-reset="new"></button><button data-choose="new.speed=2"></button>
<button data-show-tab="tab-map"></button>
"""


def found_in_a_new_tab(
    misspelt: str = "", markup: str = MARKUP, plot: figure | None = None
) -> list[str]:
    """Return the mistakes of a new tab, with a letter too many in one rendered slot."""
    lesson = Lesson(parts=())
    lesson.sections = {"new": Section("new", NewState(), render_new)}
    keys = [key + "s" * (key == misspelt) for key in lesson.sections["new"].render()]
    return mistakes(lesson, keys, markup, [plot or build_new_figure()])


def test_a_new_tab_without_a_typo_has_no_mistake():
    assert found_in_a_new_tab() == []


@pytest.mark.parametrize("key", Section("new", NewState(), render_new).render())
def test_a_typo_in_what_is_rendered_is_found(key):
    assert found_in_a_new_tab(misspelt=key)


ATTRIBUTES = re.findall(r'(data-[a-z-]+="[^"]+")', MARKUP)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_a_typo_in_the_markup_is_found(attribute):
    name, value = attribute.split("=", 1)
    markup = MARKUP.replace(attribute, f'{name}="x{value[1:]}', 1)
    markup = markup.replace("new.speed=2", "") if name == "data-control" else markup
    assert found_in_a_new_tab(markup=markup)


@pytest.mark.parametrize("change", ["source", "column", "model", "figure", "field", "tooltip"])
def test_a_typo_in_a_figure_is_found(change):
    plot = build_new_figure()
    source = plot.renderers[0].data_source
    if change == "source":
        source.name = "new.dost"
    elif change == "column":
        source.data = {"x": [], "z": []}
    elif change == "model":
        plot.x_range.name = "new.xrange"
    elif change == "figure":
        plot.name = "nwe.figure"
    elif change == "field":
        plot.renderers[0].glyph.y = "z"
    else:
        plot.add_tools(HoverTool(renderers=plot.renderers, tooltips=[("up", "@z")]))
    assert found_in_a_new_tab(plot=plot)


def test_a_typo_in_a_real_tab_is_found():
    lesson = Lesson(parts=["heads"])
    heads = lesson.sections["heads"]
    lesson.sections["heads"] = replace(
        heads, render_state=lambda state: {"kpi.wdith": "3", **heads.render_state(state)}
    )
    found = mistakes(lesson, lesson.render(), skeleton(lesson), lesson.figures())
    assert found == ["slot without an element: heads.kpi.wdith"]
