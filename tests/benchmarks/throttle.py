"""A line with a speed and a delay, and with a meter: TCP from one port to another, in a thread."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

CHUNK = 4096
WINDOW = 65536  # bytes on their way after which the sender has to wait


@dataclass
class Way:
    """One direction of a line that all its connections share.

    Attributes:
        rate: bytes a second; 0 for no limit.
        delay: seconds that a byte is on its way.
        carried: bytes so far.
    """

    rate: float
    delay: float
    carried: int = 0
    free: float = 0.0

    def arrival(self, size: int) -> float:
        """Put `size` bytes on the line; give the time when they arrive."""
        self.carried += size
        self.free = max(self.free, time.monotonic()) + (size / self.rate if self.rate else 0.0)
        return self.free + self.delay


class SlowLine:
    """Forwards TCP to `to_port`.

    Args:
        to_port: of a server on this machine.
        rate: bits a second each way; 0 for no limit.
        round_trip: seconds there and back.
        port: its own; 0 takes a free one.
    """

    def __init__(self, to_port: int, rate: float = 0, round_trip: float = 0, port: int = 0) -> None:
        self.to_port, self.round_trip, self.port = to_port, round_trip, port
        self.up, self.down = (Way(rate / 8, round_trip / 2) for _ in range(2))
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(10)

    @property
    def carried(self) -> int:
        """Bytes both ways so far."""
        return self.up.carried + self.down.carried

    def slow_down(self, rate: float, round_trip: float) -> None:
        """Change the line's speed and delay for what is sent from now on, as in `SlowLine`."""
        self.round_trip = round_trip
        for way in (self.up, self.down):
            way.rate, way.delay = rate / 8, round_trip / 2

    def close(self) -> None:
        """Cut every connection."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._accept, "127.0.0.1", self.port)
        )
        self.port = int(server.sockets[0].getsockname()[1])
        self._ready.set()
        self._loop.run_forever()
        server.close()
        self._loop.set_exception_handler(lambda loop, context: None)  # what is cut now is meant so
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    async def _accept(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.CancelledError):  # the line was closed
            await asyncio.sleep(self.round_trip)  # the handshake
            far, to_far = await asyncio.open_connection("127.0.0.1", self.to_port)
            await asyncio.gather(
                self._carry(near, to_far, self.up), self._carry(far, to_near, self.down)
            )

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: Way
    ) -> None:
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(WINDOW // CHUNK)

        async def deliver() -> None:
            with contextlib.suppress(OSError):
                while True:
                    at, data = await queue.get()
                    await asyncio.sleep(max(0.0, at - time.monotonic()))
                    if not data:
                        break
                    sink.write(data)
                    await sink.drain()
            sink.close()

        task = asyncio.ensure_future(deliver())
        with contextlib.suppress(OSError):
            while data := await source.read(CHUNK):
                await queue.put((way.arrival(len(data)), data))
        await queue.put((way.arrival(0), b""))
        await task


@contextlib.contextmanager
def slow_line(
    to_port: int, rate: float = 0, round_trip: float = 0, port: int = 0
) -> Iterator[SlowLine]:
    """Return a line and close it afterwards."""
    line = SlowLine(to_port, rate, round_trip, port)
    try:
        yield line
    finally:
        line.close()
