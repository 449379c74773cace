"""Is every number that is written into words by hand what other code says?"""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from attention_widget.widgets.lesson import Lesson
from tests.truth.literals import FACTS
from tests.truth.numbers import Claim, agrees, shown_in

HERE = Path(__file__).parents[2]
OF_WORDS = ("words.py", "cards.py", "terms.py", "lab.py", "state.py")
PLACED = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
NAMES = re.compile(r"GPT-2 124M|GPT-2|float32|float64|√64 = |1/\(1−p\)|1−p\b|1/√d_head|\bt \+ 1\b")
WORDS = {
    word: n
    for n, word in enumerate(
        ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 3
    )
}
WORD = re.compile(rf"\b({'|'.join(WORDS)})\b", re.IGNORECASE)
HEARD = ("aria-label", "title", "alt", "placeholder")


class Reader(HTMLParser):
    """Collect what a reader meets in a template that does not come from a placeholder."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code += tag in ("script", "style")
        self.texts += [value for name, value in attrs if name in HEARD and value]

    def handle_endtag(self, tag: str) -> None:
        self.code -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.code:
            self.texts.append(data)


def in_templates() -> Iterator[tuple[str, str]]:
    """Yield (template, text) of what is written into the templates themselves."""
    for path in sorted((HERE / "assets").rglob("*.html")):
        reader = Reader()
        reader.feed(PLACED.sub(" … ", path.read_text(encoding="utf-8")))
        yield from ((path.name, " ".join(text.split())) for text in reader.texts)


def in_modules() -> Iterator[tuple[str, str]]:
    """Yield (module, text) of the strings in modules of words, their docstrings left out."""
    for path in sorted((HERE / "widgets").rglob("*.py")):
        if path.name not in OF_WORDS:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        left_out = {
            id(part)
            for node in ast.walk(tree)
            for part in (
                ast.walk(node.format_spec)
                if isinstance(node, ast.FormattedValue) and node.format_spec
                else [node.value]
                if isinstance(node, ast.Expr)
                else []
            )
        }
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and id(node) not in left_out:
                yield f"{path.parent.name}/{path.name}", text


def in_parameters() -> Iterator[tuple[str, str]]:
    """Yield (section, text) of what the controls say of themselves, live and recorded."""
    for lesson in (Lesson(), Lesson(recorded_draws=1)):
        for name, section in lesson.sections.items():
            for own, parameter in section.state.param.objects("existing").items():
                numbered = re.sub(r"\D", "", own)  # "q3" is "Mark yourself on prompt 3"
                for text in (parameter.label or "", parameter.doc or ""):
                    if not numbered or re.sub(r"\D", "", text) != numbered:
                        yield name, text
                for label, value in (getattr(parameter, "names", None) or {}).items():
                    if re.sub(r"\D", "", NAMES.sub("", label)) != re.sub(r"\D", "", str(value)):
                        yield name, label


def texts() -> list[tuple[str, str]]:
    """Return every text with its place."""
    return [*in_templates(), *in_modules(), *in_parameters()]


def unclaimed(text: str, used: set[str] | None = None) -> list[str]:
    """Return what is wrong with the numbers of one text, in words."""
    text = WORD.sub(lambda word: str(WORDS[word[0].lower()]), text.replace("½", "0.5"))
    text, wrong = NAMES.sub(" ", text), []
    for pattern, fact in FACTS.items():
        as_read = WORD.sub(lambda word: str(WORDS[word[0].lower()]), pattern)

        def look(match: re.Match[str], pattern=pattern, fact=fact) -> str:  # type: ignore[no-untyped-def]
            found, due = shown_in(match[0]), fact()
            if used is not None:
                used.add(pattern)
            if len(found) != len(due) or not all(
                agrees(number, Claim(pattern, float(value)))
                for number, value in zip(found, due, strict=True)
            ):
                wrong.append(f"{match[0]!r}: other code says {due}")
            return " "

        text = re.sub(NAMES.sub(" ", as_read), look, text, flags=re.IGNORECASE)
    left = [number.text for number in shown_in(text)]
    return [*wrong, *([f"nobody claims {left} of {text!r}"] if left else [])]


def test_every_number_written_into_words_is_what_other_code_says() -> None:
    used: set[str] = set()
    wrong = [f"{place}: {fault}" for place, text in texts() for fault in unclaimed(text, used)]
    assert wrong == []
    assert FACTS.keys() - used == set()  # a fact whose words are gone goes, too


@pytest.mark.parametrize(
    "text",
    [
        "The 84 words",
        "mean of 100 draws",
        "48 MiB at T = 1024, 3 GiB at 8192 and 700 GiB at 131,072",
        "with six words 5 + 4 + 3 + 2 + 1 = 16",
        "Row 2 loses most",
        "five heads share it",
        "A head is 65 wide",
        "tiles of 32 × 32",
        "Nothing is lost in 3 of 4 rows",
    ],
)
def test_a_number_in_words_that_is_wrong_or_that_nobody_claims_is_found(text: str) -> None:
    assert unclaimed(text)
