"""Does the verb follow the subject, or the noun that stands beside it?"""

from typing import Any

from attention_widget.models.learned.roles import NOTHING, head_name, roles
from attention_widget.models.learned.sequences import VERBS
from attention_widget.widgets.labs.learned.guesses import bar
from attention_widget.widgets.labs.learned.measure import SentenceReading, read
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.section import Slots


def render_subject(state: Any) -> Slots:
    """Render the pair of nouns; see `Section.render`."""
    words = phrase(state.many, state.between)
    head = roles().subject
    now = read(words, NOTHING if state.on else frozenset({head}))
    told = verdict(now, state.many, state.on)
    return {
        "sentence": f"{' '.join(words)} …",
        "chances": _rows(now),
        "told": told,
        "looks": looks(now),
        "readout.on": f"{head_name(head)} {'on' if state.on else 'off'}",
        **{f"announcement.{name}": told for name in ("many", "between", "on", "reset")},
    }


def phrase(many: bool, between: bool) -> tuple[str, ...]:
    """Return the five words before the verb."""
    return ("the", "dogs" if many else "dog", "near", "the", "cats" if between else "cat")


def chances(now: SentenceReading) -> tuple[float, float]:
    """Return the chance of all verbs of one together, and of all verbs of many."""
    one, many = (float(now.chances[verbs].sum()) for verbs in VERBS)
    return one, many


def verdict(now: SentenceReading, many: bool, on: bool) -> str:
    """Say which verbs are likelier and whether that fits the subject."""
    one, several = chances(now)
    agrees = now.says_many == many
    likelier = "Verbs of many (“run”)" if now.says_many else "Verbs of one (“runs”)"
    without = "" if on else f"Head {head_name(roles().subject)} is off. "
    fits = "which fits the subject" if agrees else "which does not fit the subject"
    return (
        f"{without}{likelier} get {number(max(one, several))} of the chance, the others "
        f"{number(min(one, several))}, {fits}."
    )


def looks(now: SentenceReading) -> str:
    """Say where the subject head looks from the second noun."""
    head = roles().subject
    row = now.weights[head][-1]
    top = int(row.argmax())
    return (
        f"From “{now.tokens[-1]}”, head {head_name(head)} puts {number(row[top])} of its weight on "
        f"“{now.tokens[top]}” and {number(row[-1])} on “{now.tokens[-1]}” itself."
    )


def _rows(now: SentenceReading) -> list[object]:
    labels = ("verbs of one: runs, sleeps …", "verbs of many: run, sleep …")
    return [bar(label, chance) for label, chance in zip(labels, chances(now), strict=True)]
