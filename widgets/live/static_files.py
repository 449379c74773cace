"""How do the big static files travel: compressed once, kept by the browser for a year?"""

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Any

from bokeh.settings import settings
from panel.io.resources import DIST_DIR
from tornado.web import StaticFileHandler

SMALL = 1400  # bytes that fit into one packet are not worth compressing
PACKED = (".js", ".css", ".json", ".svg", ".map")


@lru_cache(maxsize=256)
def _packed(path: str, modified: float) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 9, mtime=0)


class PackedStaticHandler(StaticFileHandler):
    """A static file, compressed for whoever accepts that; a versioned one is never asked for again.

    Bokeh and Panel put a hash or their version behind `?v=`, so that a new release has new names.
    """

    def set_extra_headers(self, path: str) -> None:
        self.set_header("Vary", "Accept-Encoding")
        if self.get_argument("v", None) or "@" in path:
            self.set_header("Cache-Control", "public, max-age=31536000, immutable")

    async def get(self, path: str, include_body: bool = True) -> None:
        accepted = self.request.headers.get("Accept-Encoding", "")
        self.path = self.parse_url_path(path)
        plain = "gzip" not in accepted or "Range" in self.request.headers
        if plain or not self.path.endswith(PACKED):
            await super().get(path, include_body)
            return
        found = self.validate_absolute_path(self.root, self.get_absolute_path(self.root, self.path))
        if found is None:
            return
        self.absolute_path = found
        size = self.get_content_size()
        if size < SMALL:
            await super().get(path, include_body)
            return
        self.modified = self.get_modified_time()
        self.set_headers()
        if self.should_return_304():
            self.set_status(304)
            return
        body = _packed(found, Path(found).stat().st_mtime)
        self.set_header("Content-Encoding", "gzip")
        self.set_header("Content-Length", str(len(body)))
        if include_body:
            self.write(body)


def static_patterns() -> list[tuple[str, type[StaticFileHandler], dict[str, Any]]]:
    """Return the routes that replace Panel's and Bokeh's own for these files."""
    return [
        (r"/static/extensions/panel/(.*)", PackedStaticHandler, {"path": str(DIST_DIR)}),
        (r"/static/(js/.*)", PackedStaticHandler, {"path": str(Path(settings.bokehjs_path()))}),
    ]
