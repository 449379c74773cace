"""When did the heads come into being, and what if there is one layer only, or no mask?"""

from functools import cache
from typing import Any

import numpy as np

from attention_widget.models.learned.paths import WAYS
from attention_widget.models.learned.roles import head_name, heads, roles, worth, worth_without
from attention_widget.models.learned.store import shipped_moments
from attention_widget.widgets.labs.learned.measure import in_a_row
from attention_widget.widgets.map.render import number, pixels
from attention_widget.widgets.section.groups import Groups
from attention_widget.widgets.section.section import Slots


def render_whole(settings: Any) -> Slots:
    """Render what is the same at every moment."""
    return _curves() | {
        "turn": turn_in_words(),
        "controls": control_rows(),
        "one-layer": one_layer_in_words(),
        "no-mask": no_mask_in_words(),
        "paths": path_rows(),
        "figure": {"aria-label": f"Losses and scores over the training. {turn_in_words()}"},
    }


def render_moment(settings: Any) -> Slots:
    """Render one moment of the training."""
    moment = settings.moment
    told = moment_in_words(moment)
    return _moment(moment) | {
        "told": told,
        "readout.moment": f"step {step(moment)}",
        "announcement.moment": told,
        "announcement.reset": f"Back to the start. {told}",
    }


RENDER_TRAINING = Groups(render_whole, render_moment)


def step(moment: int) -> int:
    """Return the training step of a moment."""
    return int(shipped_moments().step[moment])


@cache
def _curves() -> Slots:
    seen, found = shipped_moments(), roles()
    at = list(range(len(seen.step)))
    ticks = [n for n in at if step(n) in (0, 100, 200, 300, 500, 1000, 3000)]
    columns = {
        "first": seen.first_loss,
        "second": seen.second_loss,
        "previous": seen.previous[:, *found.previous],
        "induction": seen.induction[:, *found.induction[0]],
    }
    return {
        "source:curves.at": at,
        **{f"source:curves.{name}": _short(values) for name, values in columns.items()},
        "model:ticks": {"ticks": ticks},
        "model:x_axis": {"major_label_overrides": [[n, str(step(n))] for n in ticks]},
        "model:x_range": {"start": -0.5, "end": len(at) - 0.5},
    }


def _short(values: np.ndarray) -> list[float]:
    return [round(float(value), 3) for value in values]


def _moment(moment: int) -> Slots:
    seen = shipped_moments()
    masked = np.triu(np.ones(seen.maps.shape[-2:], dtype=np.bool_), k=1)
    states = np.where(masked, "masked", "seen")
    return {
        "source:now.at": [moment, moment],
        "source:now.loss": [0, 5],
        **{f"mini.{head_name(head)}": pixels(seen.maps[moment][head], states) for head in heads()},
    }


def moment_in_words(moment: int) -> str:
    """Say what the model is worth at a moment, and what the two kinds of head score."""
    seen, found = shipped_moments(), roles()
    pair = found.induction[:2]
    scores = in_a_row([number(seen.induction[moment][head]) for head in pair])
    names = in_a_row([head_name(head) for head in pair])
    return (
        f"Step {step(moment)}: a word costs {number(seen.first_loss[moment])} nats the first time "
        f"and {number(seen.second_loss[moment])} the second time. Head {head_name(found.previous)} "
        f"looks one word back with {number(seen.previous[moment][found.previous])} of its weight, "
        f"heads {names} at the word after the same word with {scores}."
    )


@cache
def turn_in_words() -> str:
    """Say between which moments the second saying fell the most, and what rose there."""
    seen, found = shipped_moments(), roles()
    fall = int(np.argmax(seen.second_loss[:-2] - seen.second_loss[2:]))
    a, b = fall, fall + 2
    back, again = seen.previous[:, *found.previous], seen.induction[:, *found.induction[0]]
    return (
        f"Between steps {step(a)} and {step(b)} the second saying falls from "
        f"{number(seen.second_loss[a])} to {number(seen.second_loss[b])} nats. In the same steps "
        f"the previous-token score goes from {number(back[a])} to {number(back[b])} and the "
        f"induction score from {number(again[a])} to {number(again[b])}. The first saying goes "
        f"from {number(seen.first_loss[a])} to {number(seen.first_loss[b])}."
    )


def control_rows() -> list[object]:
    """Return a row for each of the three trainings."""
    rows = (
        ("two layers, mask", worth(), worth()),
        ("one layer, mask", worth(name="one-layer"), worth(name="one-layer")),
        (
            "two layers, no mask",
            worth(name="no-mask", causal=False),
            worth(name="no-mask"),
        ),
    )
    return [
        [
            "tr",
            {},
            ["th", {"scope": "row"}, label],
            ["td", {}, number(trained.first_loss)],
            ["td", {}, number(trained.second_loss)],
            ["td", {}, number(masked.first_loss)],
        ]
        for label, trained, masked in rows
    ]


def one_layer_in_words() -> str:
    """Say what the model of one layer is worth at the second saying."""
    one, two = worth(name="one-layer"), worth()
    return (
        f"One layer, trained alike: the second saying costs {number(one.second_loss)} nats, not "
        f"{number(two.second_loss)}. It can tell which words came up, not which one follows."
    )


def no_mask_in_words() -> str:
    """Say what the model that was trained without the mask is worth, with the mask and without."""
    free, masked = worth(name="no-mask", causal=False), worth(name="no-mask")
    return (
        f"Trained without the mask: {number(free.first_loss)} nats on words that nobody can know, "
        f"for it reads them. With the mask put on: {number(masked.first_loss)}."
    )


def path_rows() -> list[object]:
    """Return what the second saying costs when layer 2 does not hear the head on one way."""
    rows: list[tuple[str, float]] = [("all three (nothing cut)", worth().second_loss)]
    rows += [(f"not in the {way}", worth_without(way).second_loss) for way in WAYS]
    return [
        ["tr", {}, ["th", {"scope": "row"}, label], ["td", {}, number(value)]]
        for label, value in rows
    ]
