"""How much of each row's weight does the mask move?"""

from attention_widget.widgets.map.render import number
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.section.section import Slots


def render_difference(snap: Snapshot) -> Slots:
    """Render the change of each row of the viewing head."""
    rows = []
    top = float(snap.change.max())
    for i, (token, change) in enumerate(zip(snap.tokens, snap.change, strict=True), start=1):
        verdict = "unchanged" if change == 0 else "changes most" if change == top else ""
        rows.append(
            [
                "tr",
                {},
                ["th", {"scope": "row"}, f"{i} {token}"],
                ["td", {}, number(float(change))],
                ["td", {}, ["i", {"class": "bar", "data-level": round(float(change), 3)}]],
                ["td", {}, verdict],
            ]
        )
    return {"difference": rows}
