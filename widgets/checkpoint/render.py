"""How is progress painted, so that focus is never lost: which slots hold what?

The page's elements stay; slots change their texts and attributes only. The checkpoint's slots come
in layers (step by state, step by place, counts), so that a recording can hold each as a table.
"""

from collections.abc import Sequence

from attention_widget.widgets.checkpoint.machine import (
    Progress,
    Step,
    View,
    completion,
    done,
    earned,
    finished,
    first_tries,
    mastery,
    opens,
    to_text,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.section.section import Slots

RESTARTED = "The checkpoint starts over at step 1."
PLACES = ("locked", "open", "earned", "current", "current-earned")


def render_checkpoint(
    progress: Progress, announcement: str = "", steps: Sequence[Step] = STEPS
) -> Slots:
    """Return every slot of the checkpoint; `announcement` is of the last action."""
    paint: Slots = {}
    for n, step in enumerate(steps):
        paint |= render_state(step, progress.states[n])
        paint |= render_place(n, place_of(progress, n), steps)
    return (
        paint
        | render_counts(done(progress), len(steps))
        | render_firsts(first_tries(progress), steps)
        | {
            "checkpoint.announcement": announcement,
            "checkpoint.record": {
                "value": to_text(progress),
                "completion": completion(progress),
                "mastery": mastery(progress, steps),
            },
        }
    )


def announcement_of(
    before: Progress, after: Progress, answered: bool, steps: Sequence[Step] = STEPS
) -> str:
    """Say what an action that opened no step did; empty when it did nothing to the checkpoint."""
    state = after.states[after.at]
    if before.at != after.at or (before.states[before.at] == state and not answered):
        return ""
    end = f" {closing(len(steps))}" if finished(after) and not finished(before) else ""
    return state_announcement(after.at, state, steps) + end


def state_announcement(n: int, state: str, steps: Sequence[Step] = STEPS) -> str:
    """Return what is announced when step `n` enters `state`."""
    text = steps[n].view(state).announcement
    return f"Step {n + 1} of {len(steps)} done. {text}" if earned(state) else text


def closing(count: int) -> str:
    """Return the sentence for all steps done."""
    return f"All {count} steps are done."


def place_of(progress: Progress, n: int) -> str:
    """Return where step `n` stands, one of `PLACES`."""
    here, has = progress.at == n, earned(progress.states[n])
    if here:
        return "current-earned" if has else "current"
    return "earned" if has else "open" if opens(progress, n) else "locked"


def render_state(step: Step, state: str) -> Slots:
    """Render what depends on one step's state alone."""
    view = step.view(state)
    paint: Slots = {
        f"checkpoint.wanted.{step.key}": view.wanted,
        f"checkpoint.notes.{step.key}": [
            ["p", {"class": "note-line", "data-kind": kind}, text] for kind, text in view.notes
        ],
        f"checkpoint.bars.{step.key}": _bars(view),
    }
    if step.fields:
        taken = bool(step.answers(state)) and not earned(state)
        paint[f"checkpoint.check.{step.key}"] = {"aria-disabled": "false" if taken else "true"}
        if any(not field.options for field in step.fields):
            paint[f"checkpoint.limit.{step.key}"] = {"max": str(view.top) if taken else ""}
    return paint


def render_place(n: int, place: str, steps: Sequence[Step] = STEPS) -> Slots:
    """Render what depends on where step `n` stands."""
    key, current, has = steps[n].key, place.startswith("current"), place.endswith("earned")
    word = "done" if has else "locked: finish the steps before it" if place == "locked" else "to do"
    on = {f"checkpoint.next.{key}": {"hidden": not has}} if n + 1 < len(steps) else {}
    return on | {
        f"checkpoint.step.{key}": {
            "data-state": place,
            "aria-current": "step" if current else None,
        },
        f"checkpoint.open.{key}": {
            "aria-expanded": "true" if current else "false",
            "aria-disabled": "true" if place == "locked" else None,
        },
        f"checkpoint.tick.{key}": "✓" if has else str(n + 1),
        f"checkpoint.status.{key}": f" ({word})",
        f"checkpoint.body.{key}": {"hidden": not current},
    }


def render_counts(count: int, total: int) -> Slots:
    """Render what depends on how many steps are earned."""
    return {
        "checkpoint.progress": {"value": count, "max": total},
        "checkpoint.score": f"{count} of {total} steps done",
        "checkpoint.closing": closing(total) if count == total else "",
    }


def render_firsts(count: int, steps: Sequence[Step] = STEPS) -> Slots:
    """Render how many questions were right at once."""
    asked = sum(bool(step.fields) for step in steps)
    return {"checkpoint.firsts": f"{count} of {asked} questions right at the first try"}


def _bars(view: View) -> list[object]:
    if not view.rows:
        return []
    rows = [
        [
            "li",
            {},
            ["span", {}, f"row {n}"],
            ["i", {"class": "bar", "data-level": v / 100, "aria-hidden": "true"}],
            ["span", {}, f"{v} %" if v else "unchanged"],
        ]
        for n, v in enumerate(view.rows, start=1)
    ]
    return [["ul", {"class": "row-bars"}, *rows]]
