"""Which scripts make the page work, whatever the host? They share one scope, in this order."""

from attention_widget.assets import read_asset

SCRIPTS = (
    "page/render.js",
    "section/controls.js",
    "page/address.js",
    "page/scheme.js",
    "page/sweep.js",
    "page/compare.js",
    "page/present.js",
    "page/words.js",
    "page/mirror.js",
    "page/terms.js",
    "page/shell.js",
    "page/saving/state.js",
    "page/saving/sign.js",
    "page/saving/unsaved.js",
    "page/saving/outbox.js",
    "page/saving/splice.js",
    "page/saving/height.js",
    "page/saving/connect.js",
)


def page_scripts(*hosts: str) -> str:
    """Return the page's scripts and then those of its host, by their names among the assets."""
    return "\n".join(read_asset(name) for name in (*SCRIPTS, *hosts))
