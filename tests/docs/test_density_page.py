"""What docs/density.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.problems import named
from tests.docs.test_mean_page import NUMBER, line_of, words

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "density.md").read_text(encoding="utf-8")


def test_the_command_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    (command,) = re.findall(r"^sotto (.*)$", TEXT, flags=re.MULTILINE)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "density.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for label in ("band", "model"):
        found, told = (
            [float(x.rstrip(",")) for x in re.findall(NUMBER, line_of(label, text))[:1]] for text in (printed, shown)
        )
        assert found == pytest.approx(told, rel=0.2)


def test_every_method_and_setting_is_explained() -> None:
    for method in named("density").methods:
        assert f'`"{method.name}"`' in TEXT
    for setting in ("smoothness", "coefficients"):
        assert f"`{setting}" in TEXT


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).exists(), target
