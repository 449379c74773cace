"""How is progress painted, so that focus is never lost: which slots hold what?

The page's elements stay; slots change their texts and attributes only. The checkpoint's slots come
in layers (step by state, step by place, counts), so that a recording can hold each as a table.
"""

from collections.abc import Sequence

from attention_widget.widgets.checkpoint import words
from attention_widget.widgets.checkpoint.machine import (
    FIRST,
    SPARED,
    Progress,
    Step,
    completion,
    done,
    earned,
    finished,
    first_tries,
    mastery,
    opens,
    questions,
)
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.section.section import Slots
from attention_widget.widgets.section.terms import with_terms, without_terms

PLACES = ("locked", "open", "earned", "current", "current-earned")


def render_checkpoint(progress: Progress, steps: Sequence[Step], announcement: str = "") -> Slots:
    """Return every slot of the checkpoint; `announcement` is of the last action."""
    paint: Slots = {}
    for n, step in enumerate(steps):
        paint |= render_state(step, progress.states[n])
        paint |= render_place(n, place_of(progress, n, steps), steps)
    return (
        paint
        | render_outlines(steps[progress.at], progress.states[progress.at])
        | render_counts(done(progress, steps), count_of(steps))
        | render_firsts(first_tries(progress, steps), questions(progress, steps))
        | {
            "checkpoint.announcement": announcement,
            "checkpoint.record": {
                "value": to_text(progress, steps),
                "completion": completion(progress, steps),
                "mastery": mastery(progress, steps),
            },
        }
    )


def count_of(steps: Sequence[Step]) -> int:
    """Count the steps that are graded."""
    return sum(step.graded for step in steps)


def number_of(n: int, steps: Sequence[Step]) -> int:
    """Return the number, from 1, of the graded step at place `n`."""
    return count_of(steps[: n + 1])


def announcement_of(
    before: Progress, after: Progress, answered: bool, steps: Sequence[Step]
) -> str:
    """Say what an action that opened no step did; empty when it did nothing to the checkpoint."""
    state = after.states[after.at]
    if before.at != after.at or (before.states[before.at] == state and not answered):
        return ""
    end = ""
    if finished(after, steps) and not finished(before, steps):
        end = f" {closing(count_of(steps))}"
    return state_announcement(after.at, state, steps) + end


def state_announcement(n: int, state: str, steps: Sequence[Step]) -> str:
    """Return what is announced when step `n` enters `state`."""
    text = without_terms(steps[n].view(state).announcement)
    if not earned(state):
        return text
    return done_text(number_of(n, steps), count_of(steps), text)


def done_text(number: int, total: int, text: str) -> str:
    """Return what is said when the graded step `number` is earned."""
    return words.STEP_DONE.format(step=number, steps=total, text=text)


def opening_announcement(n: int, state: str, steps: Sequence[Step]) -> str:
    """Return what is announced when step `n`, which is in `state`, is opened."""
    text = state_announcement(n, state, steps)
    return text if earned(state) else f"{opening(n, steps)} {text}".strip()


def opening(n: int, steps: Sequence[Step]) -> str:
    """Return what is said first when step `n` is opened; "" where it has no number."""
    if not steps[n].graded:
        return ""
    return opened_text(number_of(n, steps), count_of(steps))


def opened_text(number: int, total: int) -> str:
    """Return what is said first when the graded step `number` is opened."""
    return words.STEP_OPENED.format(step=number, steps=total)


def closing(count: int) -> str:
    """Return the sentence for all steps done."""
    return words.ALL_DONE.format(steps=count)


def place_of(progress: Progress, n: int, steps: Sequence[Step]) -> str:
    """Return where step `n` stands, one of `PLACES`."""
    here, has = progress.at == n, earned(progress.states[n])
    if here:
        return "current-earned" if has else "current"
    return "earned" if has else "open" if opens(progress, n, steps) else "locked"


def render_state(step: Step, state: str) -> Slots:
    """Render what depends on one step's state alone."""
    view = step.view(state)
    missed = earned(state) and not state.startswith((FIRST, SPARED)) and step.look_again
    again = words.LOOK_AGAIN.format(title=step.title, where=step.look_again) if missed else ""
    paint: Slots = {
        f"checkpoint.wanted.{step.key}": with_terms(view.wanted),
        f"checkpoint.notes.{step.key}": [
            ["p", {"class": "note-line", "data-kind": kind}, *with_terms(text)]
            for kind, text in view.notes
        ],
        f"checkpoint.picture.{step.key}": list(view.picture),
        f"checkpoint.asking.{step.key}": {"hidden": not view.asks},
        f"checkpoint.go.{step.key}": {"hidden": not view.go},
    }
    if step.graded:
        paint[f"checkpoint.again.{step.key}"] = again
    if any(not field.options for field in step.fields):
        paint[f"checkpoint.limit.{step.key}"] = {"max": str(view.top) if view.asks else ""}
    return paint


def render_outlines(step: Step, state: str) -> Slots:
    """Render the cells that the map outlines for the current step."""
    cells = step.view(state).outlined
    return {
        "source:map.outlines.x": [column + 0.5 for _, column in cells],
        "source:map.outlines.y": [row + 0.5 for row, _ in cells],
    }


def render_place(n: int, place: str, steps: Sequence[Step]) -> Slots:
    """Render what depends on where step `n` stands."""
    key, current, has = steps[n].key, place.startswith("current"), place.endswith("earned")
    paint: Slots = {f"checkpoint.body.{key}": {"hidden": not current}}
    if n + 1 < len(steps):
        paint[f"checkpoint.next.{key}"] = {"hidden": not has and steps[n].graded}
    if steps[n].graded:
        word = "done" if has else "locked" if place == "locked" else "to do"
        paint |= {
            f"checkpoint.step.{key}": {"data-state": place},
            f"checkpoint.open.{key}": {
                "aria-current": "step" if current else None,
                "aria-disabled": "true" if place == "locked" else None,
            },
            f"checkpoint.tick.{key}": "✓" if has else str(number_of(n, steps)),
            f"checkpoint.status.{key}": words.STATUS[word],
        }
    return paint


def render_counts(count: int, total: int) -> Slots:
    """Render what depends on how many steps are earned."""
    told = words.STEPS_DONE.format(done=count, steps=total)
    return {
        "checkpoint.progress": {"value": count, "max": total, "aria-valuetext": told},
        "checkpoint.score": told,
        "checkpoint.closing": closing(total) if count == total else "",
        "checkpoint.end": {"hidden": count < total},
    }


def render_firsts(count: int, asked: int) -> Slots:
    """Render how many of the questions that were asked were right at once."""
    return {"checkpoint.firsts": words.FIRSTS.format(count=count, questions=asked)}
