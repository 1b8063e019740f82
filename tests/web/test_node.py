"""Node as the tests use it: lines of JSON in, lines of JSON out, within a time limit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.node import lines

ECHO = """import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ got: JSON.parse(line), ...JSON.parse(process.argv[2]) }));
}
"""


def module(folder: Path, text: str) -> Path:
    path = folder / "module.mjs"
    path.write_text(text, encoding="utf-8")
    return path


def test_lines_go_in_and_come_out(tmp_path: Path) -> None:
    asked = [{"ε": 1.5}, [None, "a\nb"], 3]
    assert lines(module(tmp_path, ECHO), asked, '{"more":1}') == [{"got": one, "more": 1} for one in asked]


def test_what_an_error_says_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"(?s)module\.mjs ended with 1: .*no such thing"):
        lines(module(tmp_path, 'throw new Error("no such thing");'), ())


def test_a_module_that_does_not_end_is_ended(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        lines(module(tmp_path, "setInterval(() => {}, 1000);"), (), seconds=1)
