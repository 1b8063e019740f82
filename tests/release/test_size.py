"""The code is no larger than ``tools/size_limits.toml`` allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import size

EXAMPLE = '''"""A module."""

import math


class Ring:
    """A docstring."""

    def area(self, radius):
        if radius < 0:
            raise ValueError("a radius is positive")
        return math.pi * radius**2


def fail():
    raise ValueError("short")
'''


def test_code_is_within_its_limits() -> None:
    assert size.limits()[size.SOURCES]["expressions"] > 0
    assert not size.above()


def test_what_is_above_its_limit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "ring.py").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.setattr(size, "limits", lambda: {"room": {"expressions": 10, "classes": 1}})
    assert size.above(tmp_path) == ["room holds 17 expressions, 7 more than the limit of 10"]


def test_layout_comments_and_lengths_of_texts_count_nothing() -> None:
    found = size.size_of(EXAMPLE)
    assert dict(found) == {
        "files": 1,
        "imports": 1,
        "expressions": 17,
        "statements": 7,
        "functions": 2,
        "classes": 1,
        "raised_sentences": 1,
    }
    other = EXAMPLE.replace("import math", "# why\nimport math").replace("radius**2", "(\n    radius**2\n)")
    assert size.size_of(other.replace("A docstring.", "A much longer docstring.")) == found


def test_rooms_add_up(tmp_path: Path) -> None:
    for name in ("one/a.py", "one/b/c.py", "top.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(EXAMPLE, encoding="utf-8")
    found = size.rooms(tmp_path)
    assert {room: count["files"] for room, count in found.items()} == {"one": 2, "top.py": 1}
    assert size.whole(tmp_path)["expressions"] == 51
