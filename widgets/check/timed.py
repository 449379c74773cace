"""How is a live object stopped where the process cannot be forked?

By an exception that is raised in the midst of the student's Python code, again and again until it
has left. What it cannot stop: a loop inside compiled code, which sees no exception before it
returns, and `os._exit`, which ends the notebook's own process.
"""

import contextlib
import ctypes
import io
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from attention_widget.widgets.check.record import Check, unmeasured
from attention_widget.widgets.check.trouble import OutOfTime, where

AGAIN = 0.2  # seconds to the next try, for code that catches everything


class Nowhere(io.TextIOBase):
    """A stream that forgets what is written."""

    def write(self, text: str) -> int:
        """Take the text and keep nothing."""
        return len(text)


def interrupted(job: Callable[[], Check], name: str, limit: float) -> Check:
    """Run a job here, and interrupt it when the time is up."""
    nowhere = Nowhere()
    try:
        with (
            contextlib.redirect_stdout(nowhere),
            contextlib.redirect_stderr(nowhere),
            _alarm(limit),
        ):
            return job()
    except OutOfTime as late:
        place = where(late)
        told = f"; it was at {place}" if place else ""
        return unmeasured(name, f"Your code did not come back within {limit:g} s{told}.")


def _alarm(limit: float) -> contextlib.AbstractContextManager[None]:
    main = threading.current_thread() is threading.main_thread()
    if main and hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0] == 0:
        return _by_signal(limit)
    return _by_thread(limit)


@contextmanager
def _by_signal(limit: float) -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, limit, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _by_thread(limit: float) -> Iterator[None]:
    thread, done, lock = threading.get_ident(), threading.Event(), threading.Lock()

    def watch() -> None:
        late = done.wait(limit)
        while not late:
            with lock:
                if not done.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(OutOfTime)
                    )
            late = done.wait(AGAIN)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        with lock:
            done.set()
        watcher.join()
