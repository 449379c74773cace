"""Do the templates take their words from the rooms' modules of words?"""

import re

import pytest

from attention_widget.assets import read_asset
from attention_widget.widgets.lesson import TABS

TEMPLATES = [
    "page/lesson.html",
    "map/tab.html",
    "map/story.html",
    "checkpoint/panel.html",
    "checkpoint/end.html",
    "section/controls.html",
    *(tab.template for tab in TABS if tab.name not in ("map", "learned")),
]
SPOKEN = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)  # the same in every language
INSIDE = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)


def own_words(template: str) -> list[str]:
    """Return the words that stand in a template itself, between tags or read aloud."""
    text = INSIDE.sub("", FORMULA.sub("", template))
    parts = [*re.sub(r"<[^>]*>", "\n", text).split("\n"), *SPOKEN.findall(text)]
    return [part.strip() for part in parts if re.search(r"[^\W\d_]{2}", part)]


def test_own_words_are_found():
    assert own_words('<p class="x">{{ say.A }} and</p><i aria-label="Figure"></i>') == [
        "and",
        "Figure",
    ]
    assert own_words('<p title="{{ a }}">{# no #}{% if b %}×{% endif %}</p>') == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_holds_no_words_of_its_own(name):
    assert own_words(read_asset(name)) == []
