"""Front-end files (style, markup, scripts) and how to read them from a checkout or a wheel."""

from functools import cache
from importlib.resources import files


@cache
def read_asset(name: str) -> str:
    """Return the text of the asset `name`, for example "page/style.css".

    Raises:
        FileNotFoundError: there is no such asset.
    """
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
