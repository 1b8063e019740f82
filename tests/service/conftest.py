"""Real databases, a SQLite file and a PostgreSQL that each test process starts once; collectors; what a device has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sottovoce.device import Ledger
from tests.service.commands import Sotto
from tests.service.scripted import Collector, Time, scripted
from tests.service.web import Clock, Web, serving
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


@pytest.fixture(scope="module")
def web(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A collector for all tests of a module, with the module's `LIMITS` if it has any."""
    with serving(tmp_path_factory.mktemp("web"), limits=getattr(request.module, "LIMITS", None)) as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def collector(request: pytest.FixtureRequest) -> Iterator[Collector]:
    """One that follows a script, for the module's `MANIFEST`."""
    with scripted(request.module.MANIFEST) as one:
        yield one


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a device keeps its ledger, unless it is told otherwise."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("TZ", "UTC")
    return tmp_path


@pytest.fixture
def sotto(capsys: pytest.CaptureFixture[str]) -> Sotto:
    return Sotto(capsys)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger", cap=4) as opened:
        yield opened
