"""What docs/mixture.md and docs/cover.md show works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.problems import named

DOCS = Path(__file__).parents[2] / "docs"
NUMBER = r"-?\d[\d,.]*"
FIRST = {"mixture": ("component 1", "component 2", "component 3"), "cover": ("chosen", "share")}


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def words(text: str) -> str:
    """Without numbers, line breaks and the picture, all of which may move a little."""
    return re.sub(r"\s+", " ", re.sub(NUMBER, "#", text.partition("\n\n")[0]))


def line_of(label: str, text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"{label} "))


@pytest.mark.parametrize("name", FIRST)
def test_the_command_prints_what_is_shown(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = page(name)
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (command,) = re.findall(r"^sotto (.*)$", text, flags=re.MULTILINE)
    (shown,) = re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, f"{name}.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for label in FIRST[name]:
        found, told = (
            [float(number.rstrip(",.")) for number in re.findall(NUMBER, line_of(label, held))]
            for held in (printed, shown)
        )
        assert found == pytest.approx(told, abs=0.05)


@pytest.mark.parametrize("name", FIRST)
def test_every_method_is_explained_and_links_lead_somewhere(name: str) -> None:
    text = page(name)
    for method in named(name).methods:
        assert f'`"{method.name}"`' in text
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (DOCS / target).exists(), target
