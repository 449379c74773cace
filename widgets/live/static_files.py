"""How do the big static files travel: compressed once, and kept by the browser?"""

import gzip
import mimetypes
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bokeh.settings import settings
from panel.io.resources import DIST_DIR
from tornado.web import StaticFileHandler

SMALL = 1400  # bytes that fit into one packet are not worth compressing
COMPRESSED = (".js", ".css", ".json", ".svg", ".map")


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="attention-widget-")  # one per process, gone at its end


@lru_cache(maxsize=256)
def _compressed(path: str, modified: float) -> str:
    """Return the path of a compressed copy."""
    copy = Path(_folder().name) / f"{abs(hash((path, modified)))}.gz"
    copy.write_bytes(gzip.compress(Path(path).read_bytes(), 9, mtime=0))
    return str(copy)


class CompressedStaticHandler(StaticFileHandler):
    """A static file; whoever accepts that is sent the compressed copy.

    Bokeh and Panel put a hash or their version behind `?v=`, and Tornado lets the browser keep what
    is asked for so: a new release has new names.
    """

    _of = ""  # the file that was asked for

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Return the file to send, or None when all is answered."""
        found = super().validate_absolute_path(root, absolute_path)
        self._of = found or ""
        accepted = self.request.headers.get("Accept-Encoding", "")
        if (
            found is None
            or "gzip" not in accepted
            or not found.endswith(COMPRESSED)
            or Path(found).stat().st_size < SMALL
        ):
            return found  # type: ignore[no-any-return, unused-ignore]
        return _compressed(found, Path(found).stat().st_mtime)

    def get_content_size(self) -> int:
        """Return the bytes that are sent."""
        return Path(self.absolute_path).stat().st_size

    def get_content_type(self) -> str:
        """Return the type of the file that was asked for, not of the copy."""
        return mimetypes.guess_type(self._of)[0] or "application/octet-stream"

    def get_cache_time(self, path: str, modified: Any, mime_type: str) -> int:
        """Return seconds: Tornado's ten years for a version in the query or in the path, else 0."""
        if "@" in path:
            return self.CACHE_MAX_AGE  # type: ignore[no-any-return, unused-ignore]
        return super().get_cache_time(path, modified, mime_type)  # type: ignore[no-any-return, unused-ignore]

    def set_extra_headers(self, path: str) -> None:
        """Say how the file is sent."""
        if self.absolute_path != self._of:
            self.set_header("Content-Encoding", "gzip")


def static_patterns() -> list[tuple[str, type[StaticFileHandler], dict[str, Any]]]:
    """Return the routes that replace Panel's and Bokeh's own for these files."""
    return [
        (r"/static/extensions/panel/(.*)", CompressedStaticHandler, {"path": str(DIST_DIR)}),
        (
            r"/static/(js/.*)",
            CompressedStaticHandler,
            {"path": str(Path(settings.bokehjs_path()))},
        ),
    ]
