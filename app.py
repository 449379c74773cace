"""The live widget: `panel serve app.py`. Works in a checkout that is not installed, too."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

FOLDERS = {
    "attention_widget": "attention",
    "attention_widget.widgets": "widgets",
    "attention_widget.assets": "assets",
}


class Checkout(MetaPathFinder):
    """Find the three packages beside this file, which are installed under one name."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in FOLDERS:
            return None
        folder = Path(__file__).resolve().parent / FOLDERS[name]
        return spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


if "attention_widget" not in sys.modules:  # Panel runs this file once per visitor
    sys.meta_path.insert(0, Checkout())

from attention_widget.widgets.live.page import serve_page  # noqa: E402 (found by the lines above)

serve_page()
