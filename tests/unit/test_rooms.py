"""The house as a newcomer sees it: rooms are entered through their face, small files, one table of rooms."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sottovoce"
ROOMS = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").is_file())
PROBLEMS = {f"sottovoce.problems.{path.parent.name}" for path in SOURCE.glob("problems/*/__init__.py")}
LONGEST = 800
READERS = ("src", "laboratory", "tests", "benchmarks", "examples")
"""Folders whose files may use what is on a face."""


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def contracts() -> list[dict[str, Any]]:
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = read["tool"]["importlinter"]["contracts"]
    return found


def modules(node: ast.AST) -> list[str]:
    """What an import imports."""
    if isinstance(node, ast.ImportFrom):
        return [node.module] if node.module else []
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


@cache
def looked_at() -> tuple[list[tuple[Path, str]], dict[str, set[Path]]]:
    """Every file below the rooms with every module that it imports; and names that are imported or are attributes, and
    words of the documentation, with the files that have them."""
    imports: list[tuple[Path, str]] = []
    names: dict[str, set[Path]] = {}
    for path in (path for folder in READERS for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.alias | ast.Attribute):
                names.setdefault(node.name if isinstance(node, ast.alias) else node.attr, set()).add(path)
            elif isinstance(node, ast.Import | ast.ImportFrom) and SOURCE in path.parents:
                imports += [(path.relative_to(SOURCE), module) for module in modules(node)]
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        for word in re.findall(r"\w+", path.read_text(encoding="utf-8")):
            names.setdefault(word, set()).add(path)
    return imports, names


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_entered_through_their_face(room: str) -> None:
    """A problem's folder has a face of its own: a new problem is named nowhere else."""
    inner = f"sottovoce.{room}."
    past_the_face = [
        f"{path}: {module}"
        for path, module in looked_at()[0]
        if path.parts[0] != room and module.startswith(inner) and module not in PROBLEMS
    ]
    assert not past_the_face


@pytest.mark.parametrize("room", ROOMS)
def test_a_face_has_no_name_that_nobody_outside_uses(room: str) -> None:
    face = ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8"))
    lists = [node.value for node in ast.walk(face) if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node)]
    names = [name.value for one in lists for name in ast.walk(one) if isinstance(name, ast.Constant)]
    assert not [name for name in names if all(SOURCE / room in path.parents for path in looked_at()[1].get(name, ()))]


def test_problems_know_nothing_of_each_other() -> None:
    """Nor does what they share know one of them, but for the registry, and for the search for a range."""
    known = [
        (str(path), module)
        for path, module in looked_at()[0]
        for problem in PROBLEMS
        if path.parts[0] == "problems"
        and f"{module}.".startswith(f"{problem}.")
        and path.parts[1] not in (problem.rpartition(".")[2], "registry.py")
    ]
    assert known == [("problems/range_search.py", "sottovoce.problems.range")]


def test_faces_say_what_they_offer() -> None:
    for room in ROOMS:
        tree = ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), f"{room} says what it is"
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "__all__"]
        assert names, f"{room} lists what it offers"


def test_no_file_is_long() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in (*files(), *(ROOT / "laboratory").rglob("*.py"))
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_the_device_stays_small() -> None:
    """Many users at once, in `bulk`, have a budget of their own."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (SOURCE / "device").rglob("*.py")}
    bulk = {path for path in lines if "bulk" in path.parts}
    assert sum(count for path, count in lines.items() if path not in bulk) < 800
    assert sum(lines[path] for path in bulk) < 400


def test_every_file_of_the_device_is_held_to_its_packages() -> None:
    (listed,) = (one["source_modules"] for one in contracts() if one["id"] == "device-packages")
    there = {f"sottovoce.device.{path.stem}" for path in (SOURCE / "device").glob("*.py") if path.stem != "__init__"}
    assert set(listed) == there


def test_packages_for_many_reports_are_imported_when_they_are_needed() -> None:
    """In a function, and only by whoever handles many at once, or asks whether numba is there."""
    lazy = {"numba", "pyarrow", "cryptography"}
    allowed = {SOURCE / "messages" / "columns.py", SOURCE / "messages" / "bit_counts.py", SOURCE / "device" / "bulk"}
    for path in (path for room in ("messages", "device") for path in (SOURCE / room).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        used = lazy.intersection(module.split(".")[0] for node in ast.walk(tree) for module in modules(node))
        assert not used or allowed.intersection((path, *path.parents)), f"{path}: {used}"
        assert not used.intersection(module.split(".")[0] for node in tree.body for module in modules(node)), path


def test_contributing_lists_every_room() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    assert sorted(listed) == ROOMS
    order = [name for line in contracts()[0]["layers"] for name in line.split(" | ") if name in ROOMS]
    assert listed == order[::-1], "in the order of the layers, so that the table can be read as one"
