"""Does a recording that renders each part only where it differs hold what every state renders?"""

import json
import random

import param
import pytest

from attention_widget.lesson import DEFAULT_SEED, SENTENCE
from attention_widget.widgets.recorded.commands import recorded_lesson
from attention_widget.widgets.recorded.lookup_table import (
    axes_of,
    pickers_of,
    record_section,
    share,
)
from attention_widget.widgets.section.groups import Groups, Noted
from attention_widget.widgets.section.section import Section
from attention_widget.widgets.section.state import SectionState
from tests.recorded.whole import record_whole


def section(name, draws=1):
    return recorded_lesson(SENTENCE, DEFAULT_SEED, draws).sections[name]


@pytest.mark.parametrize("name", ["dropout", "heads", "cost", "tiles", "leak"])
def test_the_tables_are_those_of_every_state_rendered_whole(name):
    assert record_section(section(name)) == record_whole(section(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["map", "faults", "prompts"])
def test_the_large_tables_are_those_of_every_state_rendered_whole(name):
    assert record_section(section(name, 6)) == record_whole(section(name, 6))


@pytest.mark.parametrize("name", ["dropout", "heads"])
def test_what_slots_share_stands_once_and_can_be_read_back(name):
    table = record_section(section(name))
    shared = share(table)
    read = {
        key: {
            "axes": slot["axes"],
            "index": shared["indices"][slot["index"]],
            "pool": shared["pools"][slot["pool"]],
        }
        for key, slot in shared["slots"].items()
    }
    assert shared | {"slots": read} == table | {part: shared[part] for part in ("indices", "pools")}
    for part in ("indices", "pools"):
        texts = [json.dumps(value) for value in shared[part]]
        assert len(set(texts)) == len(texts) <= len(table["slots"])


def walked_and_picked(there):
    return (*axes_of(there), *pickers_of(there))


def test_any_state_of_the_map_is_found_in_its_table():
    there = section("map")
    table, axes, rng = record_section(there), walked_and_picked(there), random.Random(3)
    for _ in range(40):
        at = [rng.randrange(len(axis.values)) for axis in axes]
        wish = {axis.name: axis.values[n] for axis, n in zip(axes, at, strict=True)}
        there.state.choose(**wish)
        rendered = there.render()
        assert rendered.keys() == table["slots"].keys()
        for key, value in rendered.items():
            slot, place = table["slots"][key], 0
            for n in slot["axes"]:
                place = place * len(axes[n].values) + at[n]
            assert slot["pool"][slot["index"][place]] == value, (key, wish)


class PairState(SectionState):
    """Two switches and a number."""

    one = param.Boolean(default=False, label="One")
    two = param.Boolean(default=False, label="Two")
    n = param.Integer(default=0, bounds=(0, 4), label="N")


def test_a_part_is_rendered_once_per_setting_that_it_reads():
    calls = []

    def reads_one(settings):
        calls.append("one")
        return {"one": str(settings.one)}

    def reads_two_when_one_is_on(settings):
        calls.append("two")
        return {"two": settings.two if settings.one else None}

    def reads_nothing(settings):
        calls.append("none")
        return {"none": [1.0]}

    render = Groups(reads_one, reads_two_when_one_is_on, reads_nothing)
    table = record_section(Section("pair", PairState(), render))
    assert [calls.count(name) for name in ("one", "two", "none")] == [2, 3, 1]
    assert table == record_whole(Section("pair", PairState(), render))
    assert table["slots"]["pair.two"]["axes"] == [0, 1]


def test_a_setting_read_by_a_property_is_noted_by_what_the_property_reads():
    state = section("map").state
    for training, read in ((False, {"training"}), (True, {"training", "dropout"})):
        state.training = training
        noted = set()
        assert Noted(state.settings(), noted).drops is False
        assert noted == read


def test_states_that_render_other_slots_are_refused():
    there = Section("pair", PairState(), lambda s: {"one": ""} if s.one else {"none": ""})
    with pytest.raises(ValueError, match="same slots"):
        record_section(there)


def test_progress_only_grows_and_ends_when_all_is_done():
    told = []
    record_section(section("heads"), lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (576, 576)
