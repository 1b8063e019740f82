"""The site is built without a warning, its links lead somewhere, and it needs no network."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.docs.page import DOCS


@pytest.fixture(scope="module")
def checker() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "check_site.py"))


def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(site: Path, checker: dict[str, Any]) -> None:
    assert checker["faults"](site) == []


def test_every_page_is_there(site: Path) -> None:
    pages = [page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")]
    assert len(pages) > 50
    assert [page for page in pages if not (site / page).is_file()] == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('<a href="nowhere.html">x</a>', "no such file"),
        ('<a href="#nowhere">x</a>', "no such place"),
        ('<a href="other.html#nowhere">x</a>', "no such place"),
        ('<a href="../../etc/passwd">x</a>', "no such file"),
        ('<a href="http:nothing">x</a>', "not an address"),
        ('<img src="missing.svg">', "no such file"),
        ('<script src="https://cdn.example.org/a.js"></script>', "loads"),
        ('<link rel="stylesheet" href="//fonts.example.org/a.css">', "loads"),
        ('<p style="background: url(https://example.org/a.png)">x</p>', "loads"),
    ],
)
def test_a_fault_is_found(wrong: str, told: str, tmp_path: Path, checker: dict[str, Any]) -> None:
    good = '<h1 id="top">x</h1><a href="other.html#here">y</a><a href="#top">z</a><a href="https://example.org/">w</a>'
    (tmp_path / "other.html").write_text('<p id="here">x</p>')
    (tmp_path / "index.html").write_text(good)
    assert checker["faults"](tmp_path) == []
    (tmp_path / "index.html").write_text(good + wrong)
    (found,) = checker["faults"](tmp_path)
    assert told in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "@import 'https://fonts.example.org/a.css';"),
        ("a.css", "p { background: url(//example.org/a.png) }"),
        ("a.js", 'fetch("https://example.org/a.json")'),
        ("a.js", 'image.src = "https://example.org/a.png"'),
    ],
)
def test_what_styles_and_scripts_load_is_found(name: str, text: str, tmp_path: Path, checker: dict[str, Any]) -> None:
    (tmp_path / "index.html").write_text("<p>x</p>")
    (tmp_path / name).write_text(text)
    assert len(checker["faults"](tmp_path)) == 1


def test_tables_of_explanations_are_current() -> None:
    maker = runpy.run_path(str(DOCS / "make_tables.py"))
    marked = [page for page in DOCS.rglob("*.md") if "<!-- table:" in page.read_text(encoding="utf-8")]
    assert len(marked) >= 4
    for page in marked:
        text = page.read_text(encoding="utf-8")
        assert text == maker["filled"](text), f"run: python docs/make_tables.py ({page.name})"


def test_pictures_are_drawn_for_both_kinds_of_pages() -> None:
    shown = {name for page in DOCS.rglob("*.md") for name in re.findall(r"pictures/([\w-]+\.svg)", page.read_text())}
    drawn = runpy.run_path(str(DOCS / "pictures" / "explain.py"))
    made = {f"{name}-{page}.svg" for name in drawn["PICTURES"] for page in drawn["INKS"]}
    assert made <= shown, "a picture that no page shows"
    assert all((DOCS / "pictures" / name).is_file() for name in shown)


def test_the_readings_that_the_code_cites_are_on_the_page() -> None:
    page = (DOCS / "errata.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| \*\*(P\d)\*\*", page, flags=re.MULTILINE))
    listed |= set(re.findall(r"^(\d+)\. ", page, flags=re.MULTILINE))
    source = DOCS.parent / "src" / "sottovoce"
    cited = {
        number
        for path in [*source.rglob("*.py"), *source.rglob("*.md")]
        for group in re.findall(r"ERRATA((?:,? P?\d+)+)", path.read_text(encoding="utf-8"))
        for number in re.findall(r"P?\d+", group)
    }
    assert len(cited) > 20
    assert cited <= listed, f"docs/errata.md does not have {sorted(cited - listed)}"
