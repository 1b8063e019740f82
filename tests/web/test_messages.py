"""What pages say: every code that a script names is in the files of messages that its page loads."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from sottovoce.words import entries
from tests.web.files import WEB, scripts

LOADED = re.compile(r"loaded\((\[[^\]]*\])\)")
SAID = re.compile(r'\b(?:say|fact)\(\s*(?:[^"`()]*\? )?"([a-z0-9-]+)"(?: : "([a-z0-9-]+)")?')
SEVERAL = re.compile(r'\btexts\("([a-z-]+)", ((?:"[a-z-]+"(?:, )?)+)\)')


def named(page: str) -> set[str]:
    """The codes that stand in the scripts of a page, as far as they stand there whole."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts(WEB / page))
    several = {
        f"{page}-{part}-{name}" for part, names in SEVERAL.findall(text) for name in re.findall(r'"([^"]+)"', names)
    }
    return several | {code for found in SAID.findall(text) for code in found if code}


@pytest.mark.parametrize("page, least", [("dashboard", 150), ("participate", 100)])
def test_a_page_loads_the_messages_that_it_names(page: str, least: int) -> None:
    (listed,) = LOADED.findall((WEB / page / "words.js").read_text(encoding="utf-8"))
    folder = files("sottovoce.words").joinpath("en")
    known = {
        code.removeprefix("on-page-")
        for name in re.findall(r'"([a-z]+)"', listed)
        for code in entries(folder.joinpath(f"{name}.ftl").read_text(encoding="utf-8"))
    }
    assert len(named(page)) > least, "they are found"
    assert named(page) <= known, named(page) - known


def test_every_message_of_the_dashboard_is_named() -> None:
    text = files("sottovoce.words").joinpath("en", "dashboard.ftl").read_text(encoding="utf-8")
    made = r"dashboard-(create-(access|enrolment)|trouble|reality)-"  # their ends are a kind, a choice, a state
    unused = {code for code in entries(text).keys() - named("dashboard") if not re.match(made, code)}
    assert unused == set()
