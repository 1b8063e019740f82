"""How far a reader has to walk: files that one command goes through, and how often it goes from one to another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import sottovoce as sv
from sottovoce.cli import main

HOME = str(Path(sv.__file__).parent)


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


def test_a_mean_goes_through_48_files_at_most() -> None:
    """Three more than before there were tails: tables of windows, which last question, and what is read from it."""
    observations = np.random.default_rng(1).uniform(0, 10, size=(2000, 20))

    def mean() -> None:
        assert 0 < sv.mean(observations, low=0, high=10, epsilon=1.0, seed=1).value < 10

    mean()
    assert 20 < len(set(walked(mean))) <= 48


def test_a_plan_calls_50000_functions_at_most() -> None:
    """In a new process, where nothing is remembered of earlier calls.

    Of each change of the plan, a method is judged by six kinds of users, whose intervals are found by halving.
    """
    words = "'plan mean --low 1 --high 5 --epsilon 1 --observations 25 --users 3000'.split()"
    count = f"import sys; from {__name__} import *; print(len(walked(lambda: main({words}))), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True)
    assert "users" in done.stdout and 1000 < int(done.stderr) <= 50_000
