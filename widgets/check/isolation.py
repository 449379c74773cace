"""How is code that may loop for ever, exit or print without end kept away from everything else?

It runs in a process of its own, which is killed with all it started when the time is up. Where a
process cannot be forked safely, a timed interrupt has to do; see `timed.py`.
"""

import contextlib
import faulthandler
import linecache
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from attention_widget.widgets.check.frameworks import loaded
from attention_widget.widgets.check.record import Check, unmeasured
from attention_widget.widgets.check.trouble import OURS, is_installed

RESULT, STACK = "result.json", "stack.txt"
_FRAME = re.compile(r'File "(.+)", line (\d+) in (.+)')


def can_fork() -> bool:
    """Say whether this process may be forked: Linux, without JAX and without a GPU in use."""
    torch = loaded("torch")
    busy = torch is not None and torch.cuda.is_initialized()
    return sys.platform == "linux" and not busy and loaded("jax") is None


def forked(job: Callable[[], Check], name: str, limit: float) -> Check:
    """Run a job in a fork of this process, which sees every live object and can harm none."""
    with tempfile.TemporaryDirectory(prefix="attention-check-") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about threads: the fork uses none
            pid = os.fork()
        if pid == 0:
            work(job, Path(folder), time.time() + limit)
        status = _wait(pid, limit)
        return collect(Path(folder), name, limit, status)


def work(job: Callable[[], Check], folder: Path, end: float) -> None:
    """Run the job in this process, write its record, and end the process.

    Shortly before `end`, in seconds since the epoch, it writes down where the code is.
    """
    try:
        with contextlib.suppress(OSError):
            os.setsid()
        _silence()
        with open(folder / STACK, "w") as stack:
            left = max(0.05, 0.9 * (end - time.time()))
            faulthandler.dump_traceback_later(left, file=stack)
            text = job().to_json()
            faulthandler.cancel_dump_traceback_later()
        part = folder / (RESULT + ".part")
        part.write_text(text, encoding="utf-8")
        part.rename(folder / RESULT)
    finally:
        os._exit(0)


def _silence() -> None:
    """Send everything that is printed to nowhere, however much it is."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (the process ends with it)


def _wait(pid: int, limit: float) -> int | None:
    """Wait for a process; return its exit code, or None when it had to be killed."""
    end = time.monotonic() + limit
    try:
        while time.monotonic() < end:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        return None
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)  # with everything it has started
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def collect(folder: Path, name: str, limit: float, status: int | None) -> Check:
    """Return the record that the process has written, or say what became of it."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return Check.from_json((folder / RESULT).read_text(encoding="utf-8"))
    if status is None:
        place = where_it_was(folder)
        return unmeasured(name, f"Your code did not come back within {limit:g} s{place}.")
    if status < 0:
        told = f"signal {signal.Signals(-status).name}"
        return unmeasured(name, f"Your code brought its process down ({told}).")
    return unmeasured(name, f"Your code ended its process (exit status {status}) before an answer.")


def where_it_was(folder: Path) -> str:
    """Return ": it was at line 5, in attend: `while True:`" from the stack of the process."""
    with contextlib.suppress(OSError):
        for path, line, name in _FRAME.findall((folder / STACK).read_text(encoding="utf-8")):
            if not path.startswith(OURS) and not is_installed(path):
                text = linecache.getline(path, int(line)).strip()
                return f"; it was at line {line}, in {name}" + (f": `{text}`" if text else "")
    return ""
