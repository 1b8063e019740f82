"""Real databases: a SQLite file, and a PostgreSQL server that each test process starts once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.postgres import Postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store, once in each database."""
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'store.db'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()
