"""An undocumented public function, setting, route, command or code fails here."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
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


# ---- codes: every one that a program could meet, read from the sources ----------------------------------------------

SOURCE = Path(__file__).parents[2] / "src" / "sottovoce"
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
_PLACES = {"Declined": 0, "VisitEnded": 1, "CollectorRefusal": 1, "told": 1, "wait": 0, "pause": 0, "Later": 0}
"""At which place a call of this name has its code."""


def refused_codes() -> set[str]:
    """What a collector refuses with: behind an HTTP status, or as ``code=``."""
    return set(_in_room("service", _beside_a_status))


def narrower_codes() -> set[str]:
    """What exceptions have in place of the code of their class."""
    rooms = (path.name for path in SOURCE.iterdir() if path.is_dir())
    return {code for room in rooms for code in _in_room(room, _told_apart)}


def declined_codes() -> set[str]:
    """What devices decline with, in Python and in JavaScript; the client's own reasons included."""
    found = {
        code
        for room in ("device", "client", "messages")
        for code in _in_room(room, lambda node: _from_calls(node, ("Declined",)))
    }
    found |= {code for state, code in _ended() if state == "declined"}
    return found | _in_scripts(r'Declined\(\s*"([a-z-]+)"', r'state: "declined", code: "([a-z-]+)"')


def outcome_codes() -> set[str]:
    """What else comes of answering."""
    found = set(
        _in_room("client", lambda node: _from_calls(node, ("told", "wait", "pause", "Later", "CollectorRefusal")))
    )
    found |= {code for state, code in _ended() if state != "declined"}
    return found | _in_scripts(
        r'state: "(?!declined)[a-z]+",\s*code: (?:location.hash \? )?"([a-z-]+)"',
        r'Ended\("(?!declined)[a-z]+", "([a-z-]+)"',
        r'\.wait\("([a-z-]+)"',
        r'code: location\.hash \? "[a-z-]+" : "([a-z-]+)"',
    )


def _ended() -> Iterator[tuple[str, str]]:
    for path in (SOURCE / "client").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node) == "VisitEnded":
                state, code = (_text(given) for given in node.args[:2])
                if state and code:
                    yield state, code


def _in_room(room: str, look: object) -> Iterator[str]:
    assert callable(look)
    for path in sorted((SOURCE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield from look(node)


def _from_calls(node: ast.AST, names: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, ast.Call) and (name := _name(node)) in names and len(node.args) > _PLACES[name]:
        yield from filter(None, [_text(node.args[_PLACES[name]])])


def _beside_a_status(node: ast.AST) -> Iterator[str]:
    row = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
    for status, code in pairwise(row):
        if isinstance(status, ast.Constant) and isinstance(status.value, int) and 400 <= status.value < 600:
            yield from filter(None, [_text(code)])
    if isinstance(node, ast.Call) and _name(node) == "Refused":
        yield from filter(None, (_text(given.value) for given in node.keywords if given.arg == "code"))


def _told_apart(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and _name(node) in ("InvalidInput", "Malformed", "SottovoceError"):
        yield from filter(None, (_text(given.value) for given in node.keywords if given.arg == "code"))


def _in_scripts(*patterns: str) -> set[str]:
    folders = (SOURCE / "web" / name for name in ("device", "client", "participate"))
    texts = [path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.js")]
    return {code for text in texts for pattern in patterns for code in re.findall(pattern, text)}


def _name(call: ast.Call) -> str:
    called = call.func
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _text(node: ast.expr) -> str | None:
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE.fullmatch(node.value)
    return node.value if plain else None  # type: ignore[union-attr, return-value]


def test_what_cannot_be_used_is_on_the_page() -> None:
    found = narrower_codes()
    assert len(found) >= 10
    assert lacking(found, section("What cannot be used")) == []
    assert lacking(["made-up"], section("What cannot be used")) == ["made-up"]


def test_what_collectors_refuse_is_on_the_page() -> None:
    (chosen,) = catalogue().text("page-refused")
    found = refused_codes() | {code for code, _ in chosen.cases if code != "other"}
    assert len(found) >= 20
    assert lacking(found, section("What a collector refuses")) == []


def test_what_devices_decline_is_on_the_page() -> None:
    found = declined_codes() | set(failures._REMEDIES)
    assert len(found) >= 12
    assert lacking(found, section("What a device declines")) == []
    told = inspect.getdoc(sv.Declined) or ""
    assert set(re.findall(r"``([a-z-]+)``", told)) <= found, "a code that nothing declines with any more"


def test_what_comes_of_answering_is_on_the_page() -> None:
    told = section("What comes of answering")
    assert lacking(STATES, told) == []
    found = outcome_codes()
    assert len(found) >= 12
    assert lacking(found, told) == []


def test_exit_codes_are_on_the_page() -> None:
    assert len(EXITS) == 8
    assert lacking(map(str, EXITS.values()), section("What a command exits with")) == []


def test_a_made_up_code_is_noticed() -> None:
    for title in ("What a collector refuses", "What a device declines", "What comes of answering"):
        assert lacking(["made-up"], section(title)) == ["made-up"]
    assert lacking(["99"], section("What a command exits with")) == ["99"]
