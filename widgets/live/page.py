"""How does one visitor's page come about on a Panel server?"""

import re

import panel as pn
from panel.io.resources import BASE_TEMPLATE

from attention_widget.assets import read_asset
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.dashboard import Dashboard
from attention_widget.widgets.page.markup import DEFAULT_SCORE, TITLE
from attention_widget.widgets.page.start import start_markup

# Panel lists every script that any of its models may want. This page draws no WebGL and holds no
# Tabulator table, so these stay away: 0.75 of 3.5 MB.
UNUSED = re.compile(
    r"<(?:script|link)[^>]*(?:bokeh-gl|datatabulator)[^>]*>(?:\s*</script>)?", re.IGNORECASE
)


def _only_used(markup: str) -> str:
    return UNUSED.sub("", str(markup))


def page_template() -> object:
    """Return the template of the live page: one landmark, both schemes, no unused script."""
    environment = BASE_TEMPLATE.environment.overlay(autoescape=False)  # Bokeh escapes its parts
    environment.filters["only_used"] = _only_used
    environment.globals["start"] = start_markup(live=True)
    return environment.from_string(read_asset("live/page.html"))


_TEMPLATE = page_template()


def query_values() -> dict[str, str]:
    """Return the query of the visitor's link, first value of each name."""
    return {
        name: values[0].decode("utf-8", "replace")
        for name, values in pn.state.session_args.items()
        if values
    }


def dashboard_for_visitor(score: str = DEFAULT_SCORE) -> Dashboard:
    """Make a visitor's dashboard from the link's query; `score` is what a course page gets."""
    lesson = Lesson()
    lesson.sections["map"].set(query_values())
    return Dashboard(lesson, score)


def serve_page(score: str = DEFAULT_SCORE) -> None:
    """Put a visitor's dashboard on the page; what `panel serve app.py` runs."""
    dashboard_for_visitor(score).servable(title=TITLE)
    document = pn.state.curdoc
    if document is not None:
        document.template = _TEMPLATE
