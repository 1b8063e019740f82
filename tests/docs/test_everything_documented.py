"""An undocumented public function, setting, route, command or code fails here."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.cli import app, failures
from sottovoce.client.visit import STATES
from sottovoce.problems import problems
from sottovoce.problems.fields import described
from sottovoce.service.routes import ROUTES
from sottovoce.words import catalogue
from tests.docs import codes
from tests.docs.page import Page

ERRORS = Page("reference/errors.md")
EXITS = {name: value for name, value in vars(failures).items() if name.isupper() and isinstance(value, int)}


def lacking(wanted: Iterable[str], told: str) -> list[str]:
    """What no row of a table begins with."""
    cells = re.findall(r"^\| ((?:`[^`|]+`(?:, )?)+) \|", told, flags=re.MULTILINE)
    first = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    return sorted(set(wanted) - first)


def section(title: str, page: Page = ERRORS) -> str:
    return page.text.partition(f"## {title}\n")[2].partition("\n## ")[0]


# ---- Python ---------------------------------------------------------------------------------------------------------


def unexplained(thing: Any, name: str) -> list[str]:
    """What a docstring leaves out: all of it, or a parameter of a function that has a list of them."""
    if inspect.ismodule(thing) or name == "__version__":
        return []
    text = inspect.getdoc(thing) or ""
    if inspect.isclass(thing):  # of its own, not a dataclass's list of fields
        text = "" if text.startswith(f"{thing.__name__}(") else text
    if len(text.split()) < 3:
        return [name]
    listed = re.search(r"\nParameters\n-+\n(.*?)(\n\n\w+\n-+\n|\Z)", text, flags=re.DOTALL)
    if listed is None:
        return []
    said = set(re.findall(r"\w+", " ".join(re.findall(r"^(\w+(?:, \w+)*)", listed[1], flags=re.MULTILINE))))
    return [f"{name}({own})" for own in inspect.signature(thing).parameters if own not in said]


@pytest.mark.parametrize("name", [name for name in sv.__all__ if name != "__version__"])
def test_public_names_have_a_docstring(name: str) -> None:
    assert unexplained(getattr(sv, name), name) == []


def test_public_names_are_on_the_site(site: Path) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").glob("*.html"))
    shown = set(re.findall(r'id="((?:sottovoce\.)[\w.]+|module-[\w.]+)"', pages))
    homes = {f"sottovoce.{name}": getattr(sv, name) for name in sv.__all__ if name != "__version__"}
    modules = {name: f"module-{thing.__name__}" for name, thing in homes.items() if inspect.ismodule(thing)}
    assert [name for name in homes if modules.get(name, name) not in shown] == []


def test_an_undocumented_function_is_noticed() -> None:
    def bare(data: object) -> None: ...

    def half(data: object, other: object) -> None:
        """Do what is to be done.

        Parameters
        ----------
        data
            see above
        """

    assert unexplained(bare, "bare") == ["bare"]
    assert unexplained(half, "half") == ["half(other)"]


# ---- settings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem", problems(), ids=lambda problem: problem.name)
def test_settings_are_explained(problem: Any, site: Path) -> None:
    page = (site / "reference" / "settings.html").read_text(encoding="utf-8")
    own = page.partition(f'<section id="{problem.name}">')[2].partition("</section>")[0]
    names = {field.name: field.help.text for field in described(problem.settings)}
    assert all(names.values())
    shown = set(re.findall(r'<td><p><code[^>]*><span class="pre">(\w+)</span>', own))
    assert set(names) <= shown
    assert {"made_up"} - shown, "a name that is not there is not found"


# ---- commands, routes -----------------------------------------------------------------------------------------------


def commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield parser.prog
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from commands(command)


def test_commands_are_on_the_page() -> None:
    titles = set(re.findall(r"^## (sotto.*)$", Page("commands.md").text, flags=re.MULTILINE))
    found = set(commands(app.build_parser()))
    assert len(found) > 50
    assert found <= titles
    assert not {"sotto made-up"} <= titles


def test_routes_are_on_the_page() -> None:
    rows = set(re.findall(r"^\| (GET|POST) \| `([^`]+)` \|", Page("routes.md").text, flags=re.MULTILINE))
    assert {(route.method, route.path) for route in ROUTES} <= rows
    assert ("GET", "/made-up") not in rows


# ---- codes ----------------------------------------------------------------------------------------------------------


def test_what_cannot_be_used_is_on_the_page() -> None:
    found = codes.narrower()
    assert len(found) >= 10
    assert lacking(found, section("What cannot be used")) == []
    assert lacking(["made-up"], section("What cannot be used")) == ["made-up"]


def test_what_collectors_refuse_is_on_the_page() -> None:
    (chosen,) = catalogue().text("page-refused")
    found = codes.refused() | {code for code, _ in chosen.cases if code != "other"}
    assert len(found) >= 20
    assert lacking(found, section("What a collector refuses")) == []


def test_what_devices_decline_is_on_the_page() -> None:
    found = codes.declined() | set(failures._REMEDIES)
    assert len(found) >= 12
    assert lacking(found, section("What a device declines")) == []
    told = inspect.getdoc(sv.Declined) or ""
    assert set(re.findall(r"``([a-z-]+)``", told)) <= found, "a code that nothing declines with any more"


def test_what_comes_of_answering_is_on_the_page() -> None:
    told = section("What comes of answering")
    assert lacking(STATES, told) == []
    found = codes.outcomes()
    assert len(found) >= 12
    assert lacking(found, told) == []


def test_exit_codes_are_on_the_page() -> None:
    assert len(EXITS) == 8
    assert lacking(map(str, EXITS.values()), section("What a command exits with")) == []


def test_a_made_up_code_is_noticed() -> None:
    for title in ("What a collector refuses", "What a device declines", "What comes of answering"):
        assert lacking(["made-up"], section(title)) == ["made-up"]
    assert lacking(["99"], section("What a command exits with")) == ["99"]
