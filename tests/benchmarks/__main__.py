"""Measure: `python -m tests.benchmarks [groups] [--quick] [--json FILE]`."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from tests.benchmarks.figures import Figure, as_json, machine, table

GROUPS = {
    "core": "one layer, tiles against dense, the whole recording",
    "page": "control to painted, and bytes on the wire",
    "saving": "control to painted while a learning system stops the page for every save",
    "load": "weight, requests and time until the first control works on a slow line",
    "slow": "an arrow key held on a very slow line",
    "server": "start, memory, processor and latency with up to 200 sessions",
    "memory": "500 sessions opened and closed",
}


def main() -> int:
    """Run the groups and print the table; 1 when a line is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    listed = "; ".join(f"{name}: {what}" for name, what in GROUPS.items())
    parser.add_argument("groups", nargs="*", help=f"all when left out. {listed}")
    parser.add_argument("--quick", action="store_true", help="fewer repeats and sessions")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    options = parser.parse_args()
    unknown = set(options.groups) - set(GROUPS)
    if unknown:
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    where = machine()
    print("; ".join(f"{key} {value}" for key, value in where.items()), flush=True)
    figures: list[Figure] = []
    for name in options.groups or GROUPS:
        print(f"measuring {name}: {GROUPS[name]}", file=sys.stderr, flush=True)
        figures += import_module(f"tests.benchmarks.{name}").measure(quick=options.quick)
    print(table(figures))
    if options.json:
        options.json.write_text(as_json(figures, where), encoding="utf-8")
    return int(any(figure.meets is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
