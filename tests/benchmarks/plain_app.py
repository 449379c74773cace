"""The same lesson as Panel's own page would have it: no page template, nothing left out."""

from attention_widget.widgets.live.dashboard import Dashboard

Dashboard().servable()
