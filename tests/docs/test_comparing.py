"""What docs/comparing.md shows works as shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sottovoce.cli import main

TEXT = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text(encoding="utf-8")


def test_the_command_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(r"^sotto (.*)$", TEXT, flags=re.MULTILINE)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, flags=re.DOTALL)
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == shown


def test_python_blocks_run(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    exec(compile(block, "comparing.md", "exec"), {})
    assert "What a smaller budget costs" in capsys.readouterr().out
