"""The tab of the trained heads shows what the shipped model does, and says nothing else."""

import gzip
import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from attention_widget.models.learned.roles import (
    head_name,
    head_named,
    heads,
    roles,
    worth,
    worth_without,
)
from attention_widget.models.learned.sequences import VERBS
from attention_widget.models.learned.store import shipped, shipped_moments
from attention_widget.models.learned.vocabulary import (
    PLACES,
    VOCABULARY,
    numbers_of,
    read_words,
    with_start,
)
from attention_widget.softmax import softmax
from attention_widget.widgets.labs.learned.guesses import QUESTIONS, head, right_answer
from attention_widget.widgets.labs.learned.lab import LEARNED, learned_sections
from attention_widget.widgets.labs.learned.measure import kind_of
from attention_widget.widgets.labs.learned.state import (
    SENTENCES,
    LiveViewState,
    live_off,
    recorded_off,
)
from attention_widget.widgets.recorded.lookup_table import record_section
from attention_widget.widgets.section.section import Section
from tests.recorded.whole import walk

README = Path(__file__).parents[2] / "README.md"
OFF = {head_name(head): frozenset({head}) for head in heads()}


def sections(recorded: bool = True) -> dict[str, Section]:
    return {section.name: section for section in learned_sections(recorded)}


def logits_of(text: str, off: frozenset = frozenset(), causal: bool = True) -> np.ndarray:
    words = with_start(numbers_of(read_words(text))[None])
    return shipped()(words, off=off, causal=causal).logits[0]


def chances(text: str, off: frozenset = frozenset(), causal: bool = True) -> np.ndarray:
    return softmax(logits_of(text, off, causal)[-1].astype(np.float64))


def weights_of(text: str, off: frozenset = frozenset()) -> np.ndarray:
    words = with_start(numbers_of(read_words(text))[None])
    return shipped()(words, off=off).weights[0]


def shown(values: np.ndarray, digits: int = 2) -> list[float]:
    return [round(float(v), digits) for v in values]


def figures(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"\d\.\d\d", text)]


# Predict first


def test_the_three_answers_are_the_three_kinds_of_head() -> None:
    assert [right_answer(question).name for question in QUESTIONS] == ["before", "after", "subject"]
    for question in QUESTIONS:
        layer, i = head(question)
        row = weights_of(" ".join(question.words))[layer, i, -1]
        for answer in question.answers:
            rest = [other for other in question.answers if other is not answer]
            assert all(set(answer.positions).isdisjoint(other.positions) for other in rest)
        assert row[list(right_answer(question).positions)].sum() > 0.9


def test_all_heads_are_shown_once_everything_is_guessed_right_or_wrong() -> None:
    section = sections()["guess"]
    assert section.render()["guess.rest"] == {"hidden": True}
    for question in QUESTIONS:
        assert section.render()[f"guess.verdict.{question.name}"] == ""
        section.set({question.name: "start"})
        told = section.render()[f"guess.verdict.{question.name}"]
        assert told.startswith("No: ")
        assert kind_of(head(question)).partition(",")[0] in told
    assert section.render()["guess.rest"] == {"hidden": False}
    section.set({"again": "after"})
    told = section.render()["guess.verdict.again"]
    assert told.startswith("Right: ")
    assert figures(told) == shown(
        [
            weights_of(SENTENCES[0])[*roles().induction[0], -1, 5],
            worth().induction[roles().induction[0]],
        ]
    )
    section.reset()
    assert section.render()["guess.rest"] == {"hidden": True}


@pytest.mark.parametrize("recorded", [True, False])
def test_the_page_opens_at_the_first_head_that_copies(recorded: bool) -> None:
    assert sections(recorded)["learned"].values()["head"] == head_name(roles().induction[0])


def test_the_listed_words_and_the_others_together_hold_all_the_weight() -> None:
    section = sections()["guess"]
    for question in QUESTIONS:
        section.set({question.name: "before"})
        rows = section.render()[f"guess.row.{question.name}"]
        assert sum(float(row[3][2]) for row in rows) == pytest.approx(1, abs=0.03)
        assert rows[-1][2][2] == "all others"


# All heads


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("change", ["none", "1.2", "2.1", "2.4", "mask"])
def test_the_view_is_the_model_on_that_sentence(sentence: str, change: str) -> None:
    section = sections()["learned"]
    section.set({"sentence": sentence, "change": change})
    off, causal = OFF.get(change, frozenset()), change != "mask"
    words = with_start(numbers_of(read_words(sentence))[None])
    weights = shipped()(words, off=off, causal=causal).weights[0]
    expected = chances(sentence, off, causal)
    for name in OFF:
        section.set({"head": name})
        slots = section.render()
        text = slots["source:learned.cells.text"]
        states = slots["source:learned.cells.state"]
        for value, cell, state in zip(weights[head_named(name)].flat, text, states, strict=True):
            assert state == "seen" or value == 0
            assert state == "masked" or cell == ("" if value < 0.0045 else cell)
            if state == "seen" and cell:
                assert float(cell) == pytest.approx(value, abs=0.0061)
    assert ("masked" in states) == causal
    top = np.argsort(-expected, kind="stable")[:3]
    assert [row[2][2] for row in slots["learned.next"]] == [VOCABULARY[i] for i in top]
    assert [float(row[3][2]) for row in slots["learned.next"]] == shown(expected[top])


def test_every_recorded_state_paints_the_same_slots_and_tells_the_truth() -> None:
    section = sections()["learned"]
    keys = None
    for _, slots in walk(section):
        keys = keys or slots.keys()
        assert slots.keys() == keys
        state = section.state
        if state.head != "2.1":
            continue
        off, causal = recorded_off(state), state.change != "mask"
        was, now = chances(state.sentence), chances(state.sentence, off, causal)
        word = int(was.argmax())
        told = slots["learned.happened"]
        named = re.findall(r"“(\w+)”", told)
        if state.change == "none":
            assert named == [state.sentence.split()[-1], VOCABULARY[word]]
            assert figures(told) == shown([was[word]])
            assert ("not sure" in told) == (was[word] <= 0.5)
        else:
            assert named[0] == VOCABULARY[word]
            near = abs(now[word] - was[word]) < 0.05
            pair = [now[word], was[word]] if near else [was[word], now[word]]
            assert figures(re.sub(r"heads? [\d. and]+\.", "", told))[:2] == shown(np.array(pair))
            assert (" falls " in told) == (not near and now[word] < was[word])
            assert (" rises " in told) == (not near and now[word] > was[word])
            assert ("likeliest is" in told) == (int(now.argmax()) != word)
        measured = worth(off, causal)
        assert slots["learned.kpi.second"] == f"{measured.second_loss:.2f}"
        assert ("With the mask off" in slots["learned.leak"]) == (not causal)


def test_the_copy_collapses_without_the_previous_token_head_and_only_halves_without_one_other() -> (
    None
):
    previous, (one, other, *_) = roles().previous, roles().induction
    assert worth(frozenset({previous})).second_right < 0.05
    assert worth(frozenset({one})).second_right > 0.7
    assert worth(frozenset({one, other})).second_loss > worth(frozenset({one})).second_loss + 1
    assert chances(SENTENCES[0], frozenset({previous}))[VOCABULARY.index("time")] < 0.1


def test_with_the_mask_off_the_answer_is_read() -> None:
    section = sections()["learned"]
    section.set({"change": "mask"})
    text = section.render()["learned.leak"]
    free, masked = worth(causal=False), worth()
    assert "it reads the answer" in text
    assert f"{100 * free.first_right:.0f} %" in text
    assert free.first_right > 20 * masked.first_right
    numbers = numbers_of(read_words(SENTENCES[0]))
    for causal in (True, False):
        all_rows = softmax(logits_of(SENTENCES[0], causal=causal).astype(np.float64))
        known = all_rows[np.arange(1, 9), numbers[1:]].mean()
        assert f"{known:.2f}" in text


def test_a_live_page_takes_any_words_it_knows_and_any_heads_at_once() -> None:
    section = sections(recorded=False)["learned"]
    section.set({"sentence": "red rose red", "head12": False, "head21": False, "causal": False})
    state = section.state
    assert isinstance(state, LiveViewState)
    assert live_off(state) == {(0, 1), (1, 0)}
    top = chances("red rose red", live_off(state), causal=False).argmax()
    assert section.render()["learned.next"][0][2][2] == VOCABULARY[top]
    assert section.render()["learned.mini-label.1.2"] == "1.2 off"
    section.set({"sentence": "red roses red"})
    assert section.render()["learned.problem.sentence"].startswith("the model knows 85 words and ")
    assert "“rose”" in section.render()["learned.problem.sentence"]
    assert state.sentence == "red rose red"


def test_live_and_recorded_render_the_same_slots_but_for_their_controls() -> None:
    live, recorded = (sections(recorded=r)["learned"].render() for r in (False, True))
    own = re.compile(r"\.(control|announcement|readout|problem|limit)\.")
    assert {k for k in live if not own.search(k)} == {k for k in recorded if not own.search(k)}


@pytest.mark.parametrize("recorded", [False, True])
def test_every_control_says_what_it_changed(recorded: bool) -> None:
    for section in learned_sections(recorded):
        slots = section.render()
        for control in section.controls:
            assert slots[f"{section.name}.announcement.{control.name}"]
        assert slots[f"{section.name}.announcement.reset"]


# Heads being born


def test_every_moment_is_that_of_the_training() -> None:
    section, moments = sections()["training"], shipped_moments()
    found = roles()
    for n, slots in walk(section):
        told = slots["training.told"]
        assert told.startswith(f"Step {int(moments.step[n])}: ")
        assert figures(re.sub(r"[Hh]eads? [\d. and]+", "", told)) == shown(
            [
                moments.first_loss[n],
                moments.second_loss[n],
                moments.previous[n][found.previous],
                *(moments.induction[n][h] for h in found.induction[:2]),
            ]
        )
        assert slots["source:training.now.at"] == [n, n]


def test_the_curve_turns_within_a_hundred_steps_and_both_scores_rise_there() -> None:
    turn = sections()["training"].render()["training.turn"]
    start, end = map(int, re.findall(r"steps (\d+) and (\d+)", turn)[0])
    assert end - start <= 100
    before, after, back, back_to, again, again_to, first, first_to = figures(turn)
    assert before - after > 1.5
    assert back_to > back + 0.2
    assert again_to > again + 0.2
    assert abs(first_to - first) < 0.2


# Which noun decides, the controls, and what the page says in general


def test_the_verb_follows_the_subject_in_all_four_pairs_and_not_without_the_head() -> None:
    section, found = sections()["subject"], roles()
    fits = []
    for many, between, on in product((False, True), repeat=3):
        section.set({"many": many, "between": between, "on": on})
        told = section.render()["subject.told"]
        words = section.render()["subject.sentence"].removesuffix(" …")
        likely = chances(words, frozenset() if on else frozenset({found.subject}))
        one, several = (likely[verbs].sum() for verbs in VERBS)
        assert told.startswith(f"Head {head_name(found.subject)} is off. ") == (not on)
        assert ("Verbs of many" in told) == (several > one)
        assert ("does not fit" in told) == ((several > one) != many)
        assert figures(re.sub(r"Head [\d.]+ is", "", told)) == shown(
            [max(one, several), min(one, several)]
        )
        assert (f"head {head_name(found.subject)}" in section.render()["subject.looks"]) is True
        fits.append((on, (several > one) == many))
    assert all(right for on, right in fits if on)
    assert not all(right for on, right in fits if not on)


def test_what_the_note_says_of_ways_and_layers_is_measured() -> None:
    whole = worth()
    assert worth_without("keys").second_loss > whole.second_loss + 3.5
    for way in ("queries", "values"):
        assert abs(worth_without(way).second_loss - whole.second_loss) < 0.1
    one = worth(name="one-layer")
    assert whole.second_loss + 2 < one.second_loss < one.first_loss - 0.5
    assert one.second_right < 0.3


def test_a_phrase_of_three_words_is_not_understood() -> None:
    for text in ("the dog", "the dogs"):
        likely = chances(text)
        verbs = sum(likely[numbers].sum() for numbers in VERBS)
        assert likely[numbers_of(PLACES)].sum() > 0.9 > 0.1 > verbs


# In the file


def test_the_recorded_tables_stay_small() -> None:
    sizes = {}
    for section in learned_sections(recorded=True):
        text = json.dumps(record_section(section), separators=(",", ":"), ensure_ascii=False)
        sizes[section.name] = len(gzip.compress(text.encode(), 6))
    assert sum(sizes.values()) < 90_000, sizes


def test_the_template_names_all_words_and_all_heads() -> None:
    words = LEARNED.words
    assert words is not None
    listed = [word for _, some in words["vocabulary"] for word in some]  # type: ignore[attr-defined]
    assert sorted(listed) == list(VOCABULARY)
    names = [name for layer in words["layers"] for name, _ in layer]  # type: ignore[attr-defined]
    assert names == [head_name(head) for head in heads()]


def test_the_readme_gives_the_measured_figures() -> None:
    text = README.read_text(encoding="utf-8")
    whole, found = worth(), roles()
    one, other = found.induction[:2]
    off = worth(frozenset({found.previous}))
    for claim in (
        f"for the first time costs {whole.first_loss:.2f} nats, the second time "
        f"{whole.second_loss:.2f}",
        f"Head {head_name(found.previous)} looks one place back with "
        f"{whole.previous[found.previous]:.2f}",
        f"Heads {head_name(one)} and {head_name(other)} look at the word after the same word with "
        f"{whole.induction[one]:.2f} and {whole.induction[other]:.2f}",
        f"head {head_name(found.subject)} at the subject with {whole.subject[found.subject]:.2f}",
        f"Without head {head_name(found.previous)} the second saying costs {off.second_loss:.2f}",
        f"{numbers_of_the_model():,} numbers",
    ):
        assert claim in text


def numbers_of_the_model() -> int:
    model = shipped()
    layers = [w for m in model.layers for w in (m.w_q, m.w_k, m.w_v, m.w_o)]
    return sum(array.size for array in (model.token, model.place, model.readout, *layers))
