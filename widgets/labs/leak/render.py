"""What does the leak lab say about a run, before, while and after it goes on?"""

import math

from attention_widget.models.leak.runs import LeakConfig, LeakRun
from attention_widget.widgets.labs.leak.figure import HIGHEST, LOWEST
from attention_widget.widgets.labs.leak.run import NEW_WORDS, PROMPT, LeakProgress, Outcome
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.jobs import Report
from attention_widget.widgets.section.section import Slots

ROOM = 1.12  # the step axis goes on behind the last step, for the losses without the future


def render_run(progress: LeakProgress | None) -> Slots:
    """Render what a run has measured so far; empty places before there is one."""
    outcome = progress.outcome if progress else None
    config = progress.config if progress else LeakConfig()
    last = config.steps
    leaky, masked = (progress.leaky, progress.masked) if progress else ((), ())
    return {
        "source:curves.at": list(progress.at) if progress else [],
        "source:curves.leaky": [_rounded(loss) for loss in leaky],
        "source:curves.masked": [_rounded(loss) for loss in masked],
        "source:guess.at": [0, last * ROOM] if outcome else [],
        "source:guess.loss": [_rounded(outcome.masked.unigram_loss)] * 2 if outcome else [],
        "source:leaky.at": [last, last * (1 + ROOM) / 2] if outcome else [],
        "source:leaky.loss": _ends(outcome.leaky) if outcome else [],
        "source:masked.at": [last, last * (1 + ROOM) / 2] if outcome else [],
        "source:masked.loss": _ends(outcome.masked) if outcome else [],
        "model:steps": {"start": 0, "end": last * ROOM},
        "figure": {"aria-label": figure_in_words(progress)},
        "results": {"hidden": outcome is None},
        "rows": _rows(outcome) if outcome else [],
        "leaky-text": outcome.leaky_text if outcome else "",
        "masked-text": outcome.masked_text if outcome else "",
        "prompt": f"Each model goes on from “{PROMPT}” for {NEW_WORDS} words, one at a time.",
        "writing": writing(outcome) if outcome else "",
        "conclusion": conclusion(outcome) if outcome else "",
        "title": f"Measured, seed {config.seed}" if outcome else "Measured",
    }


def conclusion(outcome: Outcome) -> str:
    """Draw the conclusion that these numbers allow, and no other."""
    leaky, masked = outcome.leaky, outcome.masked
    guess = masked.unigram_loss
    parts = []
    if leaky.copyable_loss < masked.copyable_loss:
        parts.append(
            f"On its training input the leaky model’s loss is {loss(leaky.copyable_loss)}, "
            f"{masked.copyable_loss / leaky.copyable_loss:.0f} times smaller than with the mask "
            f"({loss(masked.copyable_loss)})."
        )
    else:
        parts.append(
            "This time the leaky model does not even look better on its training input: "
            f"{loss(leaky.copyable_loss)} against {loss(masked.copyable_loss)}."
        )
    if leaky.absent_loss > guess:
        parts.append(
            f"Take the future away and its loss is {loss(leaky.absent_loss)}, worse than always "
            f"guessing from word counts ({loss(guess)}): it had learned to copy."
        )
    else:
        parts.append(
            f"Take the future away and its loss is {loss(leaky.absent_loss)}; guessing from word "
            f"counts gives {loss(guess)}."
        )
    same = math.isclose(masked.absent_loss, masked.copyable_loss, abs_tol=1e-9)
    parts.append(
        f"The masked model’s loss is {loss(masked.absent_loss)} either way: it never used what is "
        "missing."
        if same
        else f"The masked model’s loss goes to {loss(masked.absent_loss)}."
    )
    if leaky.absent_loss > masked.absent_loss:
        parts.append(
            "So the mask is what keeps the predictions accurate. Training alone did not show it: "
            "the leaky model trained all too well."
        )
    return " ".join(parts)


def writing(outcome: Outcome) -> str:
    """Say at which position a text is written, and what the leaky model is worth there."""
    leaky = outcome.leaky
    *early, end = (loss(float(value)) for value in leaky.absent_losses)
    last = leaky.config.context
    return (
        "Writing never has the answer either. While fewer than "
        f"{last} words stand there, the newest is at a position that learned to copy: with the "
        f"future absent, the loss of the model without a mask at positions 1 to {last - 1} is "
        f"{', '.join(early)}. From {last} words on, the newest is at position {last}, which never "
        f"had its answer and had to learn: {end}."
    )


def status(report: Report | None) -> str:
    """Say where a live run stands."""
    if report is None:
        return "Start trains both models, here on the server. It takes a few seconds."
    done, last = (report.latest.done, report.latest.config.steps) if report.latest else (0, 0)
    if report.phase == "waiting":
        return f"The machine is busy: you are number {report.place} in line. It starts by itself."
    if report.phase == "running":
        return f"Training: step {done} of {last} of each model." if done else "Training begins."
    return {
        "done": f"Done: {last} steps of each model.",
        "cancelled": f"Cancelled after {done} steps. Nothing was measured; start again any time.",
        "failed": "Training broke off with an error. Start again, perhaps with another seed.",
        "refused": "The machine is busy and the line is full. Try again in a minute.",
    }[report.phase]


def figure_in_words(progress: LeakProgress | None) -> str:
    """Describe the curves to who cannot see them."""
    if progress is None or not progress.at:
        return "Training losses of both models: nothing to show yet."
    text = (
        f"Training losses over {progress.done} steps, logarithmic, where the answer is in the "
        f"input: without the mask from {loss(progress.leaky[0])} to {loss(progress.leaky[-1])}, "
        f"with it from {loss(progress.masked[0])} to {loss(progress.masked[-1])} nats per word."
    )
    if progress.outcome:
        leaky, masked = progress.outcome.leaky, progress.outcome.masked
        text += (
            f" Over the whole story: {loss(leaky.copyable_loss)} and {loss(masked.copyable_loss)}; "
            f"the same positions with the future absent: {loss(leaky.absent_loss)} and "
            f"{loss(masked.absent_loss)}."
        )
    return text


def loss(value: float) -> str:
    """Write a loss with as many decimals as a reader needs."""
    return number(value, 2 if value >= 0.1 else 4)


def _rows(outcome: Outcome) -> list[object]:
    leaky, masked = outcome.leaky, outcome.masked
    last = leaky.config.context
    table = (
        (f"Positions 1 to {last - 1}, answer in the input", "copyable_loss"),
        ("The same positions, future absent", "absent_loss"),
        ("Best guess without reading", "unigram_loss"),
    )
    rows = [
        (label, loss(getattr(leaky, name)), loss(getattr(masked, name))) for label, name in table
    ]
    end = (float(leaky.position_losses[-1]), float(masked.position_losses[-1]))
    rows.append((f"Position {last}, answer not in the input", loss(end[0]), loss(end[1])))
    return [
        ["tr", {}, ["th", {"scope": "row"}, label], ["td", {}, without], ["td", {}, with_mask]]
        for label, without, with_mask in rows
    ]


def _ends(run: LeakRun) -> list[float]:
    return [_rounded(run.copyable_loss), _rounded(run.absent_loss)]


def _rounded(value: float) -> float:
    return float(f"{min(HIGHEST, max(LOWEST, value)):.4g}")
