"""Does a page in a test refuse to work with a name that it has no place for?"""

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import Lesson

pytestmark = pytest.mark.browser

TYPOS = {
    "map.title": ('data-slot="map.title"', 'data-slot="map.tilte"'),
    "map.causal": ('data-control="map.causal"', 'data-control="map.cuasal"'),
    "dropout.rows": ('data-slot="dropout.rows"', 'data-slot="dropout.row"'),
    "source:dropout.plot.rows": ('"dropout.plot.rows"', '"dropout.plot.row"'),
    "source:map.labels": ('"name":"map.labels"', '"name":"map.lables"'),
}


@pytest.mark.parametrize(("place", "typo"), TYPOS.items(), ids=TYPOS.keys())
def test_a_typo_in_the_page_is_an_error_in_tests(browser, recorded_file, tmp_path, place, typo):
    text = recorded_file.read_text(encoding="utf-8")
    assert text.count(typo[0]) == 1
    file = tmp_path / "lesson.html"
    file.write_text(text.replace(*typo), encoding="utf-8")
    page = browser.new_page()
    with pytest.raises(Error, match=f"no place on the page for.*{place.replace('map.c', '.*c')}"):
        Lesson(page, file.as_uri(), "file").open()
    page.close()
