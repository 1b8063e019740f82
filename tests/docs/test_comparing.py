"""What docs/comparing.md shows works as shown."""

from __future__ import annotations

import pytest

from tests.docs.page import Page, typed

PAGE = Page("comparing.md")


def test_the_command_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (command,), (shown,) = PAGE.commands, PAGE.blocks("text")
    assert typed(command) == 0
    assert capsys.readouterr().out == shown


def test_python_blocks_run(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = PAGE.blocks("python")
    PAGE.run(block)
    assert "What a smaller budget costs" in capsys.readouterr().out
