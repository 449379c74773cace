"""Heads that learned: what do trained heads look at, and what breaks without them?"""

from attention_widget.models.learned.roles import head_name, heads
from attention_widget.models.learned.vocabulary import (
    ARTICLE,
    OTHERS,
    PLACES,
    PLURAL,
    SINGULAR,
    VERBS_OF_MANY,
    VERBS_OF_ONE,
)
from attention_widget.widgets.labs.learned.figure import build_learned_map, build_training_figure
from attention_widget.widgets.labs.learned.guesses import QUESTIONS, RENDER_GUESSES
from attention_widget.widgets.labs.learned.maps import RENDER_LIVE, RENDER_RECORDED
from attention_widget.widgets.labs.learned.state import (
    SENTENCES,
    GuessState,
    LiveViewState,
    RecordedViewState,
    SubjectState,
    TrainingState,
    switch_name,
)
from attention_widget.widgets.labs.learned.subject import render_subject
from attention_widget.widgets.labs.learned.training import RENDER_TRAINING
from attention_widget.widgets.section.section import Section
from attention_widget.widgets.section.tab import Tab


def learned_sections(recorded: bool) -> list[Section]:
    """Make the sections "guess", "learned", "training" and "subject"."""
    view, render = (
        (RecordedViewState(), RENDER_RECORDED) if recorded else (LiveViewState(), RENDER_LIVE)
    )
    return [
        Section("guess", GuessState(), RENDER_GUESSES),
        Section("learned", view, render, recorded=recorded),
        Section("training", TrainingState(), RENDER_TRAINING),
        Section("subject", SubjectState(), render_subject),
    ]


LEARNED = Tab(
    name="learned",
    template="labs/learned/tab.html",
    title="Heads that learned",
    sections=learned_sections,
    figures=lambda: [build_learned_map("learned"), build_training_figure("training")],
    words={
        "questions": [question.name for question in QUESTIONS],
        "sentences": SENTENCES,
        "layers": [
            [(head_name(head), switch_name(head)) for head in heads() if head[0] == layer]
            for layer in (0, 1)
        ],
        "vocabulary": (
            ("nouns", (*SINGULAR, *PLURAL)),
            ("verbs", (*VERBS_OF_ONE, *VERBS_OF_MANY)),
            ("others", (ARTICLE, *PLACES, *OTHERS)),
        ),
    },
)
