"""What must be the same everywhere does not depend on the processor: manifests, tables, questions.

Answers may differ in their last digits: transcripts verify all the same. ``make soak`` tries more processors, with more
tests, and more roundings.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.support.make_transcripts import digests, manifests
from tests.support.processors import ROOT, need, on

SECONDS = 1200
"""For one process that makes or verifies all transcripts; it takes half a minute where nothing else runs."""
TRANSCRIPTS = "tests.support.make_transcripts"


@cache
def made_here() -> dict[str, dict[str, Any]]:
    return digests()


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["Nehalem", pytest.param("Haswell", marks=pytest.mark.soak)])
def test_another_processor_asks_the_same_and_verifies_the_same(processor: str) -> None:
    need(processor)
    done = on(processor, "-m", TRANSCRIPTS, "--digests", seconds=SECONDS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["asked"] == made_here()["asked"]
    done = on(
        processor, "-m", "pytest", "-q", "-rP", "-p", "no:xdist", "tests/vectors/test_transcripts.py", seconds=SECONDS
    )
    assert done.returncode == 0, done.stdout
    print(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("every", [61, pytest.param(1, marks=pytest.mark.soak)])
def test_another_rounding_announces_the_same(every: int) -> None:
    """A manifest holds what was predicted for the methods, in three digits, and everything that follows from sizes."""
    words = [sys.executable, "-m", "tests.other_rounding", "3", TRANSCRIPTS, str(every), "--manifests"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=10 * SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == manifests(every=every)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))])
def test_another_rounding_asks_the_same(seed: int) -> None:
    words = [sys.executable, "-m", "tests.other_rounding", str(seed), TRANSCRIPTS, "--digests"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    found, here = json.loads(done.stdout), made_here()
    assert found["asked"] == here["asked"]
    moved = [name for name in here["answers"] if found["answers"][name] != here["answers"][name]]
    assert len(moved) > len(here["answers"]) / 2, "it rounds otherwise"
