"""How does the page's skeleton come about, the same for every host?

Jinja fills the assets' templates with autoescape on, so that no text can become markup.
"""

from dataclasses import dataclass
from functools import lru_cache

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
from markupsafe import Markup, escape

from attention_widget.assets import read_asset
from attention_widget.widgets.checkpoint import words as checkpoint_words
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.page import words as page_words
from attention_widget.widgets.page.saving import SAVING
from attention_widget.widgets.section import palette
from attention_widget.widgets.section.terms import TERMS, with_terms


class _Assets(BaseLoader):
    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, None]:
        try:
            return read_asset(template), None, None
        except FileNotFoundError as error:
            raise TemplateNotFound(template) from error


def _terms(text: str) -> Markup:
    """Return a text as markup, its marked terms as buttons."""
    parts = []
    for node in with_terms(text):
        if isinstance(node, str):
            parts.append(escape(node))
            continue
        _, attributes, shown = node
        named = Markup(" ").join(Markup('{}="{}"').format(*pair) for pair in attributes.items())
        parts.append(Markup("<button {}>{}</button>").format(named, shown))
    return Markup("").join(parts)


_ENVIRONMENT = Environment(loader=_Assets(), autoescape=True, undefined=StrictUndefined)
_ENVIRONMENT.filters["terms"] = _terms
TITLE = "Causal and multi-head attention"
DEFAULT_SCORE = "mastery"
NO_TAB = "There is no part “{name}” on this page; here is the map."


def fill(template: str, **values: object) -> str:
    """Return an asset filled in; what is not marked as safe there is escaped."""
    return _ENVIRONMENT.get_template(template).render(values)


@dataclass(frozen=True)
class MarkupOptions:
    """What differs between hosts.

    Attributes:
        live: free text works here.
        draws: how many draws a recording holds.
        score: which figure a course gets, a key of `checkpoint.words.SCORES`.
    """

    live: bool = True
    draws: int = 0
    score: str = DEFAULT_SCORE


def skeleton(lesson: Lesson, options: MarkupOptions | None = None) -> str:
    """Return the markup of the whole lesson, with empty slots."""
    options = options or MarkupOptions()
    if options.live:
        return _live_skeleton(tuple(part.name for part in lesson.tabs), options)
    return _render(lesson, options)


@lru_cache(maxsize=16)
def _live_skeleton(parts: tuple[str, ...], options: MarkupOptions) -> str:
    return _render(Lesson(parts=parts), options)


def _render(lesson: Lesson, options: MarkupOptions) -> str:
    state = lesson.map_state
    return fill(
        "page/lesson.html",
        title=TITLE,
        sections=lesson.sections,
        parts=lesson.tabs,
        words={part.name: part.words or {} for part in lesson.tabs},
        schemes=palette.SCHEMES,
        steps=lesson.checkpoint.steps,
        terms=TERMS,
        saving=SAVING,
        checkpoint_words=checkpoint_words,
        page_words=page_words,
        no_tab=NO_TAB,
        score=options.score,
        live=options.live,
        draws=options.draws,
        sentence=state.sentence,
        seed=state.seed,
    )
