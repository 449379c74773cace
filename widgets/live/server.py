"""How is the live lesson served to a class: who may frame it, and who may talk to it?"""

import errno
import re
import socket
from dataclasses import dataclass
from typing import Any

from bokeh.settings import settings as bokeh_settings
from bokeh.util.token import generate_secret_key
from panel.io.server import get_server

from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.live.message_filter import guard_routes
from attention_widget.widgets.live.page import serve_page
from attention_widget.widgets.live.static_files import static_patterns
from attention_widget.widgets.page.markup import DEFAULT_SCORE

ORIGIN = re.compile(r"(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?", re.IGNORECASE)
FRAME = re.compile(r"'self'|'none'|\*|https?://(\*\.)?[a-z0-9.-]+(:\d{1,5})?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Who gets in.

    Attributes:
        port: TCP port; 0 takes a free one.
        address: interface to listen on; None for all.
        origins: hosts (name or name:port) whose pages may open the websocket, besides this one.
        frame_ancestors: origins that may frame the page, CSP source expressions.
        score: which figure a course page gets, a key of `checkpoint.words.SCORES`.
        processes: how many processes share the port; 0 for one a core.
    """

    port: int = 5006
    address: str | None = None
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ("'self'",)
    score: str = DEFAULT_SCORE
    processes: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ValueError(f"the port goes from 0 to 65535: got {self.port}; try 5006")
        for origin in self.origins:
            if not ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"an origin is a host or host:port without a scheme: got {origin!r}; "
                    "try course.example.org"
                )
        for frame in self.frame_ancestors:
            if not FRAME.fullmatch(frame):
                raise ValueError(
                    f"a framing page is 'self', 'none' or scheme://host: got {frame!r}; "
                    "try https://course.example.org"
                )
        if self.score not in SCORES:
            raise ValueError(f"the score is one of {', '.join(SCORES)}: got {self.score!r}")
        if self.processes < 0:
            raise ValueError(f"processes must be 0 or more: got {self.processes}; try 2")


def make_server(settings: ServerSettings) -> Any:
    """Make the Bokeh server, not yet started; the lesson is at /app, / leads to it.

    Raises:
        ValueError: a setting is out of its range.
        OSError: the port is taken, or the address is not of this computer.
    """
    guard_routes()
    try:
        return _server(settings)
    except (OSError, UnicodeError) as error:
        raise OSError(_why_it_cannot_listen(settings, error)) from None


def _server(settings: ServerSettings) -> Any:
    return get_server(
        {"app": lambda: serve_page(settings.score)},
        port=settings.port,
        address=settings.address,
        websocket_origin=list(settings.origins) or None,
        num_procs=settings.processes,
        extra_patterns=static_patterns(),
        compress_response=True,
        frame_ancestors=settings.frame_ancestors,  # read by the handlers of the page
        websocket_compression_level=6,
        unused_session_lifetime_milliseconds=120_000,  # a dropped line may come back within this
        check_unused_sessions_milliseconds=10_000,
        keep_alive_milliseconds=20_000,
        session_token_expiration=3600,
        websocket_max_message_size=1_000_000,
        sign_sessions=True,  # nobody can make up a session, or what its page was asked with
        secret_key=bokeh_settings.secret_key_bytes() or generate_secret_key().encode(),
        include_headers=[],
        include_cookies=[],
    )


def run_server(settings: ServerSettings) -> None:
    """Serve until interrupted."""
    server = make_server(settings)
    server.start()
    print(f"Serving the lesson at http://localhost:{server.port}/app", flush=True)
    server.run_until_shutdown()


def _why_it_cannot_listen(settings: ServerSettings, error: Exception) -> str:
    code = getattr(error, "errno", None)
    if code in (errno.EADDRINUSE, errno.EACCES):
        why = "taken" if code == errno.EADDRINUSE else "not open to this user"
        return (
            f"--port is one that is free: got {settings.port}, which is {why}; "
            "try --port 0, which finds one"
        )
    # A name that is no name at all is a UnicodeError.
    if isinstance(error, (socket.gaierror, UnicodeError)) or code == errno.EADDRNOTAVAIL:
        given = (settings.address or "")[:60]
        return f"--address is one of this computer's: got {given!r}; leave it out to listen on all"
    return str(error)
