"""What is dear is made once for all tests of a run, whichever process asks first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def once(temporary: pytest.TempPathFactory, name: str, make: Callable[[Path], str]) -> tuple[Path, str]:
    """A folder of this name that `make` has filled, and what it said; others wait for it."""
    shared = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, said = shared / name, shared / f"{name}.made"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go of when the file is closed
        if not said.exists():
            said.write_text(make(folder), encoding="utf-8")
    return folder, said.read_text(encoding="utf-8")
