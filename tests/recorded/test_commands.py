"""Is a command refused at once, in one line that says how to go on, with nothing left behind?"""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from attention_widget.widgets.cli import main
from attention_widget.widgets.recorded import commands as course
from attention_widget.widgets.recorded.export import write_whole

COMMANDS = ("export", "scorm")


@pytest.fixture
def refused(monkeypatch, capsys):
    """Run a command that must be refused before any work; give what it said."""

    def run(*words: object) -> str:
        monkeypatch.setattr(course, "record", lambda *_: pytest.fail("it began the work"))
        assert main([str(word) for word in words]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.startswith("attention-widget: ")
        assert output.err.count("\n") == 1
        assert "Errno" not in output.err
        return output.err

    return run


def left(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
def test_a_target_in_a_missing_folder_is_refused_before_the_work(command, refused, tmp_path):
    said = refused(command, tmp_path / "missing" / "x.html")
    assert "a folder that exists: got" in said
    assert f"make {str(tmp_path / 'missing')!r} first" in said
    assert left(tmp_path) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_target_that_is_a_folder_is_refused_before_the_work(command, refused, tmp_path):
    (tmp_path / "out").mkdir()
    said = refused(command, tmp_path / "out")
    assert f"got the folder {str(tmp_path / 'out')!r}; name a file in it" in said
    assert "got the folder '.'" in refused(command, "")
    assert left(tmp_path) == ["out"]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_target_that_cannot_be_written_is_refused_before_the_work(
    command, refused, tmp_path, monkeypatch
):
    name = "x" * 252  # a file can have this name, its unfinished form cannot
    assert "(File name too long); name another place" in refused(command, tmp_path / name)

    def forbid(path: Path, data: bytes) -> None:  # the superuser may write anywhere
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "write_bytes", forbid)
    said = refused(command, tmp_path / "x.html")
    assert f"got {str(tmp_path / 'x.html')!r} (Permission denied); name another place" in said
    assert left(tmp_path) == []


def test_a_write_that_fails_late_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    file = tmp_path / "x.html"
    write_whole(file, b"old")

    def fill(path: Path, data: bytes) -> None:
        path.open("wb").close()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)
    with pytest.raises(OSError, match=r"x\.html' \(No space left on device\); name another place"):
        write_whole(file, b"new")
    assert left(tmp_path) == ["x.html"]
    assert file.read_text() == "old"


def test_a_target_that_became_a_folder_meanwhile_leaves_nothing_beside_it(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(OSError, match="name another place"):
        write_whole(tmp_path / "out", b"new")
    assert left(tmp_path) == ["out"]


def test_a_taken_port_is_named_with_a_way_out(refused):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refused("serve", "--address", "127.0.0.1", "--port", port)
    assert f"got {port}, which is taken; try --port 0" in said


@pytest.mark.parametrize("address", ["192.0.2.1", "no-such-host.invalid", "a..b", "a b"])
def test_an_address_of_another_computer_is_named_with_a_way_out(address, refused):
    said = refused("serve", "--port", 0, "--address", address)
    assert f"got {address!r}; leave it out to listen on all" in said


def test_a_snippet_of_two_lessons_is_refused_as_such(refused):
    said = refused("snippet", "--file", "a.html", "--url", "https://h/app")
    assert "got --file and --url; give one of them, not both" in said
    assert "got neither" in refused("snippet")


def test_a_draw_out_of_range_says_which_number_is_the_first(refused, tmp_path):
    said = refused("export", tmp_path / "x.html", "--parts", "map", "--preset", "map.draw=6")
    assert "New draw goes from 0 to 5 in whole numbers, 0 for the first: got “6”" in said


def test_the_module_does_what_the_command_does():
    run = [sys.executable, "-m", "attention_widget", "snippet", "--file", "lesson.html"]
    done = subprocess.run(run, cwd="/", capture_output=True, text=True, check=True)
    assert "<iframe" in done.stdout
