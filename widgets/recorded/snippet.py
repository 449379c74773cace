"""What does a teacher paste into a course page?

Each host is given what works there: Moodle's editor takes scripts out, MkDocs moves every page but
the index into a folder of its own, Docusaurus reads JSX.
"""

import json
from html import escape
from urllib.parse import urlsplit

from bokeh.embed import server_document

from attention_widget.widgets.page.markup import TITLE

FRAME_TITLE = f"{TITLE}, interactive"
HEIGHT = 1400  # px; a page that does not follow the lesson's height shows it with a scroll bar
TOP, LOW = 200, 20000  # px that make sense
HOSTS = ("plain", "moodle", "mkdocs", "jupyter-book", "docusaurus")
MOODLE_FILE = "pluginfile.php/"

# For a plain page. Canvas and some others listen to this message by themselves.
FOLLOW = """<script>
  addEventListener("message", (event) => {
    if (event.data?.subject !== "lti.frameResize" || !(event.data.height > 0)) return;
    for (const frame of document.querySelectorAll("iframe[data-attention-lesson]")) {
      if (frame.contentWindow === event.source) frame.style.height = event.data.height + "px";
    }
  });
</script>"""

# The same for React, as a component of the page itself.
BASE = 'import useBaseUrl from "@docusaurus/useBaseUrl";\n'
JSX = """import {{useEffect, useRef}} from "react";
{base}
export function AttentionLesson() {{
  const frame = useRef(null);
  useEffect(() => {{
    const follow = (event) => {{
      if (event.data?.subject !== "lti.frameResize" || !(event.data.height > 0)) return;
      if (frame.current?.contentWindow !== event.source) return;
      frame.current.style.height = `${{event.data.height}}px`;
    }};
    window.addEventListener("message", follow);
    return () => window.removeEventListener("message", follow);
  }}, []);
  return (
    <iframe
      ref={{frame}}
      src={{{source}}}
      title={{{title}}}
      width="100%"
      height="{height}"
      loading="lazy"
      style={{{{border: 0, display: "block"}}}}
      data-attention-lesson
    />
  );
}}

<AttentionLesson />"""


def iframe(
    source: str, title: str = FRAME_TITLE, height: int = HEIGHT, sandbox: bool = False
) -> str:
    """Return the iframe form.

    Args:
        source: address of the exported file or of the live page.
        title: what a screen reader calls the frame.
        height: in px, until the page follows the lesson's own.
        sandbox: allow scripts and downloads and nothing else.

    Raises:
        ValueError: the title is empty, the height or the address makes no sense.
    """
    _check(source, title, height)
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


def snippet(
    *,
    file: str = "",
    url: str = "",
    host: str = HOSTS[0],
    title: str = FRAME_TITLE,
    height: int = HEIGHT,
    sandbox: bool = False,
    frameless: bool = False,
    page: str = "",
) -> str:
    """Return what is to be pasted, and nothing else: one lesson.

    Args:
        file: the exported file as the page finds it; for MkDocs, Jupyter Book and Docusaurus as it
            stands below the site's top (`docs/`, the book's folder, `static/`).
        url: address of a live page instead.
        host: one of `HOSTS`.
        title: what a screen reader calls the frame.
        height: in px, until the page follows.
        sandbox: shut the file in further; progress is then kept by the course page or not at all.
        frameless: put a live page's widget into a plain page without a frame.
        page: for MkDocs and Jupyter Book: the page's own file below the site's top, for example
            "week-6/attention.md"; a page at the top that is not the index if left out.

    Raises:
        ValueError: neither or both of `file` and `url`, an unknown host, a form that the host does
            not take, or see `iframe` and `embedded`.
    """
    if file and url:
        raise ValueError(
            "a snippet is of one lesson: got --file and --url; give one of them, not both"
        )
    if not (file or url):
        raise ValueError(
            "a snippet is of one lesson: got neither; give --file lesson.html or --url https://…"
        )
    if host not in HOSTS:
        raise ValueError(f"--for is one of {', '.join(HOSTS)}: got {host!r}")
    if frameless:
        if host != "plain" or not url:
            raise ValueError("--frameless goes with --for plain and --url; leave it out")
        return embedded(url) + "\n"
    source = file or url
    if host == "docusaurus":
        _check(source, title, height)
        if sandbox:
            raise ValueError("--sandbox goes with every host but docusaurus; leave it out")
        place = json.dumps(url) if url else f"useBaseUrl({json.dumps('/' + file.lstrip('/'))})"
        base = "" if url else BASE  # a file of the site has an address that follows the site's own
        words = {"base": base, "source": place, "title": json.dumps(title), "height": height}
        return JSX.format(**words) + "\n"
    if host == "moodle":
        if file and MOODLE_FILE not in file:
            raise ValueError(
                "Moodle shows a file at the address that it gave it: upload it as a File, open it, "
                f"and give that address (https://…/{MOODLE_FILE}…/lesson.html): got {file[:60]!r}"
            )
        return iframe(source, title, height, sandbox) + "\n"  # its editor takes scripts out
    if file and not urlsplit(file).scheme:
        source = _up(host, page) + file
    return f"{iframe(source, title, height, sandbox)}\n{FOLLOW}\n"


def _up(host: str, page: str) -> str:
    """Return the way from a page of a site up to the site's top."""
    *folders, name = (page or "page.md").split("/")
    own = host == "mkdocs" and name.rpartition(".")[0] not in (
        "index",
        "README",
    )  # page.md is page/
    return "../" * (len(folders) + own) if host in ("mkdocs", "jupyter-book") else ""


def _check(source: str, title: str, height: int) -> None:
    if not title.strip():
        raise ValueError("--title must say what is in the frame: got nothing; leave it out")
    if not TOP <= height <= LOW:
        raise ValueError(f"--height goes from {TOP} to {LOW} px: got {height}; try {HEIGHT}")
    if urlsplit(source).scheme.lower() not in ("", "http", "https"):
        raise ValueError(f"a frame shows a file or an http(s) address: got {source[:60]!r}")
