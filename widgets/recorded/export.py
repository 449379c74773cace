"""How does the lesson become one file that needs no server, no network and no Python?"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

from bokeh.resources import Resources

from attention_widget.widgets.checkpoint.transition_table import transition_table
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.page.figures import plot_items
from attention_widget.widgets.page.markup import TITLE, MarkupOptions, fill, skeleton
from attention_widget.widgets.page.scripts import page_scripts
from attention_widget.widgets.page.start import start_markup
from attention_widget.widgets.page.style import page_style
from attention_widget.widgets.recorded.lookup_table import Progress, axes_of, record_section, share
from attention_widget.widgets.recorded.options import WORDS, LessonOptions
from attention_widget.widgets.section.controls import Control, Text
from attention_widget.widgets.section.section import Section
from attention_widget.widgets.section.wording import shown

HOST = (
    "recorded/scorm/find.js",
    "recorded/scorm/store.js",
    "recorded/options.js",
    "checkpoint/transition_table.js",
    "recorded/player.js",
)
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' blob: data:; "
    "style-src 'unsafe-inline' data: blob:; img-src data: blob:; font-src data:; "
    "connect-src data: blob:"
)


def export_html(
    lesson: Lesson, draws: int, options: LessonOptions, data: dict[str, Any], title: str = TITLE
) -> str:
    """Return the whole recorded lesson as one HTML document.

    Args:
        lesson: made with `recorded_draws`.
        draws: how many.
        options: a teacher's choices.
        data: from `record`.
        title: of the document.
    """
    data = data | {"sections": [share(table) for table in data["sections"]]}
    body = skeleton(lesson, MarkupOptions(live=False, draws=draws, score=options.score))
    return _document(title, body, options.as_json(), data)


def record(lesson: Lesson, progress: Progress = lambda done, total: None) -> dict[str, Any]:
    """Return everything the player needs, as JSON.

    Args:
        lesson: made with `recorded_draws`.
        progress: called with (states done, states in all).

    Raises:
        ValueError: a section cannot be recorded; see `record_section`.
    """
    figures = plot_items(tuple(part.name for part in lesson.tabs))
    sizes = {name: _states(section) for name, section in lesson.sections.items()}
    total, done, tables = sum(sizes.values()), 0, []
    for name, section in lesson.sections.items():
        table = record_section(section, _shifted(progress, done, total))
        for axis in table["axes"]:
            axis["problem"] = problem_template(section.control(axis["name"]))
        live = [c.name for c in section.state.controls() if isinstance(c, Text)]
        table |= {"live": live, "words": {"live": LIVE_ONLY}}
        tables.append(table)
        done += sizes[name]
    seen = next(t for t in tables if t["name"] == "map")["slots"]["map.observation"]["pool"]
    checkpoint = transition_table(map(Observation.from_text, seen), lesson.checkpoint.steps)
    return {"figures": figures, "sections": tables, "checkpoint": checkpoint, "options": WORDS}


LIVE_ONLY = "This file was recorded, so {name} cannot be changed here; a live page takes it."


def problem_template(control: Control) -> str:
    """Return the message for a value that was not recorded, with {given} for what was asked."""
    probe = "\ufffd"
    try:
        control.parse(probe)
    except ValueError as error:
        return str(error).replace(shown(probe), "“{given}”")
    raise AssertionError(f"{control.name} takes anything")


def check_target(path: Path) -> None:
    """Try whether a file can be written there, before the work that fills it.

    Raises:
        ValueError: it is a folder, or in a folder that does not exist.
        OSError: it cannot be written.
    """
    if os.path.isdir(path):  # never raises, unlike the method
        raise ValueError(f"the target is a file: got the folder {str(path)!r}; name a file in it")
    if not os.path.isdir(path.parent):
        raise ValueError(
            f"the file goes into a folder that exists: got {str(path)!r}; "
            f"make {str(path.parent)!r} first"
        )
    with _part(path) as part:
        part.write_bytes(b"")


def write_whole(path: Path, data: bytes) -> None:
    """Write the file whole or not at all, and leave nothing beside it.

    Raises:
        OSError: it cannot be written.
    """
    with _part(path) as part:
        part.write_bytes(data)
        part.replace(path)


@contextmanager
def _part(path: Path) -> Iterator[Path]:
    part = path.with_name(path.name + ".part")
    try:
        try:
            yield part
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(
            f"the file must be one that can be written: got {str(path)!r} ({error.strerror}); "
            "name another place"
        ) from None


def embedded_json(data: object) -> str:
    """Return JSON that cannot end the script element it stands in, whatever the texts say."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    def moved(done: int, _: int) -> None:
        progress(before + done, total)

    return moved


def _states(section: Section) -> int:
    return prod(len(axis.values) for axis in axes_of(section))


def _document(title: str, body: str, options: dict[str, Any], data: dict[str, Any]) -> str:
    bokeh = "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)
    return fill(
        "recorded/page.html",
        title=title,
        policy=POLICY,
        start=start_markup(live=False),
        style=page_style(),
        body=body,
        options=embedded_json(options),
        data=embedded_json(data),
        bokeh=bokeh.replace("</script", "<\\/script"),
        scripts=page_scripts(*HOST),
    )
