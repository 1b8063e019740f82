"""The code is no larger than ``tools/size_limits.toml`` allows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
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


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """A text is counted once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(size, "size_of", cache(size.size_of))
        yield


def test_code_is_within_its_limits() -> None:
    assert size.limits()["expressions"] > 0
    assert not size.above()


def test_what_leaves_the_package_for_the_laboratory_still_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in size.SOURCES:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "ring.py").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.setattr(size, "limits", lambda: {"expressions": 20, "classes": 2})
    assert size.above(tmp_path) == ["src/sottovoce and laboratory hold 34 expressions, 14 more than the limit of 20"]


def test_the_laboratory_is_listed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["size"])
    size.main()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[-2:]] == ["laboratory", "all"]


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
