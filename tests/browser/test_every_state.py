"""Is every single recorded state, visited in a random order, what Python paints for it?"""

import json
from itertools import product

import numpy as np
import pytest

from attention_widget.lesson import DEFAULT_SEED, SENTENCE
from attention_widget.widgets.lesson import Lesson as PythonLesson
from attention_widget.widgets.recorded.commands import DRAWS, recorded_lesson
from attention_widget.widgets.recorded.lookup_table import axes_of
from tests.browser.conftest import Lesson
from tests.looked_up import looked_up
from tests.recorded.whole import walk

pytestmark = pytest.mark.browser
CHUNK = 2000

# Goes to each state and compares the slots, the texts on the page and the columns of the sources
# with Python's; gives the first few that differ.
VISIT = """([name, axes, keys, states]) => {
  const page = attentionWidget, wrong = [];
  const columns = (source) => source.data instanceof Map ? Object.fromEntries(source.data)
    : source.data;
  for (const [values, rendered] of states) {
    const set = Object.fromEntries(axes.map((axis, i) => [`${name}.${axis}`, values[i]]));
    page.dispatch({set, last: ''});
    for (const [n, key] of keys.entries()) {
      const want = window.pool[rendered[n]];
      let got = JSON.stringify(page.slots[key]);
      if (got === want && want[0] === '"') {
        for (const el of page.targets.get(key) ?? []) {
          if (el.textContent !== page.slots[key]) got = el.textContent;
        }
      }
      if (key.startsWith('column ')) { // looked up in others
        const at = key.lastIndexOf('.');
        got = JSON.stringify([...columns(page.models.get(key.slice(14, at)))[key.slice(at + 1)]]);
      }
      if (got === want && key.startsWith('source:') && want[0] === '[') {
        const at = key.lastIndexOf('.');
        const source = page.models.get(key.slice(7, at));
        if (source) got = JSON.stringify([...columns(source)[key.slice(at + 1)]]);
      }
      if (got !== want && wrong.length < 5) wrong.push([values, key, got, want]);
    }
  }
  return wrong;
}"""
# Everything that Python rendered, once; a state has the places of its values in it.
POOL = """(texts) => {
  window.pool = texts.map((text) => JSON.stringify(JSON.parse(text)));
}"""
ASKED_FOR = ".problems"  # what a link asked for is said beside any state


def columns_of(slots):
    """What the columns that are looked up in others hold."""
    return {
        f"column {key}": looked_up(slots, value)
        for key, value in slots.items()
        if isinstance(value, dict) and "texts" in value
    }


# Drawing thousands of maps takes longer than to look at their data; test_pixels.py looks at pixels.
FORGET_CANVAS = "() => { for (const view of attentionWidget.views.splice(0)) view.remove(); }"


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PythonLesson().sections))
def test_every_recorded_state_is_what_python_paints(browser, recorded_file, name):
    section = recorded_lesson(SENTENCE, DEFAULT_SEED, DRAWS).sections[name]
    axes = axes_of(section)
    states = list(product(*(axis.values for axis in axes)))
    rng = np.random.default_rng(20260102)
    context = browser.new_context(offline=True, reduced_motion="reduce")
    lesson = Lesson(context.new_page(), recorded_file.as_uri(), "file").open()
    lesson.page.evaluate(FORGET_CANVAS)
    pool: dict[str, int] = {}
    keys: list[str] = []
    rendered: list[list[int]] = []
    for _, slots in walk(section):
        values = slots | columns_of(slots)
        keys = keys or [key for key in values if not key.endswith(ASKED_FOR)]
        texts = (json.dumps(values[key], ensure_ascii=False, separators=(",", ":")) for key in keys)
        rendered.append([pool.setdefault(text, len(pool)) for text in texts])
    lesson.page.evaluate(POOL, list(pool))
    visited = 0
    names = [axis.name for axis in axes]
    order = rng.permutation(len(states))
    for start in range(0, len(order), CHUNK):
        some = [[list(states[n]), rendered[n]] for n in order[start : start + CHUNK]]
        assert lesson.page.evaluate(VISIT, [name, names, keys, some]) == []
        visited += len(some)
    assert visited == len(states)
    assert lesson.console == []
    context.close()
