"""What docs/sparse.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.problems import named

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "sparse.md").read_text(encoding="utf-8")
NUMBER = r"-?\d[\d,.]*"


def words(text: str) -> str:
    """Without numbers, line breaks and the picture, all of which may move a little."""
    return re.sub(r"\s+", " ", re.sub(NUMBER, "#", text.partition("\n\n")[0]))


def test_the_command_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    (command,) = re.findall(r"^sotto (.*)$", TEXT, flags=re.MULTILINE)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "sparse.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for label in ("tag_3", "tag_9"):
        found, told = ([float(x) for x in re.findall(NUMBER, line_of(label, text))] for text in (printed, shown))
        assert found == pytest.approx(told, abs=0.1)


def line_of(label: str, text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{label} "))


def test_every_method_is_explained_and_links_lead_somewhere() -> None:
    for method in named("sparse").methods:
        assert f'`"{method.name}"`' in TEXT
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).exists(), target
