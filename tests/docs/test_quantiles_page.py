"""What docs/quantiles.md shows works as shown: the same words, and figures near those shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sottovoce as sv
from sottovoce.problems import named
from tests.docs.page import Page, figures, typed, words

PAGE = Page("quantiles.md")
LEVELS, PLACES = ("10%", "median", "90%"), ("≤10", "≤20", "≤40")


def test_commands_and_calls_give_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (makes, calls), shown = PAGE.blocks("python"), PAGE.blocks("text")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"sv": sv}
    PAGE.run(makes, names)
    for command, told, rows in zip(PAGE.commands, shown, (LEVELS, PLACES), strict=True):
        assert typed(command) == 0
        printed = capsys.readouterr().out
        assert words(printed) == words(told)
        for row in rows:
            assert figures(row, printed) == pytest.approx(figures(row, told), rel=0.02, abs=0.02)
    PAGE.run(calls, names)
    assert typed(f"{PAGE.commands[0]} --json") == 0
    printed = json.loads(capsys.readouterr().out)["result"]["value"]
    assert names["answer"].value == pytest.approx(printed, rel=1e-9), "the call and the command say the same"
    for value, told in zip(names["answer"].value, re.findall(r"at most ([\d.]+)", shown[0])[:3], strict=True):
        assert f"{value:.{len(told.partition('.')[2])}f}" == told, "the sentence shows it, to its last digit"


def test_every_method_and_setting_is_explained() -> None:
    for method in named("quantiles").methods:
        assert f'`"{method.name}"`' in PAGE.text
    settings = ("low", "high", "q", "points", "count", "step", "observations", "spread", "public_seed", "confidence")
    for setting in settings:
        assert f"`{setting}`" in PAGE.text
