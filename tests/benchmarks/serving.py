"""How is a server started for a measurement, and what does it take?"""

import contextlib
import gzip
import http.server
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from tests.browser.conftest import free_port

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PLAIN, NAIVE, LESSON = HERE / "plain_app.py", HERE / "naive_app.py", ROOT / "app.py"


class Running:
    """A server process and its children.

    Attributes:
        port: where it answers.
        started_in: seconds from its start to its first page.
    """

    def __init__(self, command: list[str], port: int, path: str) -> None:
        begin = time.perf_counter()
        self.port, self.url = port, f"http://localhost:{port}/{path}"
        self.process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.lines: list[bytes] = []
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            try:
                urllib.request.urlopen(self.url, timeout=30).close()
                break
            except OSError:
                if self.process.poll() is not None or time.perf_counter() > begin + 90:
                    raise SystemExit(b"".join(self.lines).decode()) from None
                time.sleep(0.05)
        self.started_in = time.perf_counter() - begin

    def _read(self) -> None:
        assert self.process.stdout
        self.lines += self.process.stdout

    @property
    def errors(self) -> int:
        """How many lines of its log speak of an error."""
        return sum(b"ERROR" in line or b"Traceback" in line for line in self.lines)

    def pids(self) -> list[int]:
        """Return the process and its children."""
        with contextlib.suppress(OSError):
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
            return [self.process.pid, *map(int, children.read_text().split())]
        return [self.process.pid]

    def memory(self) -> float:
        """Return the memory that is its own, MiB (private and half of what two share)."""
        total = 0
        for pid in self.pids():
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += next(int(x.split()[1]) for x in rollup.splitlines() if x.startswith("Pss:"))
        return total / 1024

    def cpu(self) -> float:
        """Return the processor time used so far, s."""
        ticks = 0
        for pid in self.pids():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


@contextlib.contextmanager
def panel_serve(app: Path, *options: str) -> Iterator[Running]:
    """Serve `app` with plain `panel serve`."""
    port = free_port()
    command = ["-m", "panel", "serve", str(app), "--port", str(port)]
    running = Running([*command, "--allow-websocket-origin", "*", *options], port, app.stem)
    try:
        yield running
    finally:
        running.stop()


@contextlib.contextmanager
def widget_serve(*options: str, through: int | None = None) -> Iterator[Running]:
    """Serve the lesson as a class would have it; `through` is the port of a line before it."""
    port = free_port()
    code = "import sys; from attention_widget.widgets.cli import main; sys.exit(main())"
    origins = ["--allow-origin", f"localhost:{port}", f"localhost:{through or port}"]
    command = ["-c", code, "serve", "--port", str(port), *origins, *options]
    running = Running(command, port, "app")
    try:
        yield running
    finally:
        running.stop()


@contextlib.contextmanager
def raw_serve() -> Iterator[Running]:
    """Serve the plain Bokeh page that the lesson is compared with."""
    port = free_port()
    running = Running(["-m", "tests.benchmarks.raw_app", str(port)], port, "app")
    try:
        yield running
    finally:
        running.stop()


@contextlib.contextmanager
def file_served(path: Path) -> Iterator[int]:
    """Serve one file compressed, as a static host does; give the port."""
    body = gzip.compress(path.read_bytes(), 9)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
