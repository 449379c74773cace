"""Does an installed wheel carry all it needs, away from the checkout?"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, cwd=folder)
    return next(folder.glob("attention_widget-*.whl"))


def test_the_wheel_holds_every_module_and_asset(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for package in ("attention", "widgets", "assets"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert path.relative_to(ROOT).as_posix() in inside


def test_the_script_exports_from_a_clean_install(wheel, tmp_path):
    place = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place)]
    subprocess.run([*command, str(wheel)], check=True)
    script = (
        "import widgets.cli, sys; print(widgets.cli.__file__);"
        "sys.exit(widgets.cli.main(['export', 'lesson.html', '--parts', 'map', '--draws', '1']))"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(place) in run.stdout
    assert "lesson-data" in (tmp_path / "lesson.html").read_text(encoding="utf-8")
    assert (place / "bin" / "attention-widget").is_file()
