"""Do the trained heads show what other code computes, where no table is recorded?"""

import random

import numpy as np

from attention_widget.widgets.labs.learned.state import SENTENCES
from attention_widget.widgets.lesson import Lesson
from tests.truth.claims import learned
from tests.truth.numbers import faults_of
from tests.truth.test_every_number import is_read, resolved
from tests.truth.trained import HEADS, WORDS, measure, moments, stored, untrained


def test_a_live_page_shows_the_numbers_of_other_code_for_any_words_and_any_heads() -> None:
    chance, section = random.Random(5), Lesson().sections["learned"]
    lengths = set()
    for _ in range(12):
        words = chance.choices(WORDS, k=chance.randint(1, 16))
        text = chance.choice((" ".join(words), *SENTENCES))
        on = {f"head{layer + 1}{i + 1}": chance.random() < 0.7 for layer, i in HEADS}
        head = chance.choice(HEADS)
        section.state.choose(
            sentence=text, causal=chance.random() < 0.5, head=f"{head[0] + 1}.{head[1] + 1}", **on
        )
        slots, due = section.render(), learned.claims(section.values())
        assert due.keys() <= slots.keys()
        for key in filter(is_read, slots):
            if ".control." not in key and ".readout.sentence" not in key:
                assert faults_of(key, resolved(slots, key), due.get(key, [])) == [], (
                    section.values()
                )
        lengths.add(len(text.split()))
    assert len(lengths) > 4


def test_the_first_and_the_last_moment_are_those_of_the_drawn_and_the_shipped_numbers() -> None:
    seen = moments()
    for at, arrays in ((0, untrained()), (-1, stored("two-layers"))):
        now = measure(arrays, n=200)
        for name in ("first_loss", "second_loss", "previous", "induction"):
            np.testing.assert_allclose(seen[name][at], getattr(now, name), atol=0.0025)


def test_the_ticks_below_the_curves_are_steps_of_the_training() -> None:
    slots = Lesson(recorded_draws=1).sections["training"].render()
    labels = dict(slots["model:training.x_axis"]["major_label_overrides"])
    assert list(labels) == slots["model:training.ticks"]["ticks"]
    assert {n: int(text) for n, text in labels.items()} == {
        n: int(moments()["step"][n]) for n in labels
    }
    assert len(labels) > 4
