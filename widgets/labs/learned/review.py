"""What has a student found out? Two questions at the end, answered from measured figures."""

from typing import Any

from attention_widget.models.learned.model import Head
from attention_widget.widgets.labs.learned.measure import (
    Off,
    head_name,
    head_named,
    heads,
    in_a_row,
    roles,
    worth,
    worth_without,
)
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.groups import Groups
from attention_widget.widgets.section.section import Slots

LAYERS = {
    "more": "Eight heads can keep more than four",
    "order": "One must write what came before, so that the next can look it up",
    "jobs": "One layer is for the copy, the other for the verb",
}


def candidates() -> tuple[Head, ...]:
    """Return the heads to choose from: one of each kind, and one that has no part in the copy."""
    found = roles()
    apart = min(
        (head for head in heads() if head[0] == 0 and head != found.previous),
        key=lambda head: abs(cost({head}) - cost(set())),
    )
    return tuple(sorted((found.previous, found.induction[0], found.subject, apart)))


def cost(off: set[Head]) -> float:
    """Return what the second saying costs without these heads, nats per word."""
    return worth(frozenset(off)).second_loss


def render_break(settings: Any) -> Slots:
    """Render the question which head to turn off."""
    told = broken(settings.broken)
    return {"told.broken": told, "announcement.broken": told or "No answer."}


def render_layers(settings: Any) -> Slots:
    """Render the question why there must be two layers."""
    told = layered(settings.layers)
    return {"told.layers": told, "announcement.layers": told or "No answer."}


def broken(answer: str) -> str:
    """Say what each head's absence costs; "" before there is an answer."""
    if answer == "open":
        return ""
    costs = {head: cost({head}) for head in candidates()}
    worst = max(costs, key=lambda head: costs[head])
    begin = "Right" if head_named(answer) == worst else "No"
    told = in_a_row([f"{number(loss)} without head {head_name(h)}" for h, loss in costs.items()])
    return (
        f"{begin}: the second saying costs {number(cost(set()))} nats with every head, {told}. "
        f"Several heads share the look-up, but head {head_name(worst)} alone writes down what came "
        "before."
    )


def layered(answer: str) -> str:
    """Say what four heads do in two layers and in one; "" before there is an answer."""
    if answer == "open":
        return ""
    found = roles()
    pair = {found.previous, *found.induction}
    rest: Off = frozenset(heads()) - pair
    begin = "Right" if answer == "order" else "No"
    layers = sorted({head[0] + 1 for head in (*found.induction, found.subject)})
    return (
        f"{begin}: {len(pair)} heads in two layers are enough, {number(worth(rest).second_loss)} "
        f"nats with the others off; {len(heads()) // 2} in one layer are not, "
        f"{number(worth(name='one-layer').second_loss)}. The induction heads and the subject head "
        f"stand in layer {in_a_row(list(map(str, layers)))}. Cut the way from head "
        f"{head_name(found.previous)} to the keys above it, and the second saying costs "
        f"{number(worth_without('keys').second_loss)}: what came before must be written first."
    )


RENDER_REVIEW = Groups(
    render_break,
    render_layers,
    lambda settings: {"announcement.reset": "Both answers are cleared."},
)
