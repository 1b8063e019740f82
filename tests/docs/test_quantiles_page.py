"""What docs/quantiles.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import sottovoce as sv
from sottovoce.cli import main
from sottovoce.problems import named

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "quantiles.md").read_text(encoding="utf-8")
NUMBER = r"\d[\d,.]*"


def words(text: str) -> str:
    """Without numbers, line breaks and the picture, all of which may move a little."""
    return re.sub(r"\s+", " ", re.sub(NUMBER, "#", text.partition("\n\n")[0]))


def test_commands_and_calls_give_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    makes, calls = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    commands = re.findall(r"^sotto (.*)$", TEXT, flags=re.MULTILINE)
    shown = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names = {"sv": sv}
    exec(compile(makes, "quantiles.md", "exec"), names)
    for command, told, rows in zip(commands, shown, (("10%", "median", "90%"), ("≤10", "≤20", "≤40")), strict=True):
        assert main(shlex.split(command)) == 0
        printed = capsys.readouterr().out
        assert words(printed) == words(told)
        for row in rows:
            assert figures(row, printed) == pytest.approx(figures(row, told), rel=0.02, abs=0.02)
    exec(compile(calls, "quantiles.md", "exec"), names)
    answer = names["answer"]
    assert answer.value == pytest.approx([figures(row, shown[0])[0] for row in ("10%", "median", "90%")], abs=0.06)


def figures(label: str, text: str) -> list[float]:
    line = next(line for line in text.splitlines() if line.split()[:1] == [label])
    return [float(number) for number in re.findall(NUMBER, line.replace(label, "", 1))]


def test_every_method_and_setting_is_explained() -> None:
    for method in named("quantiles").methods:
        assert f'`"{method.name}"`' in TEXT
    settings = ("low", "high", "q", "points", "count", "step", "observations", "spread", "public_seed", "confidence")
    for setting in settings:
        assert f"`{setting}`" in TEXT


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).exists(), target
