"""What do all figures have in common, so that each says only what is its own?"""

from typing import Any

from bokeh.plotting import figure
from bokeh.themes import Theme

LINE = "#7b8493"  # of grids and axes; readable on a light page and on a dark one
# How figures look. `widgets.page.figures` applies it when a figure leaves for the page.
THEME = Theme(
    json={
        "attrs": {
            "Plot": {
                "background_fill_alpha": 0,
                "border_fill_alpha": 0,
                "outline_line_color": None,
                "min_width": 0,
                "sizing_mode": "stretch_both",
                "lod_threshold": None,  # all points while the page moves, too
                "output_backend": "canvas",
            },
            "Grid": {"grid_line_color": LINE, "grid_line_alpha": 0.3},
            "Axis": {
                "axis_line_color": LINE,
                "major_tick_line_color": LINE,
                "minor_tick_line_color": None,
                "axis_label_text_font_style": "normal",
            },
        }
    }
)


def make_figure(name: str, **options: Any) -> figure:
    """Return an empty figure "<name>.figure" that no drag, no wheel and no toolbar can move.

    Args:
        name: of the section, or of one of its figures.
        options: of `bokeh.plotting.figure`.
    """
    plot = figure(name=f"{name}.figure", tools="", toolbar_location=None, **options)
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    return plot
