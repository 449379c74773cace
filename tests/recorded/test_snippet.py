"""Is what a teacher pastes safe, named and complete?"""

from html.parser import HTMLParser

import pytest

from attention_widget.widgets.cli import main
from attention_widget.widgets.recorded.snippet import embedded, iframe, snippet


class Elements(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_the_frame_has_a_title_and_loads_when_it_is_near():
    [(tag, words)] = Elements(iframe("lesson.html")).found
    assert tag == "iframe"
    assert words["title"] == "Causal and multi-head attention, interactive"
    assert words["loading"] == "lazy"
    assert words["width"] == "100%"
    assert "sandbox" not in words
    [(_, shut_in)] = Elements(iframe("lesson.html", sandbox=True)).found
    assert shut_in["sandbox"] == "allow-scripts allow-downloads"


@pytest.mark.parametrize(
    "text", ['"><script>alert(1)</script>', "' onload='alert(1)", "&amp;<b>", "🙂 \u202e"]
)
def test_attributes_cannot_be_left(text):
    found = Elements(iframe(f"lesson.html?x={text}", title=f"t{text}")).found
    assert len(found) == 1
    words = found[0][1]
    assert words["title"] == f"t{text}"
    assert words["src"] == f"lesson.html?x={text}"
    assert set(words) == {
        "src",
        "title",
        "width",
        "height",
        "loading",
        "style",
        "data-attention-lesson",
    }


@pytest.mark.parametrize("source", ["javascript:alert(1)", "data:text/html,x", "JaVaScRiPt:x"])
def test_a_frame_that_would_run_its_address_is_refused(source):
    with pytest.raises(ValueError, match="file or an http"):
        iframe(source)


@pytest.mark.parametrize(
    "url",
    [
        "host/app",
        "file:///app",
        "https://",
        'https://h/"</script>',
        "https://h/<b>",
        "https://h/a b",
        "https://h/`x`",
        "",
    ],
)
def test_the_embedded_form_takes_only_a_plain_web_address(url):
    with pytest.raises(ValueError, match="--url"):
        embedded(url)


def test_the_embedded_form_asks_the_server_for_the_app():
    code = embedded("https://lessons.example.org/app")
    assert code.startswith("<script")
    assert code.endswith("</script>")
    assert "https://lessons.example.org/app/autoload.js?" in code


def test_a_file_has_two_frames_to_choose_from_and_an_address_a_form_without_one():
    tags = [tag for tag, _ in Elements(snippet(file="lesson.html")).found]
    assert tags == ["iframe", "iframe", "script"]
    tags = [tag for tag, _ in Elements(snippet(url="https://lessons.example.org/app")).found]
    assert tags == ["iframe", "script", "script"]


@pytest.mark.parametrize(
    ("words", "way_out"),
    [
        ({}, r"got neither; give --file lesson\.html or --url https"),
        ({"file": "a.html", "url": "https://h/app"}, "got --file and --url; give one of them, not"),
    ],
)
def test_a_snippet_is_of_one_lesson(words, way_out):
    with pytest.raises(ValueError, match=way_out):
        snippet(**words)


@pytest.mark.parametrize("height", [0, -1, 199, 20001])
def test_a_height_that_makes_no_sense_is_refused(height):
    with pytest.raises(ValueError, match=f"200 to 20000 px: got {height}"):
        iframe("lesson.html", height=height)


def test_the_command_prints_it_and_refuses_plainly(capsys):
    assert main(["snippet", "--file", "lesson.html", "--title", "Week 6", "--height", "900"]) == 0
    assert 'title="Week 6"' in capsys.readouterr().out
    assert main(["snippet"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("attention-widget: a snippet is of one lesson")
