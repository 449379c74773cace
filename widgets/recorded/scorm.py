"""How does the exported file become a package that a learning system takes in?

A SCORM package is a zip with a manifest at its top. `assets/recorded/scorm/` is what runs in it.
"""

import hashlib
import io
import re
import zipfile

from jinja2 import Environment

from attention_widget.assets import read_asset
from attention_widget.widgets.recorded.options import SCORM_VERSIONS

PAGE = "lesson.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say, so that equal lessons give equal zips
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENVIRONMENT = Environment(autoescape=True)


def manifest(version: str, title: str, identifier: str) -> str:
    """Return `imsmanifest.xml`.

    It names its namespaces and no schema files: those of SCORM 1.2 carry a copyright notice and no
    licence, so they may not be put into the package, and a file that is named must be there.

    Args:
        version: one of `SCORM_VERSIONS`.
        title: what the learning system calls the lesson.
        identifier: unique for the package; letters, digits, "-".

    Raises:
        ValueError: the version is not known.
    """
    if version not in SCORM_VERSIONS:
        raise ValueError(f"--version is one of {', '.join(SCORM_VERSIONS)}: got {version!r}")
    template = _ENVIRONMENT.from_string(read_asset(f"recorded/scorm-{version}.xml"))
    name = _NOT_XML.sub(" ", title).strip() or "Lesson"
    return template.render(title=name, identifier=identifier, page=PAGE)


def package(page: str, version: str, title: str) -> bytes:
    """Return the zip of an exported page; the same page, version and title give the same bytes.

    Raises:
        ValueError: the version is not known.
    """
    digest = hashlib.sha256(f"{version}\n{title}\n{page}".encode()).hexdigest()[:16]
    files = {
        "imsmanifest.xml": manifest(version, title, f"attention-widget-{digest}"),
        PAGE: page,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # the same on every system that makes it
            archive.writestr(entry, text.encode(), compresslevel=9)
    return buffer.getvalue()
