"""A learning system for the tests: scorm-again, a real SCORM run-time, as a package from npm."""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

PACKAGE = "scorm-again@3.4.3"
VARIABLE = "SCORM_AGAIN"  # a folder that holds it already
BUNDLES = {"1.2": ("scorm12.min.js", "API", "Scorm12API"),
           "2004": ("scorm2004.min.js", "API_1484_11", "Scorm2004API")}


def find_runtime() -> Path:
    """Give the folder of the run-time's bundles; installs it once into the temporary folder."""
    home = Path(os.environ.get(VARIABLE) or Path(tempfile.gettempdir()) / f"attention-{PACKAGE}")
    bundles = home / "node_modules" / "scorm-again" / "dist"
    if bundles.is_dir():
        return bundles
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix"]
    advice = (
        f"The SCORM tests play the package in {PACKAGE}. Install Node.js with npm, or type "
        f"    {' '.join(command)} DIR {PACKAGE}    where npm is, and set {VARIABLE}=DIR."
    )
    npm = shutil.which("npm")
    if npm is None:
        pytest.fail(f"npm was not found. {advice}")
    own = Path(tempfile.mkdtemp(prefix="attention-scorm-"))  # several workers may come here at once
    done = subprocess.run(
        [npm, *command[1:], str(own), PACKAGE], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.fail(f"{advice}\n{done.stdout}{done.stderr}")
    try:
        own.rename(home)
    except OSError:  # another worker was first
        shutil.rmtree(own)
    return bundles


def player_page(version: str, saved: Any = None, lesson: str = "/sco/lesson.html") -> str:
    """A course page whose run-time posts every commit to /commit and starts from `saved`."""
    bundle, name, kind = BUNDLES[version]
    data = json.dumps(saved).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><head><title>LMS</title>
<link rel="icon" href="data:,">
<script src="/{bundle}"></script><script>
  window.{name} = new {kind}({{lmsCommitUrl: "/commit", logLevel: 5}});
  const saved = {data};
  if (saved) {name}.loadFromJSON(saved.cmi ?? saved, "cmi");
</script></head><body><iframe title="lesson" src="{lesson}" width="100%" height="900"></iframe>
</body></html>"""
