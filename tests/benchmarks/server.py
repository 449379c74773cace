"""What does a class cost: start, memory, processor time, and how long does each wait?"""

import asyncio

from tests.benchmarks.crowd import Outcome, gather_crowd, leave, work
from tests.benchmarks.figures import Figure, median, p95
from tests.benchmarks.serving import Running, widget_serve


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures for 1, 50 and 200 sessions, one process and two."""
    sizes, seconds = ([1, 20], 5) if quick else ([1, 50, 200], 15)
    figures: list[Figure] = []
    for processes in (1, 2):
        with widget_serve("--num-procs", str(processes)) as server:
            figures += asyncio.run(_classes(server, processes, sizes, seconds))
            if server.errors:
                raise SystemExit(b"".join(server.lines).decode())
    return figures


async def _classes(server: Running, processes: int, sizes: list[int], seconds: int) -> list[Figure]:
    many = "one process" if processes == 1 else f"{processes} processes"
    await gather_crowd(server.port, 1, Outcome())  # the first page fills what all share
    idle = server.memory()
    alone = 0.0
    figures = []
    if processes == 1:
        figures.append(
            Figure(
                group="server",
                name="start to first page",
                value=server.started_in,
                unit="s",
                against="the first page alone",
                reference=server.started_in,
            )
        )
    for size in sizes:
        outcome, before = Outcome(), server.memory()
        crowd = await gather_crowd(server.port, size, outcome)
        full = server.memory()
        cpu = server.cpu()
        await work(crowd, seconds, outcome)
        cpu = server.cpu() - cpu
        leave(crowd)
        if outcome.lost or len(outcome.answered) != size * seconds:
            raise SystemExit(f"{outcome.lost} updates of {size} sessions were lost")
        alone = alone or median(outcome.answered)

        def figure(
            what: str, value: float, unit: str, against: str, reference: float, size: int = size
        ) -> Figure:
            return Figure(
                group="server",
                name=f"{what}, {size} sessions, {many}",
                value=value,
                unit=unit,
                against=against,
                reference=reference,
            )

        one = "one session, median"
        figures += [
            figure("answer, median", median(outcome.answered), "ms", one, alone),
            figure("answer, 95th percentile", p95(outcome.answered), "ms", one, alone),
            figure("page opened, median", 1e3 * median(outcome.opened), "ms", one, alone),
            figure(
                "processor time of 100 interactions",
                100 * cpu / len(outcome.answered),
                "s",
                "the time they took",
                seconds * 100 / len(outcome.answered),
            ),
        ]
        if size > 1:
            figures.append(
                figure("memory of a session", (full - before) / size, "MiB", "idle server", idle)
            )
    return figures
