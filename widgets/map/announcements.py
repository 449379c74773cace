"""What is said when a control of the map has moved: what did it change?"""

from attention_widget.widgets.map.figures import sums_in_words, sums_in_words_loose
from attention_widget.widgets.map.render import number
from attention_widget.widgets.map.snapshot import MEAN_DRAWS, Snapshot
from attention_widget.widgets.map.state import STAGES
from attention_widget.widgets.section.section import Slots

LOOKS = "map.looks"


def announce_mask(snap: Snapshot) -> Slots:
    """Say what the mask does."""
    s = snap.settings
    last = len(snap.tokens)
    future = "some weight lies on the future" if snap.sees_future else "no weight on the future"
    if s.causal:
        mask = (
            f"Causal mask on: {snap.masked_cells} cells of this head are masked and there is "
            f"{future}."
        )
    else:
        mask = (
            f"Causal mask off: {snap.masked_cells} cells are masked, {future}, and the answers "
            f"hold {number(snap.weight_on_answers)} of the weight on average, where an even spread "
            f"over the {last} words would give {number(1 / last)}."
        )
    if s.stage == "scores":
        mask += " Scores are shown as they are before the mask: the map stays as it was."
    return {
        "announcement.causal": and_the_row(mask),
        "announcement.reset": and_the_row(f"Back to the start. {mask}"),
    }


def and_the_row(text: str) -> dict[str, str]:
    """Return a slot that says `text` and then what the chosen word looks at."""
    return {"first": text, "like": LOOKS}


def announce_dropout(snap: Snapshot) -> Slots:
    """Say what dropout does, and what becomes of the rows of the head in view."""
    s = snap.settings
    if s.drops:
        drop = (
            f"Dropout {s.dropout:.1f} in training: {snap.dropped_cells} weights dropped in this "
            f"draw, row sums {sums_in_words(snap.row_sums)}, mean of {MEAN_DRAWS:,} draws "
            f"{sums_in_words_loose(snap)}."
        )
    elif s.dropout > 0:
        drop = f"Dropout is set to {s.dropout:.1f} but this is inference: nothing is dropped."
    else:
        drop = f"Dropout is 0: nothing is dropped{' in training' if s.training else ''}."
    return {f"announcement.{name}": drop for name in ("dropout", "training", "draw")}


def announce_head(snap: Snapshot) -> Slots:
    """Say which head is in view, its row sums, and what the chosen word looks at there."""
    s = snap.settings
    view = f"Head {s.head} of {s.heads}: row sums {sums_in_words(snap.row_sums)}."
    return {"announcement.head": and_the_row(view)}


def announce_rest(snap: Snapshot) -> Slots:
    """Say what the other controls changed."""
    s = snap.settings
    last = len(snap.tokens)
    return {
        "announcement.heads": (
            f"{s.heads} {'head' if s.heads == 1 else 'heads'}, each {snap.d_head} wide "
            f"({snap.rest.output.shape[-1]} / {s.heads}). Showing head {s.head}."
        ),
        "announcement.stage": f"Showing {STAGES[s.stage].lower()} of head {s.head}.",
        "announcement.sentence": f"New sentence of {last} {'word' if last == 1 else 'words'}.",
        "announcement.seed": f"Seed {s.seed}: new random geometry.",
    }
