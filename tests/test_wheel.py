"""Does an installed wheel carry all it needs, away from the checkout?"""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


FOLDERS = {
    "attention": "attention_widget",
    "widgets": "attention_widget/widgets",
    "assets": "attention_widget/assets",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    # From a copy: setuptools leaves a folder build/, where files live on that were deleted since.
    folder, source = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("source")
    for name in FOLDERS:
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-q", "-w", str(folder)]
    subprocess.run([*command, str(source)], check=True, cwd=folder)
    return next(folder.glob("attention_widget-*.whl"))


def test_the_wheel_holds_every_module_and_asset_under_the_one_name(wheel):
    inside = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    expected = {
        f"{name}/{path.relative_to(ROOT / folder).as_posix()}"
        for folder, name in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == expected


def test_the_list_of_packages_names_every_folder_with_modules():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = listed["tool"]["setuptools"]["packages"]
    folders = {
        ".".join([name.replace("/", "."), *path.parent.relative_to(ROOT / folder).parts])
        for folder, name in FOLDERS.items()
        for path in (ROOT / folder).rglob("*.py")
    }
    assert sorted(packages) == sorted(folders)


def test_the_script_exports_from_a_clean_install(wheel, tmp_path):
    place = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place)]
    subprocess.run([*command, str(wheel)], check=True)
    (tmp_path / "assets").mkdir()  # what a student may have beside the notebook
    for name in ("attention.py", "widgets.py"):
        (tmp_path / name).write_text("raise RuntimeError('the wrong one')", encoding="utf-8")
    script = (
        "import attention_widget.widgets.cli as cli, sys; print(cli.__file__);"
        "sys.exit(cli.main(['export', 'lesson.html', '--parts', 'map', '--draws', '1']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(place) in run.stdout
    assert "lesson-data" in (tmp_path / "lesson.html").read_text(encoding="utf-8")
    assert (place / "bin" / "attention-widget").is_file()
