"""With which headers do the page and its files go out?"""

import gzip

import pytest

from tests.live.serving import play, serving
from tests.live.websocket import Visitor

SCRIPT = "/static/js/bokeh.min.js"


def fetch(path, **headers):
    """Get a path of the server; give status, headers and body as they travelled."""

    async def scenario():
        async with serving() as (port, _):
            visitor = Visitor(port)
            visitor.host = f"localhost:{port}"
            answer = await visitor.fetch(path, headers=headers, decompress_response=False)
            return answer.code, answer.headers, answer.body

    return play(scenario())


@pytest.mark.parametrize("path", ["/app", "/app/autoload.js?bokeh-autoload-element=x", "/app?x=1"])
def test_the_page_says_who_may_frame_it_and_travels_compressed(path):
    code, headers, body = fetch(path, **{"Accept-Encoding": "gzip"})
    assert code == 200
    assert headers["Content-Security-Policy"] == "frame-ancestors 'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert headers["Content-Encoding"] == "gzip"
    assert b"Bokeh" in gzip.decompress(body)


def test_a_refusal_says_who_may_frame_it_too():
    code, headers, _ = fetch("/app/autoload.js")
    assert code == 400
    assert headers["Content-Security-Policy"] == "frame-ancestors 'self'"


def test_a_script_is_compressed_once_and_kept_when_its_version_is_named():
    code, headers, body = fetch(f"{SCRIPT}?v=1", **{"Accept-Encoding": "gzip"})
    assert code == 200
    assert headers["Content-Encoding"] == "gzip"
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["Content-Type"].endswith("/javascript")
    assert int(headers["Content-Length"]) == len(body) < 450_000
    assert headers["Cache-Control"] == "max-age=315360000"
    plain = fetch(SCRIPT)
    assert "Content-Encoding" not in plain[1]
    assert "max-age" not in plain[1].get("Cache-Control", "")
    assert plain[2] == gzip.decompress(body)
    part = fetch(SCRIPT, **{"Accept-Encoding": "gzip", "Range": "bytes=0-9"})
    assert (part[0], part[2]) == (206, body[:10])


def test_a_script_that_the_browser_has_is_not_sent_again():
    _, headers, _ = fetch(SCRIPT, **{"Accept-Encoding": "gzip"})
    again = fetch(SCRIPT, **{"Accept-Encoding": "gzip", "If-None-Match": headers["Etag"]})
    assert (again[0], again[2]) == (304, b"")


def test_nothing_outside_the_folder_is_sent():
    for path in ("/static/js/..%2f..%2f..%2f__init__.py", "/static/js/nothing.js"):
        assert fetch(path, **{"Accept-Encoding": "gzip"})[0] in (403, 404)
