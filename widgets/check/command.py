"""How is a student's file checked from the command line?"""

import argparse
from collections.abc import Sequence
from typing import Any

STATUS = "exit status: 0 right, 1 not right or it could not be measured, 2 bad arguments"


def add_check_command(commands: Any) -> None:
    """Add `check` to the command's subparsers."""
    check = commands.add_parser(
        "check", help="measure a student's own attention", epilog=STATUS, allow_abbrev=False
    )
    check.add_argument("target", metavar="FILE:NAME", help="for example mine.py:CausalAttention")
    check.add_argument("--json", action="store_true", help="print the record as JSON")
    check.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="ROLE=YOURS",
        help="what an argument or attribute is called, for example n_heads=how_many",
    )
    check.add_argument("--heads", type=int, help="h of code that does not take it")
    check.add_argument("--seed", type=int, default=0)
    check.add_argument("--limit", type=float, default=30.0, metavar="SECONDS")
    check.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check, print, and return the exit status."""
    from attention_widget.widgets.check.api import check_attention  # other commands need none of it

    found = check_attention(
        options.target,
        names=_pairs(options.name),
        n_heads=options.heads,
        seed=options.seed,
        limit=options.limit,
    )
    print(found.to_json() if options.json else found)
    return 0 if found.passed else 1


def _pairs(given: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for text in given:
        role, equals, name = text.partition("=")
        if not equals or not name:
            raise ValueError(f"--name must be ROLE=YOURS: got {text!r}; try n_heads=how_many")
        pairs[role] = name
    return pairs
