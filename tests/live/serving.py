"""The lesson's server in the test's own process, and a loop to talk to it from."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from attention_widget.widgets.live.server import ServerSettings, make_server

PATIENCE = 180  # s


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[tuple[int, Any]]:
    """Serve on a free port; give the port and Bokeh's server."""
    server = make_server(ServerSettings(port=0, address="localhost"))
    server.start()
    try:
        yield server.port, server
    finally:
        server.stop()
        await server._http.close_all_connections()


def play(scenario: Coroutine[Any, Any, Any]) -> Any:
    """Run a scenario, which must not hang, on a thread that has no loop of a browser test."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(scenario, PATIENCE)).result()
