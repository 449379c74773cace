"""Is the memory of a student who has gone free for the next one?"""

import asyncio

from tests.benchmarks.crowd import Outcome, gather_crowd, leave
from tests.benchmarks.figures import Figure
from tests.benchmarks.serving import LESSON, Running, panel_serve

SOON = ("--unused-session-lifetime", "500", "--check-unused-sessions", "500")
WAVE = 50
SETTLED = 13  # s: a session is unused after half a second; Panel collects 5 to 10 s after the last


def measure(*, quick: bool) -> list[Figure]:
    """Open and close sessions in waves; compare the memory with that after the first wave."""
    waves = 3 if quick else 10
    with panel_serve(LESSON, *SOON) as server:
        after = asyncio.run(_waves(server, waves))
    total = waves * WAVE
    return [
        Figure(
            group="memory",
            name=f"after {total} sessions opened and closed",
            value=after[-1],
            unit="MiB",
            against=f"after the first {WAVE}",
            reference=after[0],
            limit=1.1,
        ),
        Figure(
            group="memory",
            name=f"most, after any wave of {WAVE}",
            value=max(after),
            unit="MiB",
            against=f"after the first {WAVE}",
            reference=after[0],
        ),
    ]


async def _waves(server: Running, waves: int) -> list[float]:
    after = []
    for _ in range(waves):
        crowd = await gather_crowd(server.port, WAVE, Outcome())
        for visitor in crowd:
            await visitor.act({"set": {"map.causal": True}, "last": "map.causal", "seq": 1})
        leave(crowd)
        await asyncio.sleep(SETTLED)
        after.append(server.memory())
    return after
