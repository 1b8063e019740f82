"""What docs/histogram.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.problems import named

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "histogram.md").read_text(encoding="utf-8")
NUMBER = r"\d[\d,.]*"


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
    exec(compile(block, "histogram.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for label in ("bus", "feet"):
        found, told = ([float(x) for x in re.findall(NUMBER, line_of(label, text))] for text in (printed, shown))
        assert found == pytest.approx(told, abs=0.02)


def line_of(label: str, text: str) -> str:
    (line,) = re.findall(rf"^ +{label} .*$", text, flags=re.MULTILINE)
    return line


def test_every_method_and_setting_is_explained() -> None:
    for method in named("histogram").methods:
        assert f'`"{method.name}"`' in TEXT
    for setting in ("categories", "other", "edges", "bins", "spread", "public_seed", "observations", "confidence"):
        assert f"`{setting}`" in TEXT


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).exists(), target
