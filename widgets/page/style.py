"""What does the page look like where a browser has no container queries? It follows the window."""

import re
from functools import cache

from attention_widget.assets import read_asset

_QUERY = re.compile(r"^@container (\([^)]*\)) (\{.*?^\})", re.MULTILINE | re.DOTALL)
_WITHOUT = "@supports not (container-type: inline-size)"


@cache
def page_style() -> str:
    """Return the style sheet; each rule for the lesson's width stands once more for the window's.

    Browsers before Chrome 105, Firefox 110 and Safari 16 read the second form alone.
    """
    text = read_asset("page/style.css")
    again = "\n".join(f"@media {size} {rules}" for size, rules in _QUERY.findall(text))
    return f"{text}\n{_WITHOUT} {{\n{again}\n}}\n"
