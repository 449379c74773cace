"""A visitor of the plain Bokeh page that the lesson is compared with."""

import re

from tests.live.websocket import Visitor, plain


class RawVisitor(Visitor):
    """One open session of `tests/benchmarks/raw_app.py`; a move is answered by its last change."""

    def _begin(self) -> None:
        self._ids = {}
        self._shown = "12"
        todo = [*self.doc["roots"]]
        while todo:
            match todo.pop():
                case {"id": str(name), "attributes": dict(more)}:
                    self._ids[more.get("name")] = name
                    todo += more.values()
                case dict(other):
                    todo += other.values()
                case list(many):
                    todo += many

    @property
    def width(self) -> str:
        """What the page shows as the width of a head."""
        return self._shown

    async def choose(self, heads: int) -> None:
        """Move the slider, and wait for the text, which is sent last."""
        change = {"kind": "ModelChanged", "model": {"id": self._ids["heads"]}, "attr": "value"}
        await self.say("PATCH-DOC", {"events": [{**change, "new": heads}]})
        while True:
            kind, _, content = await self.hear()
            for event in content.get("events", ()) if kind == "PATCH-DOC" else ():
                if event["model"]["id"] == self._ids["words"]:
                    found = re.search(r"d-head'>(\d+)", plain(event["new"]))
                    assert found
                    self._shown = found[1]
                    return
