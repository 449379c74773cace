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


MOODLE = "https://moodle.example.org/pluginfile.php/42/mod_resource/content/1/lesson.html"


@pytest.mark.parametrize(
    ("words", "tags"),
    [
        ({"file": "lesson.html"}, ["iframe", "script"]),
        ({"file": "lesson.html", "sandbox": True}, ["iframe", "script"]),
        ({"url": "https://h/app"}, ["iframe", "script"]),
        ({"url": "https://h/app", "frameless": True}, ["script"]),
        ({"file": MOODLE, "host": "moodle"}, ["iframe"]),
        ({"file": "lesson.html", "host": "mkdocs"}, ["iframe", "script"]),
        ({"file": "lesson.html", "host": "jupyter-book"}, ["iframe", "script"]),
    ],
)
def test_it_is_one_lesson_and_nothing_else(words, tags):
    text = snippet(**words)
    assert [tag for tag, _ in Elements(text).found] == tags
    assert "<!--" not in text


@pytest.mark.parametrize(
    ("host", "page", "source"),
    [
        ("mkdocs", "", "../lesson.html"),
        ("mkdocs", "index.md", "lesson.html"),
        ("mkdocs", "week-6/attention.md", "../../lesson.html"),
        ("mkdocs", "week-6/index.md", "../lesson.html"),
        ("jupyter-book", "", "lesson.html"),
        ("jupyter-book", "week-6/attention.md", "../lesson.html"),
        ("plain", "", "lesson.html"),
    ],
)
def test_the_address_leads_from_the_page_to_the_file(host, page, source):
    [(_, words), *_] = Elements(snippet(file="lesson.html", host=host, page=page)).found
    assert words["src"] == source


@pytest.mark.parametrize(
    ("words", "way_out"),
    [
        ({"file": "lesson.html", "host": "moodle"}, "upload it as a File, open it"),
        ({"file": "lesson.html", "host": "wiki"}, "--for is one of plain, moodle, mkdocs"),
        ({"file": "lesson.html", "frameless": True}, "--frameless goes with --for plain and --url"),
        ({"file": "a.html", "host": "docusaurus", "sandbox": True}, "every host but docusaurus"),
        ({"file": "a.html", "host": "docusaurus", "height": 1}, "200 to 20000 px"),
    ],
)
def test_a_form_that_the_host_does_not_take_is_refused(words, way_out):
    with pytest.raises(ValueError, match=way_out):
        snippet(**words)


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
