"""Is the outlined cell of a row the one whose word the row must predict?"""

from itertools import pairwise

import pytest

from attention_widget.lesson import tokenize
from attention_widget.widgets.map.section import map_section
from attention_widget.widgets.map.state import LessonState


@pytest.mark.parametrize("sentence", ["one", "to be or not", "Your journey starts with one step"])
@pytest.mark.parametrize("causal", [False, True])
def test_each_row_but_the_last_has_the_cell_of_the_next_word_outlined(sentence, causal):
    slots = map_section(LessonState(sentence=sentence, causal=causal)).render()
    words = {
        (x, y): (slots["source:map.cells.query"][n], slots["source:map.cells.key"][n])
        for n, (x, y) in enumerate(
            zip(slots["source:map.cells.x"], slots["source:map.cells.y"], strict=True)
        )
    }
    places = zip(slots["source:map.answers.x"], slots["source:map.answers.y"], strict=True)
    assert [words[place] for place in places] == list(pairwise(tokenize(sentence)))
    assert slots["source:map.answers.ring"] == [int(causal)] * (len(tokenize(sentence)) - 1)
