"""Where a survey is kept. Everything a collector knows is here, so that it can be killed at any moment."""

from __future__ import annotations

import tempfile
from pathlib import Path

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import (
    MAX_SLOT,
    Exists,
    Full,
    Missing,
    Moved,
    NotInvited,
    Opening,
    Outcome,
    Put,
    ReportRow,
    RoundRow,
    Seat,
    Settle,
    Store,
    StoreError,
    SurveyRow,
    Unavailable,
)
from sottovoce.service.store.copying import check_and_copy
from sottovoce.service.store.sqlite import SqliteStore

__all__ = [
    "MAX_SLOT",
    "Exists",
    "Full",
    "Missing",
    "Moved",
    "NotInvited",
    "Opening",
    "Outcome",
    "Put",
    "ReportRow",
    "RoundRow",
    "Seat",
    "Settle",
    "SqliteStore",
    "Store",
    "StoreError",
    "SurveyRow",
    "Unavailable",
    "open_store",
    "restore",
]


def open_store(url: str) -> Store:
    """The store that ``sqlite:PATH`` or ``postgresql://…`` names; a new one is made where there is none."""
    kind, _, path = url.partition(":")
    if kind == "sqlite" and path:
        return SqliteStore(path)
    if kind in ("postgresql", "postgres"):
        from sottovoce.service.store.postgres import PostgresStore  # needs a package that a single worker does not

        return PostgresStore(url)
    raise InvalidInput("a store is named sqlite:PATH or postgresql://…; give one of the two")


def restore(backup: str | Path, url: str) -> None:
    """Make the store that `url` names from a backup. It must not be there yet, or be empty."""
    if not Path(backup).is_file():
        raise InvalidInput("there is no such backup; give the file that backup wrote")
    kind, _, path = url.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup"
        check_and_copy(Path(backup), copy)
        if kind == "sqlite" and path:
            with SqliteStore(copy) as store:  # brings an older backup to this version
                store.backup(path)
            return
        from sottovoce.service.store.postgres import PostgresStore

        SqliteStore(copy).close_store()
        with PostgresStore(url) as empty:
            empty.fill(copy)
