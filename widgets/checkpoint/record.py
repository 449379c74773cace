"""How is progress written down, so that a later version of the lesson still understands it?

    2;8;rows;hook=ask;read=done-first;hidden=done-later;rows=ask:0;...

Version, number of steps, the current step, then every step by its key. Steps may come and go
between versions, and from one choice of tabs to another: what was earned stays earned by key, and
one who had everything is spared what came later.
"""

from collections.abc import Mapping, Sequence

from attention_widget.widgets.checkpoint.machine import (
    FIRST,
    KEPT,
    LATER,
    SPARED,
    Progress,
    Step,
    earned,
    opens,
)

VERSION = "2"
MAX_TEXT = 4096
# Version 1 wrote no keys: "1;PLACE;state;state;...", in this order.
FORMER = ("read", "hidden", "rows", "width", "heads", "dropout", "property")
KINDS = (FIRST, LATER, SPARED, KEPT)


def to_text(progress: Progress, steps: Sequence[Step]) -> str:
    """Write progress down for storage."""
    pairs = [f"{s.key}={state}" for s, state in zip(steps, progress.states, strict=True)]
    return ";".join([VERSION, str(len(steps)), steps[progress.at].key, *pairs])


def from_text(text: str, steps: Sequence[Step]) -> Progress:
    """Read what this or an earlier version wrote.

    Raises:
        ValueError: it is no record of this checkpoint.
    """
    states, at = _parsed(text)
    complete = all(map(earned, _graded(states, steps)))
    found = []
    for step in steps:
        state = states.get(step.key, SPARED if complete and step.graded else "")
        kind = next((k for k in KINDS if state.startswith(k)), KEPT if earned(state) else "")
        found.append(kind or (state if step.legal(state) else step.start))
    progress = Progress(0, tuple(found))
    keys = [step.key for step in steps]
    place = keys.index(at) if at in keys else -1
    if not opens(progress, place, steps):
        left = (n for n, s in enumerate(found) if steps[n].graded and not earned(s))
        place = next(left, len(steps) - 1)
    return Progress(place, progress.states)


def _parsed(text: str) -> tuple[dict[str, str], str]:
    wrong = ValueError(f"a record is one that this lesson wrote: got {text[:60]!r}; start over")
    version, count, *rest = [*text[: MAX_TEXT + 1].split(";"), "", ""]
    if len(text) > MAX_TEXT:
        raise wrong
    if version == "1":  # a place, then the states in order
        states, place = rest[:-2], int(count) if count.isascii() and count.isdigit() else -1
        if len(states) != len(FORMER) or not 0 <= place < len(FORMER):
            raise wrong
        return dict(zip(FORMER, states, strict=True)), FORMER[place]
    at, *pairs = rest[:-2] or [""]
    if version != VERSION or not pairs or str(len(pairs)) != count:
        raise wrong
    if not all("=" in pair for pair in pairs):
        raise wrong
    return dict(pair.split("=", 1) for pair in pairs), at


def _graded(states: Mapping[str, str], steps: Sequence[Step]) -> list[str]:
    passed_over = {step.key for step in steps if not step.graded}
    return [state for key, state in states.items() if key not in passed_over]
