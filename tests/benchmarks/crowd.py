"""Many students at once, without browsers: real websocket sessions in one event loop."""

import asyncio
import random
import time
from dataclasses import dataclass, field

from tests.live.websocket import Visitor

OPENING = 8  # how many pages are asked for at a time


@dataclass
class Outcome:
    """What became of a crowd.

    Attributes:
        opened: seconds that each page took to open.
        answered: milliseconds that each answer took.
        lost: answers that did not hold what was asked for.
    """

    opened: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    lost: int = 0


async def gather_crowd(
    port: int, size: int, outcome: Outcome, kind: type[Visitor] = Visitor
) -> list[Visitor]:
    """Open `size` sessions, a few at a time."""
    gate = asyncio.Semaphore(OPENING)

    async def one() -> Visitor:
        async with gate:
            begin = time.perf_counter()
            visitor = await kind(port).open()
            outcome.opened.append(time.perf_counter() - begin)
            return visitor

    return list(await asyncio.gather(*(one() for _ in range(size))))


async def work(crowd: list[Visitor], seconds: int, outcome: Outcome, seed: int = 1) -> None:
    """Let each visitor move a control once a second, and compare every answer with the question."""

    async def student(visitor: Visitor, rng: random.Random) -> None:
        await asyncio.sleep(rng.random())
        for _ in range(seconds):
            begin = time.perf_counter()
            chosen = rng.choice([h for h in (1, 2, 3, 4) if visitor.width != str(12 // h)])
            await visitor.choose(chosen)
            outcome.answered.append(1e3 * (time.perf_counter() - begin))
            outcome.lost += visitor.width != str(12 // chosen)
            await asyncio.sleep(max(0.0, 1 - (time.perf_counter() - begin)))

    await asyncio.gather(*(student(v, random.Random(seed + i)) for i, v in enumerate(crowd)))


def leave(crowd: list[Visitor]) -> None:
    """Close every line, as a student who closes the tab."""
    for visitor in crowd:
        visitor.close()
