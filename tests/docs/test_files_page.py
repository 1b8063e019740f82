"""The page on files shows what `sotto look` prints, and what a reading says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from sottovoce.cli import main
from tests.docs.page import DOCS, Page

PAGE = Page("files.md")
RIDES = "card;minutes;stops;way\nc1;3,5;1;bus\nc2;;2;tram\nc1;27,25;5;bus\nc3;12;3;bus\nc2;n.a.;2;tram\nc3;9,5;4;tram\n"


@pytest.fixture(autouse=True)
def rides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    Path("rides.csv").write_text(RIDES)


def test_look_prints_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert os.environ["COLUMNS"] == "100" and main(["look", "rides.csv"]) == 0
    shown = next(block for block in PAGE.blocks("") if block.startswith("$ sotto look rides.csv\n"))
    assert capsys.readouterr().out == shown.partition("\n")[2]


def test_a_reading_says_what_the_page_says() -> None:
    import sottovoce as sv

    people = sv.people(sv.read("rides.csv", skip_bad=True), user="card", value="minutes")
    reading = sv.reading_of(people)
    assert reading is not None
    (block,) = [one for one in PAGE.blocks("python") if "reading_of" in one]
    assert block.rpartition("# ")[2].strip() == repr(reading.warnings()).replace('("', '("')


def test_what_is_said_once_goes_to_a_call() -> None:
    import sottovoce as sv

    (block,) = [one for one in PAGE.blocks("python") if one.startswith("rides = sv.read(")]
    names = {"sv": sv}
    exec(compile(block, "files.md", "exec"), names)
    assert repr(names["rides"]) == "<Records of 'rides.csv', user='card', separator=';', skip_bad=True>"


def test_the_page_and_the_changelog_list_what_names_nobody() -> None:
    from sottovoce.data.records import NOBODY

    for page in (DOCS / "files.md", DOCS.parent / "CHANGELOG.md"):
        told = re.search(r"(`NA`[^;.]*?),\s+written\s+exactly so", page.read_text(encoding="utf-8"))
        assert told is not None and set(re.findall("`([^`]+)`", told[1])) == NOBODY - {""}, page.name
