"""What went wrong in the student's code, and where?"""

import linecache
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OURS = str(Path(__file__).parent)


class OutOfTime(BaseException):
    """The time limit has run out; no `except Exception` of the student's code holds it up."""


class CodeError(Exception):
    """The student's code threw, or gave back something that is no answer."""


class UnclearError(Exception):
    """The code cannot be called: a name or a matrix is not recognised."""


def where(error: BaseException) -> str:
    """Return "line 12, in forward: `scores = q @ k`", the innermost line of the student's code."""
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in frames if not f.filename.startswith(OURS)]
    own = [f for f in theirs if not is_installed(f.filename)]
    if not (own or theirs):
        return ""
    frame = (own or theirs)[-1]
    line = (linecache.getline(frame.filename, frame.lineno or 0) or frame.line or "").strip()
    return f"line {frame.lineno}, in {frame.name}" + (f": `{line}`" if line else "")


def is_installed(filename: str) -> bool:
    """Say whether a file belongs to Python or an installed package, and not to the student."""
    return "site-packages" in filename or "/lib/python3" in filename or filename.startswith("<fro")


def sentence(error: BaseException) -> str:
    """Return one sentence about an exception: what, and where."""
    said = " ".join(str(error).split())
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    place = where(error)
    return f"{what[:300]} ({place})" if place else what[:300]


@contextmanager
def student_code(doing: str) -> Iterator[None]:
    """Turn whatever the student's code raises into a `CodeError` that says what was going on."""
    try:
        yield
    except (CodeError, UnclearError):
        raise
    except SystemExit as error:
        raise CodeError(f"{doing}, your code ended the program: {sentence(error)}.") from error
    except (Exception, RecursionError) as error:
        raise CodeError(f"{doing}, your code raised {sentence(error)}.") from error
