"""Types are true in all of src and laboratory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.release.trees import ROOT


@pytest.mark.slow
def test_mypy_finds_nothing() -> None:
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
