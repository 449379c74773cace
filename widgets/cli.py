"""What can be done from the command line?"""

import argparse
import sys
from collections.abc import Sequence

from attention_widget.widgets.check.command import add_check_command
from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.page.markup import DEFAULT_SCORE
from attention_widget.widgets.recorded.commands import add_course_commands


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `attention-widget`; 0 when done, 1 when a check fails, 2 when arguments are refused."""
    options = _parser().parse_args(arguments)
    try:
        run = options.run
        status = run(options)
    except (ValueError, OSError) as error:
        print(f"attention-widget: {error}", file=sys.stderr)
        return 2
    return status or 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="attention-widget", description="The attention lesson, for course pages."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    add_course_commands(commands)
    add_check_command(commands)
    serve = commands.add_parser("serve", help="serve the live lesson to a class")
    serve.add_argument("--port", type=int, default=5006)
    serve.add_argument("--address", help="interface to listen on; all when left out")
    serve.add_argument(
        "--allow-origin",
        nargs="+",
        default=[],
        metavar="HOST",
        help="hosts whose pages may open the websocket, for example course.example.org",
    )
    serve.add_argument(
        "--allow-frame",
        nargs="+",
        default=[],
        metavar="ORIGIN",
        help="origins that may frame the lesson, for example https://course.example.org",
    )
    serve.add_argument(
        "--score",
        default=DEFAULT_SCORE,
        choices=tuple(SCORES),
        help="what a course page gets: the share of questions mastered, or of steps done",
    )
    serve.add_argument("--num-procs", type=int, default=1, help="processes; 0 for one a core")
    serve.set_defaults(run=_serve)
    return parser


def _serve(options: argparse.Namespace) -> None:
    from attention_widget.widgets.live.server import (  # the export needs no server
        ServerSettings,
        run_server,
    )

    run_server(
        ServerSettings(
            port=options.port,
            address=options.address,
            origins=tuple(options.allow_origin),
            frame_ancestors=("'self'", *options.allow_frame),
            score=options.score,
            processes=options.num_procs,
        )
    )
