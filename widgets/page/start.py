"""What does a page say that cannot begin: in an old browser, behind a wrong proxy, after an error?

`assets/page/start/start.js` runs before everything else and shows these sentences.
"""

from attention_widget.assets import read_asset
from attention_widget.widgets.page.markup import fill

START = {
    "old": "This browser is too old for the lesson. It works in Chrome and Edge from version 93, "
    "in Firefox from version 92 and in Safari from version 15.4. Update your browser or open this "
    "page in another one.",
    "old_more": "What is missing here:",
    "broken": "The lesson could not begin. Reload the page; if that does not help, open it in "
    "another browser and tell your teacher what stands here.",
    "late": "The lesson has not begun yet. On a slow line or an old device this takes a while. If "
    "nothing happens, reload the page or open it in another browser.",
}
LINE = {
    "line": "The lesson could not begin: its line to the server was refused. That is not your "
    "browser's fault. Reload the page in a minute, and tell your teacher if it stays so.",
    "line_more": "For whoever runs the server: the page arrived, its websocket did not. The lesson "
    "answers only hosts that it knows: start it with --allow-origin {host} (panel serve: "
    "--allow-websocket-origin {host}). A proxy before it must hand on the headers Host, Upgrade "
    "and Connection; deploy/nginx.conf shows how.",
}


def start_markup(live: bool) -> str:
    """Return what stands first in a page's head; a live page has a line that can be refused."""
    return fill(
        "page/start/start.html",
        words=START | (LINE if live else {}),
        style=read_asset("page/start/start.css"),
        script=read_asset("page/start/start.js"),
    )
