"""Every code that a program could meet, read from the sources: what devices decline, what collectors refuse."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "sottovoce"
_CODE = re.compile(r"[a-z]+(-[a-z]+)*")
_PLACES = {"Declined": 0, "VisitEnded": 1, "CollectorRefusal": 1, "told": 1, "wait": 0, "pause": 0, "Later": 0}
"""At which place a call of this name has its code."""


def refused() -> set[str]:
    """What a collector refuses with: behind an HTTP status, or as ``code=``."""
    return set(_in_room("service", _beside_a_status))


def narrower() -> set[str]:
    """What exceptions have in place of the code of their class."""
    rooms = (path.name for path in SOURCE.iterdir() if path.is_dir())
    return {code for room in rooms for code in _in_room(room, _told_apart)}


def declined() -> set[str]:
    """What devices decline with, in Python and in JavaScript; the client's own reasons included."""
    found = {
        code
        for room in ("device", "client", "messages")
        for code in _in_room(room, lambda node: _from_calls(node, ("Declined",)))
    }
    found |= {code for state, code in _ended() if state == "declined"}
    return found | _in_scripts(r'Declined\(\s*"([a-z-]+)"', r'state: "declined", code: "([a-z-]+)"')


def outcomes() -> set[str]:
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
