"""How does an explanation point at cells of the map?"""

from bokeh.core.properties import value
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

COLOUR = "#c026d3"  # of nothing else on the map; 3:1 or more against its lightest and darkest cell


def add_outlines(plot: figure, name: str) -> figure:
    """Add the outlines of the section `name` to its figure; see `render_outlines`."""
    source = ColumnDataSource(name=f"{name}.outlines", data={"x": [], "y": []})
    plot.rect(
        x="x",
        y="y",
        width=0.84,
        height=0.84,
        source=source,
        level="overlay",
        fill_alpha=0,
        line_color=COLOUR,
        line_width=3.5,
        line_dash=value([6, 3]),  # a bare list beside a source is taken for a column of it
        name=f"{name}.outline",
    )
    return plot
