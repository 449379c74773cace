"""What can be done from the command line?"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attention.lesson import DEFAULT_SEED, SENTENCE, check_seed, tokenize
from widgets.export import export_html, write_html
from widgets.lesson import PARTS, Lesson
from widgets.markup import MarkupOptions
from widgets.state import MAX_DRAWS, LessonState

DRAWS = 6


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `attention-widget`; 0 when done, 2 when the arguments are refused."""
    options = _parser().parse_args(arguments)
    try:
        run = options.run
        run(options)
    except (ValueError, OSError) as error:
        print(f"attention-widget: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attention-widget", description="The attention lesson, for course pages."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    export = commands.add_parser("export", help="write the lesson as one offline HTML file")
    export.add_argument("file", type=Path, help="for example lesson.html")
    _add_lesson_options(export)
    export.set_defaults(run=_export)
    serve = commands.add_parser("serve", help="serve the live lesson to a class")
    serve.add_argument("--port", type=int, default=5006)
    serve.add_argument("--address", help="interface to listen on; all when left out")
    serve.add_argument(
        "--allow-origin", nargs="+", default=[], metavar="HOST",
        help="hosts whose pages may open the websocket, for example course.example.org",
    )
    serve.add_argument(
        "--allow-frame", nargs="+", default=[], metavar="ORIGIN",
        help="origins that may frame the lesson, for example https://course.example.org",
    )
    serve.add_argument("--num-procs", type=int, default=1, help="processes; 0 for one a core")
    serve.set_defaults(run=_serve)
    return parser


def _add_lesson_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sentence", default=SENTENCE, help="1 to 16 words")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of every random number")
    parser.add_argument("--draws", type=int, default=DRAWS, help="dropout draws to record")
    parser.add_argument(
        "--parts", nargs="+", metavar="PART", help=" ".join(part.name for part in PARTS)
    )


def recorded_page(options: argparse.Namespace) -> str:
    """Fill the table and give the HTML, with a progress bar on standard error.

    Raises:
        ValueError: an option is out of its range.
    """
    if not 1 <= options.draws <= MAX_DRAWS:
        raise ValueError(f"--draws goes from 1 to {MAX_DRAWS}: got {options.draws}; try {DRAWS}")
    lesson = recorded_lesson(options.sentence, options.seed, options.draws, options.parts)
    text = export_html(lesson, MarkupOptions(live=False, draws=options.draws), _bar())
    print(file=sys.stderr)
    return text


def recorded_lesson(
    sentence: str, seed: int, draws: int, parts: Sequence[str] | None = None
) -> Lesson:
    """Make a lesson that can be recorded.

    Raises:
        ValueError: a value is out of its range.
    """
    state = LessonState(sentence=" ".join(tokenize(sentence)), seed=check_seed(seed))
    return Lesson(state, parts=parts, recorded_draws=draws)


def _export(options: argparse.Namespace) -> None:
    text = recorded_page(options)
    write_html(options.file, text)
    print(f"{options.file}: {len(text.encode()) / 1e6:.1f} MB, opens without a network")


class _bar:  # noqa: N801 (used as a function)
    """Draw how far the recording is, at most ten times a second."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + 0.1
        full = round(30 * done / total)
        bar = "#" * full + "." * (30 - full)
        print(f"\rrecording [{bar}] {done} of {total} states", end="", file=sys.stderr)


def _serve(options: argparse.Namespace) -> None:
    from widgets.server import ServerSettings, run_server  # the export needs no server

    run_server(
        ServerSettings(
            port=options.port,
            address=options.address,
            origins=tuple(options.allow_origin),
            frame_ancestors=("'self'", *options.allow_frame),
            processes=options.num_procs,
        )
    )
