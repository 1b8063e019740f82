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
from tests.vectors.test_transcripts import FILE

SECONDS = 1200
"""For one process that makes or verifies all transcripts; it takes half a minute where nothing else runs."""
TRANSCRIPTS = "tests.support.make_transcripts"
VERIFY = "import sys; from tests.vectors.test_transcripts import verified; verified(sys.argv[1], int(sys.argv[2]))"


def some_and_all(every: int) -> pytest.MarkDecorator:
    """A part in ``make test``, all in ``make soak``."""
    return pytest.mark.parametrize("every", [every, pytest.param(1, marks=pytest.mark.soak)])


@cache
def made_here(every: int) -> dict[str, dict[str, Any]]:
    return digests(every=every)


@pytest.mark.slow
@some_and_all(5)
@pytest.mark.parametrize("processor", ["Nehalem", pytest.param("Haswell", marks=pytest.mark.soak)])
def test_another_processor_asks_the_same_and_verifies_the_same(processor: str, every: int) -> None:
    need(processor)
    done = on(processor, "-m", TRANSCRIPTS, str(every), "--digests", seconds=SECONDS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["asked"] == made_here(every)["asked"]
    done = on(processor, "-c", VERIFY, str(FILE), str(every), seconds=SECONDS)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@some_and_all(63)
def test_another_rounding_announces_the_same(every: int) -> None:
    """A manifest holds what was predicted for the methods, in three digits, and everything that follows from sizes."""
    assert otherwise_rounded(3, every, "--manifests") == manifests(every=every)


@pytest.mark.slow
@some_and_all(5)
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))])
def test_another_rounding_asks_the_same(seed: int, every: int) -> None:
    found, here = otherwise_rounded(seed, every, "--digests"), made_here(every)
    assert found["asked"] == here["asked"]
    moved = [name for name in here["answers"] if found["answers"][name] != here["answers"][name]]
    assert len(moved) > len(here["answers"]) / 2, "it rounds otherwise"


def otherwise_rounded(seed: int, every: int, what: str) -> Any:
    """What `make_transcripts` tells where another processor might have rounded."""
    words = [sys.executable, "-m", "tests.other_rounding", str(seed), TRANSCRIPTS, str(every), what]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=10 * SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
