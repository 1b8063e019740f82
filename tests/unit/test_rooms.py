"""The house as a newcomer sees it: rooms are entered through their face, small files, one table of rooms."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sottovoce"
ROOMS = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file())
LONGEST = 300


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_entered_through_their_face(room: str) -> None:
    inner = f"sottovoce.{room}."
    past_the_face = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in files()
        if path.relative_to(SOURCE).parts[0] != room
        for module in imported(ast.parse(path.read_text(encoding="utf-8")))
        if module.startswith(inner)
    ]
    assert not past_the_face


def test_faces_say_what_they_offer() -> None:
    for room in ROOMS:
        tree = ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), f"{room} says what it is"
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "__all__"]
        assert names, f"{room} lists what it offers"


def test_no_file_is_long() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in files()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_the_device_stays_small() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (SOURCE / "device").rglob("*.py")) < 800


def test_contributing_lists_every_room() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    assert sorted(listed) == ROOMS
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][
        0
    ]
    order = [name for line in layers["layers"] for name in line.split(" | ") if name in ROOMS]
    assert listed == order[::-1], "in the order of the layers, so that the table can be read as one"
