"""How far a reader has to walk: files that one command goes through, and how often it goes from one to another."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import sottovoce
from sottovoce.cli import main

HOME = str(Path(sottovoce.__file__).parent)


def walked(call: Callable[[], object]) -> list[str]:
    """The files of the package that Python functions are called in, in turn."""
    files: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(HOME):
            files.append(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return files


def test_a_histogram_of_a_file_goes_from_file_to_file_2000_times_at_most(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever the number of rows: it was 14,339 times when every cell was tried as a number, a date, and yes or no."""
    random = np.random.default_rng(1)
    modes = random.choice(["bus", "tram", "metro", "bike", "walk"], size=12_000)
    rows = "".join(f"c{place % 2000},{mode}\n" for place, mode in enumerate(modes))
    (tmp_path / "trips.csv").write_text(f"card,mode\n{rows}", encoding="utf-8")
    words = ["--user", "card", "--value", "mode", "--categories", "bus,tram,metro,bike,walk", "--epsilon", "1"]

    def estimate() -> None:
        assert main(["estimate", "histogram", str(tmp_path / "trips.csv"), *words, "--seed", "1"]) == 0

    estimate()  # imports are no calls
    files = walked(estimate)
    switches = sum(before != after for before, after in pairwise(files))
    assert 100 < switches <= 2000 and len(set(files)) <= 101
    assert "bus" in capsys.readouterr().out
