"""Does the README's line display the lesson in a notebook, with nothing set up and no network?"""

import base64
import gzip
import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from attention_widget.widgets.notebook import NO_KERNEL, recording
from tests.browser.conftest import free_port
from tests.conftest import NOT_RUN

pytestmark = pytest.mark.browser
LINE = "from attention_widget.widgets import Dashboard; dashboard = Dashboard(); dashboard"
LATER = "dashboard.state.causal = True"
MARIMO = """import marimo
app = marimo.App()
@app.cell
def _():
    from attention_widget.widgets import Dashboard
    dashboard = Dashboard()
    dashboard
    return (dashboard,)
@app.cell
def _(dashboard):
    dashboard.state.heads = 3
    return
if __name__ == "__main__":
    app.run()
"""
READY = "() => window.attentionWidget && !attentionWidget.busy()"
SHOWS = """([key, text]) => attentionWidget.root.querySelector(`[data-kpi=${key}]`).textContent
  === text"""


def needs(module: str) -> pytest.MarkDecorator:
    missing = importlib.util.find_spec(module) is None
    why = f"{NOT_RUN}{module} is not installed; type pip install -e '.[notebooks]'"
    return pytest.mark.skipif(missing, reason=why)


def notebook(folder: Path) -> Path:
    """A notebook of two cells, never run."""
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**cell, "id": f"cell-{n}", "source": text} for n, text in enumerate((LINE, LATER))]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = folder / "lesson.ipynb"
    metadata = {"kernelspec": kernel}
    book = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(book), encoding="utf-8")
    return path


@contextmanager
def running(*command: str, port: int, folder: Path) -> Iterator[str]:
    """Start a server of notebooks and wait until it answers."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *command], cwd=folder, stdout=log, stderr=log
        )
    url, end = f"http://127.0.0.1:{port}/", time.monotonic() + 90
    try:
        while True:
            try:
                urllib.request.urlopen(url + "api/status", timeout=10).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                assert time.monotonic() < end, (folder / "server.log").read_text()
                time.sleep(0.2)  # polling another process, not the page
        yield url
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def shut_in(browser: Browser) -> Iterator[Page]:
    """A page that reaches this machine and nothing else."""

    def own(route: Route) -> None:
        if route.request.url.startswith("http://127.0.0.1:"):
            route.continue_()
        else:
            route.abort()

    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.route("http*://**/*", own)
    yield context.new_page()
    context.close()


def shows(page: Page, key: str, text: str) -> None:
    page.wait_for_function(SHOWS, arg=[key, text])


JUPYTER: dict[str, Callable[[str], str]] = {
    "jupyterlab": lambda url: url + "lab/tree/lesson.ipynb",
    "notebook": lambda url: url + "notebooks/lesson.ipynb",
}


@pytest.mark.parametrize("module", [pytest.param(name, marks=needs(name)) for name in JUPYTER])
def test_a_fresh_cell_displays_the_lesson_and_another_cell_moves_it(shut_in, tmp_path, module):
    notebook(tmp_path)
    port, page = free_port(), shut_in
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={port}", "--allow-root"]
    options += ["--ServerApp.token=", "--ServerApp.password=", f"--ServerApp.root_dir={tmp_path}"]
    with running(module, *options, port=port, folder=tmp_path) as url:
        page.goto(JUPYTER[module](url))
        cells = page.locator(".jp-CodeCell")
        cells.first.locator(".cm-content").click(timeout=90000)
        page.locator("[data-status=idle], .jp-NotebookKernelStatus-idle").first.wait_for(
            state="attached", timeout=90000
        )
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(READY, timeout=90000)
        switch = page.get_by_role("switch", name="Causal mask")
        for text in ("15", "0"):
            switch.click()
            shows(page, "masked-cells", text)
        cells.nth(1).locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        shows(page, "masked-cells", "15")
        assert page.locator("iframe[srcdoc]").count() == 0


@needs("nbconvert")
def test_an_exported_notebook_shows_a_recording_that_works_without_a_kernel(shut_in, tmp_path):
    notebook(tmp_path)
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "lesson.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=dict(os.environ))
    shut_in.goto((tmp_path / "lesson.html").as_uri())
    handle = shut_in.wait_for_selector("iframe[srcdoc]", timeout=60000)
    expect(shut_in.get_by_text(NO_KERNEL)).to_be_visible()
    frame = handle.content_frame()
    assert frame is not None
    frame.wait_for_function(READY, timeout=60000)
    for text in ("15", "0"):
        frame.get_by_role("switch", name="Causal mask").click()
        frame.wait_for_function(SHOWS, arg=["masked-cells", text])
    frame.get_by_role("button", name="Go to the first question").click()
    frame.locator("label", has_text="Yes, it can").click()
    frame.locator("button[data-answer=read]").click()
    frame.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 1")


@needs("marimo")
def test_marimo_displays_the_lesson_and_python_moves_it(shut_in, tmp_path):
    port, page = free_port(), shut_in
    (tmp_path / "lesson.py").write_text(MARIMO, encoding="utf-8")
    options = ["run", "--headless", "--no-token", "--host", "127.0.0.1", "-p", str(port)]
    with running("marimo", *options, "lesson.py", port=port, folder=tmp_path) as url:
        page.goto(url)
        page.wait_for_function(READY, timeout=90000)
        page.get_by_role("switch", name="Causal mask").click()
        shows(page, "masked-cells", "15")
        shows(page, "d-head", "4")


def test_the_recording_beside_a_cell_is_the_map_and_the_checkpoint_in_less_than_a_megabyte():
    text = recording("Your journey starts with one step", 7)
    assert len(text) < 1_000_000
    page = gzip.decompress(base64.b64decode(text)).decode()
    assert 'id="part-map"' in page
    assert 'id="step-read"' in page
    assert 'id="part-leak"' not in page
