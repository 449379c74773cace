"""Is weight light, and can every mark be told from every other, in both schemes?"""

from itertools import pairwise

import pytest

from attention_widget.widgets.section import palette
from attention_widget.widgets.section.palette import SCHEMES, contrast, luminance

PAGES = {"light": ("#ffffff", "#f6f7f9"), "dark": ("#14181f", "#1d232c")}
in_both = pytest.mark.parametrize("name", SCHEMES)


@in_both
def test_brightness_is_strictly_monotone_in_the_weight(name):
    lights = [luminance(colour) for colour in SCHEMES[name]["seen"]]
    steps = list(pairwise(lights))
    assert all((a > b) if name == "light" else (a < b) for a, b in steps)
    assert contrast(SCHEMES[name]["seen"][0], SCHEMES[name]["seen"][-1]) > 2.5


@in_both
@pytest.mark.parametrize("night", ["masked", "hatch"])
def test_night_and_its_hatch_are_three_to_one_from_every_unmasked_cell(name, night):
    scheme = SCHEMES[name]
    unmasked = (*scheme["seen"], scheme["dropped"])
    assert min(contrast(scheme[night], colour) for colour in unmasked) >= 3


@in_both
def test_every_number_is_readable_on_its_cell(name):
    scheme = SCHEMES[name]
    *inks, masked_ink, dropped_ink = scheme["inks"]
    pairs = [*zip(inks, scheme["seen"], strict=True), (dropped_ink, scheme["dropped"])]
    pairs += [(masked_ink, scheme["masked"]), (masked_ink, scheme["hatch"])]
    assert min(contrast(*pair) for pair in pairs) >= 4.5


@in_both
def test_the_answers_outline_is_three_to_one_from_its_cell(name):
    scheme = SCHEMES[name]
    seen, masked = scheme["rings"]
    assert min(contrast(seen, colour) for colour in (*scheme["seen"], scheme["dropped"])) >= 3
    assert min(contrast(masked, scheme[night]) for night in ("masked", "hatch")) >= 3


@in_both
def test_arcs_and_sums_stand_out_from_the_page(name):
    scheme = SCHEMES[name]
    for page in PAGES[name]:
        assert min(contrast(colour, page) for colour in scheme["arcs"]) >= 3
        assert min(contrast(colour, page) for colour in scheme["sums"]) >= 4.5


@pytest.mark.parametrize(("value", "share"), [(0, 0), (0.01, 0.1), (0.25, 0.5), (0.81, 0.9)])
def test_weights_are_spaced_by_the_square_root(value, share):
    assert palette.palette_index(value, 0, 1) == int(share * palette.STEPS + 1e-9)


def test_scores_are_spaced_evenly_and_share_the_ends():
    assert palette.palette_index(0, -4, 4) == palette.STEPS // 2
    assert palette.palette_index(-99, -4, 4) == 0
    assert palette.palette_index(99, -4, 4) == palette.STEPS - 1


def test_a_colour_has_one_role_in_every_scheme():
    assert SCHEMES["light"].keys() == SCHEMES["dark"].keys()
