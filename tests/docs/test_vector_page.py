"""What docs/vector.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main
from sottovoce.problems import named
from tests.docs.test_mean_page import NUMBER, words

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "vector.md").read_text(encoding="utf-8")


def test_the_command_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    (command,) = re.findall(r"^sotto (.*)$", TEXT, flags=re.MULTILINE)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "vector.md", "exec"), {})
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert words(printed) == words(shown)
    for text in zip(printed.splitlines()[:3], shown.splitlines()[:3], strict=True):
        found, told = ([float(number) for number in re.findall(f"-?{NUMBER}", line)] for line in text)
        assert found == pytest.approx(told, abs=0.05)


def test_every_method_and_setting_is_explained() -> None:
    for method in named("vector").methods:
        assert f'`"{method.name}"`' in TEXT
    for setting in ("ball", "radius", "centre", "spread", "public_seed", "observations"):
        assert f"`{setting}" in TEXT


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (DOCS / target).exists(), target
