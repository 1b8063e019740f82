"""Vectors, frozen behaviour, problems and service as if on other processors: no test depends on how one rounds."""

from __future__ import annotations

import pytest

from tests.support.processors import PROCESSORS, need, on

FOLDERS = ("vectors", "frozen", "unit", "contract", "law", "service")


@pytest.mark.parametrize("processor", PROCESSORS)
def test_passes_on(processor: str) -> None:
    need(processor)
    words = ("-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *(f"tests/{name}" for name in FOLDERS))
    done = on(processor, *words, seconds=3 * 3600)
    assert done.returncode == 0, done.stdout
