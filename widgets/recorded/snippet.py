"""What does a teacher paste into a course page?"""

from html import escape
from urllib.parse import urlsplit

from bokeh.embed import server_document

TITLE = "Causal and multi-head attention, interactive"
HEIGHT = 1400  # px; a page that does not follow the lesson's height shows it with a scroll bar
TOP, LOW = 200, 20000  # px that make sense

# For a plain page. Canvas and some others listen to this message by themselves.
FOLLOW = """<script>
  addEventListener("message", (event) => {
    if (event.data?.subject !== "lti.frameResize" || !(event.data.height > 0)) return;
    for (const frame of document.querySelectorAll("iframe[data-attention-lesson]")) {
      if (frame.contentWindow === event.source) frame.style.height = event.data.height + "px";
    }
  });
</script>"""


def iframe(source: str, title: str = TITLE, height: int = HEIGHT, sandbox: bool = False) -> str:
    """Return the iframe form.

    Args:
        source: address of the exported file or of the live page.
        title: what a screen reader calls the frame.
        height: in px, until the page follows the lesson's own.
        sandbox: allow scripts and downloads and nothing else.

    Raises:
        ValueError: the title is empty, the height or the address makes no sense.
    """
    if not title.strip():
        raise ValueError("--title must say what is in the frame: got nothing; leave it out")
    if not TOP <= height <= LOW:
        raise ValueError(f"--height goes from {TOP} to {LOW} px: got {height}; try {HEIGHT}")
    if urlsplit(source).scheme.lower() not in ("", "http", "https"):
        raise ValueError(f"a frame shows a file or an http(s) address: got {source[:60]!r}")
    words = {
        "src": source,
        "title": title,
        "width": "100%",
        "height": str(height),
        "loading": "lazy",
        "style": "border: 0; display: block",
    }
    if sandbox:
        words["sandbox"] = "allow-scripts allow-downloads"
    attributes = " ".join(f'{name}="{escape(value)}"' for name, value in words.items())
    return f"<iframe {attributes} data-attention-lesson></iframe>"


def embedded(url: str) -> str:
    """Return the form that puts a live page's widget into the page itself, without a frame.

    Raises:
        ValueError: not an http(s) address.
    """
    parts = urlsplit(url)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        raise ValueError(f"--url is an http(s) address: got {url[:60]!r}; try https://host/app")
    if set(url) & set("\"'<>\\` \n\r\t"):
        raise ValueError(f"--url must be percent-encoded: got {url[:60]!r}")
    return str(server_document(url)).strip()


def snippet(*, file: str = "", url: str = "", title: str = TITLE, height: int = HEIGHT) -> str:
    """Return everything to paste, with a comment before each piece.

    Raises:
        ValueError: neither or both of `file` and `url`, or see `iframe` and `embedded`.
    """
    if file and url:
        raise ValueError(
            "a snippet is of one lesson: got --file and --url; give one of them, not both"
        )
    if not (file or url):
        raise ValueError(
            "a snippet is of one lesson: got neither; give --file lesson.html or --url https://…"
        )
    source = file or url
    pieces = [
        ("In a frame:", iframe(source, title, height)),
        ("So that the frame's height follows the lesson (a plain page needs it):", FOLLOW),
    ]
    if file:
        pieces.insert(
            1,
            (
                "Or shut in further; progress is then kept by the course page or not at all:",
                iframe(source, title, height, sandbox=True),
            ),
        )
    if url:
        words = "Or without a frame (the server must allow this page's host):"
        pieces.append((words, embedded(url)))
    return "\n\n".join(f"<!-- {words} -->\n{code}" for words, code in pieces) + "\n"
