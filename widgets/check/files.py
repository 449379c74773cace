"""How is code in a file checked: "mine.py:CausalAttention", in a process of its own?"""

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.isolation import collect, work
from attention_widget.widgets.check.record import Check, unmeasured
from attention_widget.widgets.check.trouble import CodeError, student_code


def split_target(target: str) -> tuple[Path, str]:
    """Return the file and the name in "mine.py:CausalAttention".

    Raises:
        ValueError: it is not of that form, or there is no such file.
    """
    path, colon, name = target.rpartition(":")
    if not colon or not name.isidentifier() or not path:
        raise ValueError(
            f"what to check must be FILE:NAME: got {target!r}; try mine.py:CausalAttention"
        )
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path!r}; the folder is {os.getcwd()!r}")
    return Path(path).resolve(), name


def check_file(target: str, *, limit: float, **options: Any) -> Check:
    """Check a name in a file, in a new process with a time limit in seconds.

    Raises:
        ValueError: the target is not FILE:NAME, or there is no such file.
    """
    path, name = split_target(target)
    with tempfile.TemporaryDirectory(prefix="attention-check-") as folder:
        job = {"path": str(path), "name": name, "folder": folder, "end": time.time() + limit}
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "attention_widget.widgets.check.files"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.communicate(json.dumps(job | {"options": options}).encode(), timeout=limit)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _kill(process)
        return collect(Path(folder), name, limit, status)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End the process and all that it has started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def load(path: Path, name: str) -> Any:
    """Return what a name stands for in a file.

    Raises:
        CodeError: the file threw when it was imported, or has no such name.
    """
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CodeError(f"{path.name} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses and pickle look a class's module up
    with student_code(f"When {path.name} was imported"):
        spec.loader.exec_module(module)
    if not hasattr(module, name):
        there = ", ".join(n for n in vars(module) if not n.startswith("_")) or "nothing"
        raise CodeError(f"{path.name} has no {name!r}; it has {there}.")
    return getattr(module, name)


def _job(path: Path, name: str, options: Mapping[str, Any]) -> Check:
    try:
        mine = load(path, name)
    except CodeError as trouble:
        return unmeasured(name, str(trouble))
    return run_check(mine, **options)


if __name__ == "__main__":
    asked = json.loads(sys.stdin.buffer.read())
    work(
        lambda: _job(Path(asked["path"]), asked["name"], asked["options"]),
        Path(asked["folder"]),
        asked["end"],
    )
