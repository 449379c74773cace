"""What does a class cost: start, memory, processor time, and how long does each wait?"""

import asyncio

from tests.benchmarks.crowd import Outcome, gather_crowd, leave, work
from tests.benchmarks.figures import Figure, median, p95
from tests.benchmarks.raw import RawVisitor
from tests.benchmarks.serving import Running, raw_serve, widget_serve
from tests.live.websocket import Visitor


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures for 1, 50 and 200 sessions, one process and two."""
    sizes, seconds = ([1, 20], 5) if quick else ([1, 50, 200], 15)
    figures = _against_raw(sizes[-1], seconds, rounds=1 if quick else 3)
    for processes in (1, 2):
        with widget_serve("--num-procs", str(processes)) as server:
            figures += asyncio.run(_classes(server, processes, sizes, seconds))
            if server.errors:
                raise SystemExit(b"".join(server.lines).decode())
    return figures


def _against_raw(size: int, seconds: int, rounds: int) -> list[Figure]:
    """Measure a class of the lesson beside one of plain Bokeh, in turns."""
    cost: dict[str, list[float]] = {"lesson": [], "raw": []}
    late, alone = [], []
    with widget_serve() as lesson, raw_serve() as raw:
        for _ in range(rounds):
            alone += asyncio.run(_class(lesson, 1, seconds, Visitor))[1]
            for name, server, kind in (("lesson", lesson, Visitor), ("raw", raw, RawVisitor)):
                took, answered = asyncio.run(_class(server, size, seconds, kind))
                cost[name].append(took)
                if name == "lesson":
                    late.append(p95(answered))
        if lesson.errors or raw.errors:
            raise SystemExit(b"".join([*lesson.lines, *raw.lines]).decode())
    return [
        Figure(
            group="server",
            name=f"processor time of 100 answers, {size} sessions",
            value=median(cost["lesson"]),
            unit="s",
            against="plain Bokeh with a third of the content",
            reference=median(cost["raw"]),
            limit=1.15,
        ),
        Figure(
            group="server",
            name=f"answer, 95th percentile, {size} sessions",
            value=median(late),
            unit="ms",
            against="one session alone, median",
            reference=median(alone),
            limit=10.0,
        ),
    ]


async def _class(
    server: Running, size: int, seconds: int, kind: type[Visitor]
) -> tuple[float, list[float]]:
    """Let a class work; give seconds of processor time per 100 answers, and each answer's ms."""
    crowd = await gather_crowd(server.port, size, Outcome(), kind)
    await work(crowd, 2, Outcome())  # the first answers of a page set it up
    outcome, cpu = Outcome(), server.cpu()
    await work(crowd, seconds, outcome)
    cpu = server.cpu() - cpu
    leave(crowd)
    if outcome.lost:
        raise SystemExit(f"{outcome.lost} updates of {size} sessions were lost")
    return 100 * cpu / len(outcome.answered), outcome.answered


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
