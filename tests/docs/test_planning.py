"""What docs/planning.md shows works as shown, and the figures it quotes are those of the code."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import sottovoce as sv
from sottovoce import design
from sottovoce.problems import problems
from sottovoce.risk import table_reach
from tests.docs.page import Page, typed

PAGE = Page("planning.md")


def test_python_blocks_run(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = PAGE.blocks("python")
    PAGE.run(block)
    assert "users (solved for)" in capsys.readouterr().out


def test_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ratings.csv").write_text("student,rating\n" + "".join(f"s{i % 50},{i % 5 + 1}\n" for i in range(500)))
    monkeypatch.chdir(tmp_path)
    assert len(PAGE.commands) == 3
    for command in PAGE.commands:
        assert typed(command + (" --repetitions 3" if "simulate" in command else "")) == 0


def test_every_problem_has_its_row() -> None:
    assert set(re.findall(r"^\| `([a-z-]+)` \| `", PAGE.text, flags=re.MULTILINE)) == {
        problem.name for problem in problems()
    }


def test_quoted_figures() -> None:
    assert f"{table_reach(design.one_bit(1.0), 1.0):.2f} widths" in PAGE.text
    for held, width in ((100, "0.29"), (10_000, "0.095"), (1_000_000, "0.26")):
        plan = sv.plan(low=1, high=5, users=3000, observations=held, epsilon=0.5, method="paper")
        assert f"{plan.halfwidth:.2g}" == width and width in PAGE.text


def test_doctests() -> None:
    result = doctest.testmod(import_module("sottovoce.planning.planner"), optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 3 and result.failed == 0
