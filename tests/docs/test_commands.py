"""The page of commands says what the commands say."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

from sottovoce.cli import app

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def maker() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_commands.py"))


def test_the_page_is_current(maker: dict[str, Any]) -> None:
    written = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert written == maker["page"](), "run: python docs/make_commands.py"


def test_every_command_and_option_has_a_help(maker: dict[str, Any]) -> None:
    for parser in maker["_all"](app.build_parser()):
        assert parser.description, parser.prog
        for action in parser._actions:
            text = action.help or getattr(action, "choices", None)
            assert text, f"{parser.prog} {action.dest}"


def test_an_undocumented_command_or_option_is_noticed(maker: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    parser = app.build_parser()
    parser.add_argument("--new-option")
    monkeypatch.setitem(maker["page"].__globals__, "build_parser", lambda: parser)
    assert maker["page"]() != (DOCS / "commands.md").read_text(encoding="utf-8")


def test_the_examples_are_commands_that_can_be_typed(maker: dict[str, Any]) -> None:
    page = re.sub(r"\\\n\s+", "", maker["page"]())
    examples = re.findall(r"^  (sotto .*)$", page, flags=re.MULTILINE)
    assert len(examples) > 40
    parser = app.build_parser()
    for example in examples:
        typed = re.split(r" \| | [<>] |  +", example)[0]  # a pipe, a file, or a remark set apart, may follow
        words = app.spell_out(shlex.split(typed)[1:])
        if "--help" not in words:
            parser.parse_args(words)  # a wrong one would exit
