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
    Store,
    StoreError,
    SurveyRow,
    Unavailable,
    check_slots,
)
from sottovoce.service.store.copying import check_and_copy, check_restored
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
    "SqliteStore",
    "Store",
    "StoreError",
    "SurveyRow",
    "Unavailable",
    "check_slots",
    "open_store",
    "restore",
    "store_file",
]


def store_file(url: str) -> Path | None:
    """The file that ``sqlite:PATH`` names; None for ``postgresql://…``. Whatever else is refused."""
    kind, _, rest = url.partition(":")
    if kind == "sqlite" and rest:
        return Path(rest)
    if kind in ("postgresql", "postgres") and rest.startswith("//"):
        return None
    raise InvalidInput("a store is named sqlite:PATH or postgresql://…", fix="give one of the two")


def open_store(url: str) -> Store:
    """The store that ``sqlite:PATH`` or ``postgresql://…`` names; a new one is made where there is none."""
    path = store_file(url)
    if path is not None:
        return SqliteStore(path)
    from sottovoce.service.store.postgres import PostgresStore  # needs a package that a single worker does not

    return PostgresStore(url)


def restore(backup: str | Path, url: str) -> None:
    """Fill the store that `url` names from a backup. It must not be there yet, or have no surveys."""
    path = store_file(url)
    if not Path(backup).is_file():
        raise InvalidInput("there is no such backup", fix="give the file that backup wrote", code="missing-file")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "backup"
        check_and_copy(Path(backup), copy)
        SqliteStore(copy).close_store()  # brings an older backup to this version
        with open_store(url) as empty:
            empty.fill(copy)
    if path is not None:
        check_restored(path)
