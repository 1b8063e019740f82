"""Where a survey is kept. Everything a collector knows is here, so that it can be killed at any moment."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing, suppress
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
    SurveyRow,
    Unavailable,
    check_slots,
)
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


def check_and_copy(path: Path, copy: Path) -> None:
    """The backup itself is not written to, not even to bring it to this version."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            if not _is_sound(source):
                raise InvalidInput("the file is not a sound backup", fix="take another")
            source.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.Error as error:
        raise Unavailable(
            f"the backup cannot be read ({type(error).__name__}); is it the file that backup wrote?"
        ) from error


def check_restored(path: Path) -> None:
    """Nobody is told that a store is restored before it was read from end to end."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as made:
        if _is_sound(made):
            return
    raise Unavailable("what was restored does not read back as it should; look at the disk, and restore elsewhere")


def _is_sound(connection: sqlite3.Connection) -> bool:
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    astray = connection.execute("PRAGMA foreign_key_check").fetchone()
    return verdict == "ok" and astray is None and bool(connection.execute("PRAGMA user_version").fetchone()[0])
