"""The built site, for whoever looks at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.site import built


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)
