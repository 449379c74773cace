"""How does one visitor's page come about under `panel serve`?"""

import panel as pn

from widgets.dashboard import Dashboard
from widgets.lesson import Lesson

TITLE = "Causal and multi-head attention"


def query_values() -> dict[str, str]:
    """Give the query of the visitor's link, first value of each name."""
    return {
        name: values[0].decode("utf-8", "replace")
        for name, values in pn.state.session_args.items()
        if values
    }


def serve_page() -> None:
    """Make a visitor's dashboard, read the link's query, and put it on the page."""
    lesson = Lesson()
    lesson.scenes["map"].set(query_values())
    Dashboard(lesson).servable(title=TITLE)
