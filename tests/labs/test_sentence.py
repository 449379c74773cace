"""Do the labs show the words of the student, and of the teacher?"""

import json
from itertools import product

import pytest

from attention_widget.faults import Fault
from attention_widget.lesson import SENTENCE, tokenize
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.dashboard import Dashboard
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.recorded.commands import recorded_lesson
from attention_widget.widgets.recorded.lookup_table import axes_of

GREEN = "I like green tea"
LABS = ("dropout", "faults", "heads", "tiles")


def words_of(slots, lab):
    """Return the words that a lab shows."""
    if lab == "heads":
        return slots["heads.readout.token"].split(" ")[1:]
    if lab == "tiles":
        return [row[2][2] for row in slots["tiles.grid"][1:]]
    return slots[f"source:{lab}.cells.query"][:: len(slots[f"source:{lab}.cells.query"]) // 4][:4]


@pytest.mark.parametrize("lab", LABS)
def test_a_teachers_sentence_reaches_the_lab(lab):
    lesson = recorded_lesson(GREEN, 3907, 2)
    shown = words_of(lesson.render(), lab)
    assert shown == (["tea"] if lab == "heads" else GREEN.split())
    assert Lesson(LessonState(sentence=GREEN)).render([lab])[f"{lab}.announcement.reset"]
    if lab == "heads":
        axis = next(a for a in axes_of(lesson.sections["heads"]) if a.name == "token")
        assert axis.values == (1, 2, 3, 4)


def test_a_students_sentence_reaches_every_lab_in_one_answer():
    dashboard = Dashboard()
    sent = []
    dashboard.view._send_msg = sent.append
    action = {"seq": 1, "set": {"map.sentence": GREEN}, "last": "map.sentence"}
    dashboard.view.hear(json.dumps(action))
    assert len(sent) == 1
    slots = json.loads(sent[0])["slots"]
    for lab in LABS:
        assert words_of(slots, lab) == (["tea"] if lab == "heads" else GREEN.split())
    whole = dashboard.lesson.render()
    fresh = Lesson(LessonState(sentence=GREEN)).render()
    for key, value in whole.items():
        assert fresh[key] == value, key
    dashboard.state.sentence = SENTENCE  # by Python
    back = json.loads(sent[-1])["slots"]
    assert words_of(back, "tiles") == SENTENCE.split()


def test_one_word_has_no_future_so_the_labs_keep_theirs():
    lesson = Lesson()
    lesson.act({"set": {"map.sentence": "Alone"}})
    assert words_of(lesson.render(), "tiles") == list(tokenize(SENTENCE))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "sentence", ["Two words", "one " * 15 + "more", "My road ends after two days"]
)
def test_the_labs_stand_the_shortest_the_longest_and_the_exchanged_words(sentence):
    lesson = Lesson(LessonState(sentence=sentence))
    t = len(tokenize(sentence))
    for one, other in product(list(Fault)[:4], repeat=2):
        lesson.act({"set": {f"faults.{f.value}": f in (one, other) for f in Fault}})
        slots = lesson.render(["faults"])
        assert len(slots["source:faults.inference.cells.query"]) == t * t
        if one is other is Fault.NO_MASK:
            assert slots["faults.kpi.sees-future"] == "yes"
    lesson.act({"set": {"tiles.read": 99}})
    lesson.act({"set": {"tiles.read": lesson.sections["tiles"].control("read").high}})
    slots = lesson.render(["tiles", "dropout", "heads"])
    assert slots["tiles.kpi.finished"] == f"{t} of {t}"
