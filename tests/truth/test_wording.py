"""Are the sentences that were once wrong or bare said as they must be, and never as they were?"""

import re

import pytest

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.page.markup import skeleton
from tests.truth.numbers import read
from tests.truth.test_lesson_claims import everything_said

STATES: tuple[dict[str, object], ...] = (
    {"faults.finite_fill": True, "faults.dropout_at_inference": True},
    {"faults.no_output_projection": True, "cost.heads": 12},
)


@pytest.fixture(scope="module")
def said() -> str:
    lesson, found = Lesson(), [everything_said(), skeleton(Lesson())]
    for state in STATES:
        lesson.act({"set": state})
        found += [text for value in lesson.render().values() for text in read(value)]
    return " ".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "In this layer the heads never mix",
        "Every head reads all d numbers of each word; only the results of the projections are cut",
        "The last bar, the output, starts at 0",
        "The score of 15 cells is −10 instead",  # each figure of a finite fill by its name
        "and the largest of their weights is",
        "144 bytes as float32",  # with its type on the map and in the lab about cost
        "an even spread gives 0.17",
        "8Td² + 4T²d: a multiply-add counts as two",
        "makes useless is counted too",
        "do not grow",
        "Fault on: Dropout left on.",
        "the newest is at a position that learned to copy",
    ],
)
def test_a_sentence_says_what_its_numbers_are(said: str, text: str) -> None:
    assert text in said


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!In this layer )\b[Tt]he heads never mix",
        r"\bon on\b",
        r"grows? × 1\b",
        r"every position being the last",
        r"\d bytes(?! as )(?! of)",
    ],
)
def test_what_was_wrong_is_not_said_again(said: str, pattern: str) -> None:
    assert re.findall(pattern, said) == []
