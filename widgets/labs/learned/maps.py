"""What do all heads look at in a sentence, what comes next, and what breaks without a head?"""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention_widget.measures import cell_states
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.roles import Off, head_name, head_named, heads, worth
from attention_widget.widgets.labs.learned.guesses import bar
from attention_widget.widgets.labs.learned.measure import SentenceReading, in_a_row, kind_of, read
from attention_widget.widgets.labs.learned.state import live_off, recorded_off, switch_name
from attention_widget.widgets.map.layout import render_axes, render_scale
from attention_widget.widgets.map.render import number, pixels, render_cells
from attention_widget.widgets.section.groups import Groups
from attention_widget.widgets.section.section import Slots

CLEAR_CHANCE = 0.5  # a likeliest word with less is not called sure
STILL = 0.05  # a chance that moves less than this is said to stay


def renderer(
    off_of: Callable[[Any], Off], causal_of: Callable[[Any], bool], controls: tuple[str, ...]
) -> Groups:
    """Return what renders a sentence with some heads, or the mask, off; see `Section.render`.

    Args:
        off_of: reads the heads that are off from the settings.
        causal_of: reads whether the mask is on.
        controls: names of the controls that change what the model reads.
    """

    def read_now(settings: Any) -> SentenceReading:
        return read(tuple(settings.sentence.split()), off_of(settings), causal_of(settings))

    def told(settings: Any) -> Slots:
        words, off, causal = tuple(settings.sentence.split()), off_of(settings), causal_of(settings)
        text = happened(read(words), read_now(settings), off, causal)
        return {
            "happened": text,
            "leak": leak(words, off, causal),
            **{f"announcement.{name}": text for name in (*controls, "reset")},
        }

    return Groups(
        lambda settings: _map(read_now(settings), settings.head),
        lambda settings: _next_words(read_now(settings)) | _all_heads(read_now(settings)),
        told,
        lambda settings: _labels(off_of(settings)) | _worth(off_of(settings), causal_of(settings)),
        lambda settings: _buttons(settings.head),
    )


RENDER_LIVE = renderer(
    live_off,
    lambda settings: bool(settings.causal),
    ("sentence", "causal", *map(switch_name, heads())),
)
RENDER_RECORDED = renderer(
    recorded_off, lambda settings: bool(settings.change != "mask"), ("sentence", "change")
)


def title(name: str) -> str:
    """Return a head's name, layer and kind."""
    head = head_named(name)
    kind = kind_of(head)
    told = f": {kind} on random rows with everything on" if kind else ""
    return f"Head {name}, layer {head[0] + 1}{told}"


def looks(now: SentenceReading, name: str) -> str:
    """Say where a head looks from the last word."""
    row = now.weights[head_named(name)][-1]
    top = int(row.argmax())
    last, there = now.tokens[-1], now.tokens[top]
    return f"From the last “{last}” it looks most at “{there}”, {number(row[top])}."


def what_is_off(off: Off, causal: bool) -> str:
    """Say what is turned off."""
    names = sorted(map(head_name, off))
    parts = [f"head{'s' if len(names) > 1 else ''} {in_a_row(names)}"] if names else []
    parts += [] if causal else ["the causal mask"]
    return f"Off: {in_a_row(parts)}." if parts else "Everything is on, as it was trained."


def happened(before: SentenceReading, now: SentenceReading, off: Off, causal: bool) -> str:
    """Say what the model gives next, and how the change moved it."""
    word, was = before.likeliest(1)[0]
    if not off and causal:
        sure = "" if was > CLEAR_CHANCE else " It is not sure of any word."
        return f"After “{now.tokens[-1]}” the likeliest word is “{word}”, {number(was)}.{sure}"
    chance = now.chance(word)
    if abs(chance - was) < STILL:
        moved = f"“{word}” stays near {number(chance)} (it was {number(was)})"
    else:
        verb = "falls" if chance < was else "rises"
        moved = f"“{word}” {verb} from {number(was)} to {number(chance)}"
    first, top = now.likeliest(1)[0]
    if first != word:
        moved += f"; now the likeliest is “{first}”, {number(top)}"
    return f"{what_is_off(off, causal)} {moved}."


def leak(words: tuple[str, ...], off: Off, causal: bool) -> str:
    """Say how well the words inside the sentence are given, with the mask and without it."""
    if len(words) < 2:
        return "A sentence of one word holds no answer that could be read."
    masked, free = (float(read(words, off, c).known.mean()) for c in (True, False))
    text = (
        f"Every word of this sentence but the first has to be predicted from those before it: the "
        f"true word gets {number(masked)} on average."
    )
    if causal:
        return text
    seen, unseen = worth(off, causal=False).first_right, worth(off).first_right
    reads = ": it reads the answer" if seen > 2 * unseen else ""
    return (
        f"{text} With the mask off it gets {number(free)}. On words that nobody can know, the "
        f"likeliest word is right {percent(seen)} of the time, and {percent(unseen)} with the mask "
        f"on{reads}."
    )


def percent(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.0f} %" if share >= 0.1 or not share else f"{100 * share:.1f} %"


def _map(now: SentenceReading, name: str) -> Slots:
    head = head_named(name)
    weights = now.weights[head].astype(np.float64)
    cells = render_cells(weights, cells_of(now, head), now.scores[head], weights, name)
    cells["source:cells.text"] = [
        text if text != "0.00" else "" for text in cells["source:cells.text"]
    ]
    cells["source:cells.score"] = ""  # it is not shown here
    axes = render_axes(now.tokens, sums=(), room=0) | render_scale(len(now.tokens))
    return (
        axes
        | cells
        | {
            "source:sums.text": [],
            "source:sums.verdict": [],
            "title": title(name),
            "looks": looks(now, name),
            "announcement.head": f"{title(name)}. {looks(now, name)}",
            "figure": {
                "aria-label": f"Heat map of the weights of head {name} in this sentence. "
                "The table below holds its numbers."
            },
        }
    )


def cells_of(now: SentenceReading, head: Head) -> np.ndarray:
    """Return "masked" or "seen" for each cell of one head's map."""
    return cell_states(now.scores[head], now.weights[head], now.weights[head])


def _all_heads(now: SentenceReading) -> Slots:
    return {
        f"mini.{head_name(head)}": pixels(now.weights[head], cells_of(now, head))
        for head in heads()
    }


def _labels(off: Off) -> Slots:
    slots: Slots = {}
    for head in heads():
        name = head_name(head)
        slots[f"mini-label.{name}"] = f"{name} off" if head in off else name
        slots[f"mini-kind.{name}"] = kind_of(head).partition(",")[0]
    return slots


def _buttons(chosen: str) -> Slots:
    return {
        f"mini-button.{name}": {"aria-pressed": "true" if name == chosen else "false"}
        for name in map(head_name, heads())
    }


def _worth(off: Off, causal: bool) -> Slots:
    now, whole = worth(off, causal), worth()
    return {
        "changed": what_is_off(off, causal),
        "kpi.second": number(now.second_loss),
        "note.second": f"nats per word; all on: {number(whole.second_loss)}",
        "kpi.right": percent(now.second_right),
        "note.right": f"all on: {percent(whole.second_right)}",
        "kpi.verb": percent(now.verb_right),
        "note.verb": f"all on: {percent(whole.verb_right)}",
        "kpi.unknown": percent(now.first_right),
        "note.unknown": f"all on: {percent(whole.first_right)}; a guess: {percent(1 / 85)}",
    }


def _next_words(now: SentenceReading) -> Slots:
    return {"next": [bar(word, chance) for word, chance in now.likeliest()]}
