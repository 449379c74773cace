"""Which kinds of parameters does a lesson need beside Param's own?

A parameter says everything there is to say about a control, once: label, doc, bounds, step, default
and objects. These kinds say what Param has no word for.
"""

import param

from attention_widget.lesson import check_seed, tokenize
from attention_widget.widgets.section.wording import shown


class Cycle(param.Integer):
    """A whole number that a button moves on by one, and from its upper bound back to the lower."""


class Pick(param.Integer):
    """Which part of what is painted is shown, counted from 1; all of them are painted together."""


class TypedIn(param.Parameter):
    """A value that is typed in as text; only a live page can follow it.

    Attributes:
        max_length: the longest text that is read.
    """

    max_length = 500

    def read(self, text: str) -> str | int:
        """Return the value that `text` stands for.

        Raises:
            ValueError: it stands for none, with the rule.
        """
        raise NotImplementedError


class Sentence(TypedIn, param.String):
    """A sentence of 1 to 16 words; a single space stands between two."""

    def read(self, text: str) -> str:
        """Return the words of `text`; see `tokenize` for what is refused."""
        return " ".join(tokenize(text))


class Seed(TypedIn, param.Integer):
    """The seed of every random number."""

    max_length = 40

    def read(self, text: str) -> int:
        """Return the seed; refused are texts that are none, with the rule."""
        try:
            return check_seed(int(text))
        except ValueError:
            low, high = self.bounds
            raise ValueError(
                f"{self.label} is a whole number from {low} to {high}: got {shown(text)}; try 7"
            ) from None
