"""Does the end of the checkpoint lead on: to the labs, and to a student's own code?"""

from attention_widget.widgets.checkpoint.words import END
from attention_widget.widgets.cli import _parser
from attention_widget.widgets.lesson import TABS, Lesson
from attention_widget.widgets.page.markup import skeleton


def test_the_end_points_to_the_check_of_ones_own_code_by_a_command_that_there_is():
    assert f"<code>{END['command']}</code>" in skeleton(Lesson())
    program, *arguments = END["command"].split()
    assert program == "attention-widget"
    assert callable(_parser().parse_args(arguments).run)


def test_each_thing_to_try_opens_a_tab_that_there_is():
    assert {tab for _, tab in END["tries"]} <= {tab.name for tab in TABS}
