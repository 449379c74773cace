"""Is the package what a learning system expects, whatever the title?"""

import io
import json
import zipfile
from xml.etree import ElementTree

import pytest

from attention_widget.widgets.checkpoint.steps import steps_about
from attention_widget.widgets.cli import main
from attention_widget.widgets.recorded.options import SCORM_VERSIONS
from attention_widget.widgets.recorded.scorm import PAGE, manifest, package

HOSTILE = """</title><script>alert(1)</script> & "quotes" 'too' ]]> <!-- \x00\x08 ﾠ 🙂 שלום"""
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMA = {"1.2": "1.2", "2004": "2004 3rd Edition"}
SPACE = {
    "1.2": (
        "{http://www.imsproject.org/xsd/imscp_rootv1p1p2}",
        "{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype",
    ),
    "2004": (
        "{http://www.imsglobal.org/xsd/imscp_v1p1}",
        "{http://www.adlnet.org/xsd/adlcp_v1p3}scormType",
    ),
}


@pytest.mark.parametrize("version", SCORM_VERSIONS)
def test_the_manifest_launches_the_one_file_it_lists(version):
    top = ElementTree.fromstring(manifest(version, "A lesson", "attention-1"))
    ims, kind = SPACE[version]
    assert top.tag == f"{ims}manifest"
    assert top.findtext(f"{ims}metadata/{ims}schemaversion") == SCHEMA[version]
    organizations = top.find(f"{ims}organizations")
    organization = organizations.find(f"{ims}organization")
    assert organizations.get("default") == organization.get("identifier")
    item = organization.find(f"{ims}item")
    resource = top.find(f"{ims}resources/{ims}resource")
    assert item.get("identifierref") == resource.get("identifier")
    assert resource.get(kind) == "sco"
    assert resource.get("href") == PAGE == resource.find(f"{ims}file").get("href")


@pytest.mark.parametrize("version", SCORM_VERSIONS)
def test_a_hostile_title_is_only_a_title(version):
    text = manifest(version, HOSTILE, "attention-1")
    top = ElementTree.fromstring(text)  # well-formed in the first place
    plain = ElementTree.fromstring(manifest(version, "A lesson", "attention-1"))
    assert [el.tag for el in top.iter()] == [el.tag for el in plain.iter()]
    ims = SPACE[version][0]
    titles = [el.text for el in top.iter(f"{ims}title")]
    assert titles == [HOSTILE.replace("\x00", " ").replace("\x08", " ")] * 2


@pytest.mark.parametrize("version", SCORM_VERSIONS)
def test_the_zip_holds_the_manifest_at_its_top_and_the_page_as_it_is(version):
    page = "<!doctype html><p>Ünïcode 🙂</p>"
    with zipfile.ZipFile(io.BytesIO(package(page, version, "A lesson"))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["imsmanifest.xml", PAGE]
        assert archive.read(PAGE).decode() == page
        ElementTree.fromstring(archive.read("imsmanifest.xml"))


@pytest.mark.parametrize("version", SCORM_VERSIONS)
def test_the_zip_holds_every_schema_file_that_the_manifest_names(version):
    with zipfile.ZipFile(io.BytesIO(package("a", version, "A lesson"))) as archive:
        text = archive.read("imsmanifest.xml").decode()
        for element in ElementTree.fromstring(text).iter():
            named = element.get(f"{{{INSTANCE}}}schemaLocation", "").split()[1::2]
            assert set(named) <= set(archive.namelist())


def test_the_same_lesson_gives_the_same_zip_and_another_one_another_identifier():
    assert package("a", "1.2", "t") == package("a", "1.2", "t")
    names = set()
    for page, version, title in [
        ("a", "1.2", "t"),
        ("b", "1.2", "t"),
        ("a", "2004", "t"),
        ("a", "1.2", "u"),
    ]:
        with zipfile.ZipFile(io.BytesIO(package(page, version, title))) as archive:
            names.add(ElementTree.fromstring(archive.read("imsmanifest.xml")).get("identifier"))
    assert len(names) == 4


def test_the_command_packs_the_page_and_warns_of_locks_that_shut_a_student_out(tmp_path, capsys):
    path = tmp_path / "lesson.zip"
    words = ["--version", "2004", "--parts", "map", "--draws", "1", "--lock", "map.heads"]
    assert main(["scorm", str(path), *words]) == 0
    output = capsys.readouterr()
    assert "SCORM 2004" in output.out
    assert "give each its own --activity-id where they must not" in output.out
    assert "no student can finish the checkpoint with these locks" in output.err
    titles = [step.title for step in steps_about(()) if step.graded]
    at = next(n for n, title in enumerate(titles, start=1) if title.startswith("How wide is one"))
    assert f"it stops at step {at} of {len(titles)}, “How wide is one" in output.err
    with zipfile.ZipFile(path) as archive:
        page = archive.read(PAGE).decode()
        assert "2004 3rd Edition" in archive.read("imsmanifest.xml").decode()
    options = json.loads(page.split('id="lesson-options">', 1)[1].split("</script>", 1)[0])
    assert options.pop("name").startswith("attention-")
    assert options == {"preset": {}, "lock": ["map.heads"], "parts": ["map"], "scorm": "2004"}
    assert [file.name for file in tmp_path.iterdir()] == ["lesson.zip"]


def test_an_unknown_version_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"1\.2, 2004: got '1\.3'"):
        manifest("1.3", "t", "i")
