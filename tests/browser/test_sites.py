"""Does what `snippet` prints work as pasted: in a MkDocs page that is not the index, in MDX?"""

import functools
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from attention_widget.widgets.recorded.snippet import snippet
from tests.browser.scorm_runtime import find_npm, run

pytestmark = pytest.mark.browser
MKDOCS, MDX = "mkdocs==1.6.1", "@mdx-js/mdx@3.1.1"


@pytest.fixture
def offered():
    """Offer a folder as a web site; gives its address."""
    servers = []

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

    def offer(folder):
        handler = functools.partial(Quiet, directory=str(folder))
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield offer
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("page_file", ["attention.md", "week-6/attention.md", "index.md"])
def test_a_real_mkdocs_page_shows_the_lesson_and_follows_its_height(
    browser, recorded_file, tmp_path_factory, offered, page_file, mkdocs
):
    site = tmp_path_factory.mktemp("site")
    docs = site / "docs"
    (docs / page_file).parent.mkdir(parents=True)
    (docs / "index.md").write_text("# Course\n")
    (docs / "lesson.html").write_bytes(recorded_file.read_bytes())
    pasted = snippet(file="lesson.html", host="mkdocs", page=page_file, height=300)
    (docs / page_file).write_text(f"# Week 6\n\n{pasted}\nAfter it.\n")
    (site / "mkdocs.yml").write_text("site_name: Course\ntheme: {name: null, custom_dir: theme}\n")
    (site / "theme").mkdir()
    (site / "theme" / "main.html").write_text("<!doctype html><body>{{ page.content }}</body>")
    run([*mkdocs, "build", "-q", "-f", str(site / "mkdocs.yml"), "-d", str(site / "built")])
    page = browser.new_page()
    own = page_file.removesuffix("index.md").replace(".md", "/")
    page.goto(f"{offered(site / 'built')}/{own}")
    page.locator("iframe").scroll_into_view_if_needed()
    page.wait_for_function("() => frames[0]?.attentionWidget")
    page.wait_for_function("() => document.querySelector('iframe').clientHeight > 600")
    assert page.locator("iframe").count() == 1
    page.close()


@pytest.fixture(scope="module")
def mkdocs(tmp_path_factory):
    """The command that is MkDocs, from a folder of its own."""
    home = tmp_path_factory.mktemp("mkdocs")
    run([sys.executable, "-m", "pip", "install", "-q", "--target", str(home), MKDOCS])
    start = f"import sys; sys.path.insert(0, {str(home)!r}); import mkdocs.__main__ as m; m.cli()"
    return [sys.executable, "-c", start]


@pytest.mark.parametrize("words", [{"file": "lesson.html"}, {"url": "https://h/app"}])
def test_the_form_for_docusaurus_is_mdx_that_compiles(tmp_path, words):
    npm = find_npm()
    run([*npm, "install", "--no-audit", "--no-fund", "--prefix", str(tmp_path), MDX])
    (tmp_path / "page.mdx").write_text("# Week 6\n\n" + snippet(host="docusaurus", **words))
    (tmp_path / "compile.mjs").write_text(
        "import {compile} from '@mdx-js/mdx'; import {readFileSync} from 'node:fs';\n"
        "console.log(String(await compile(readFileSync('page.mdx'))));"
    )
    node = npm[0] if len(npm) > 1 else str(shutil.which("node"))  # beside npm
    command = [node, "compile.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "AttentionLesson" in done.stdout
    assert '"iframe"' in done.stdout
    assert ("useBaseUrl" in done.stdout) == ("file" in words)
