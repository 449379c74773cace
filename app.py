"""The live widget: `panel serve app.py`."""

from widgets.serving import serve_page

serve_page()
