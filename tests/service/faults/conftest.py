"""The shim, compiled once by each test process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.faults.driving import compile_shim


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_shim(tmp_path_factory.mktemp("shim"))
