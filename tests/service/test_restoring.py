"""A backup becomes a store again, whole, or nothing is said to be restored."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service import Serving
from sottovoce.service.store import Unavailable, check_restored, open_store, restore, store_file
from tests.support.surveys import NOW, SURVEY, answer, begin, payload, rows, tally, token


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    with open_store(f"sqlite:{tmp_path / 'first.db'}") as store:
        store.put(rows(begin(store), range(40)))
        store.set_admin(token(1))
        store.backup(tmp_path / "backup")
    return tmp_path / "backup"


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_next_to_what_an_old_store_left_nothing_is_made(tmp_path: Path, backup: Path, end: str) -> None:
    path, left = tmp_path / "again.db", tmp_path / f"again.db{end}"
    left.write_bytes(b"old")
    for make in (
        lambda: restore(backup, f"sqlite:{path}"),
        lambda: open_store(f"sqlite:{path}"),
        lambda: open_store(f"sqlite:{tmp_path / 'first.db'}").backup(path),
    ):
        with pytest.raises(InvalidInput, match=f"again.db{end} .*move the old files away"):
            make()
        assert not path.exists() and left.read_bytes() == b"old"


def test_the_log_of_a_store_that_was_killed_does_not_get_into_the_one_that_is_restored(tmp_path: Path) -> None:
    """As after a crash: the file is deleted, its log is not. SQLite would write the old log over the new file."""
    path = tmp_path / "store.db"
    with open_store(f"sqlite:{path}") as store:
        key = begin(store)
        store.put(rows(key, range(2000)))
        store.backup(tmp_path / "backup")
        store.put(rows(key, range(2000, 9000)))
        shutil.copy(tmp_path / "store.db-wal", tmp_path / "kept")
    path.unlink()
    os.rename(tmp_path / "kept", tmp_path / "store.db-wal")
    with pytest.raises(InvalidInput, match="move the old files away"):
        restore(tmp_path / "backup", f"sqlite:{path}")
    (tmp_path / "store.db-wal").unlink()
    restore(tmp_path / "backup", f"sqlite:{path}")
    with closing(sqlite3.connect(path)) as made:
        assert made.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert made.execute("SELECT count(*) FROM report").fetchone() == (2000,)


def test_what_does_not_read_back_is_not_called_restored(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "again.db"

    def spoil(checked: Path) -> None:
        data = bytearray(checked.read_bytes())
        data[4096:] = b"\xff" * (len(data) - 4096)
        checked.write_bytes(data)
        check_restored(checked)

    monkeypatch.setattr("sottovoce.service.store.check_restored", spoil)
    with pytest.raises(Unavailable, match="does not read back"):
        restore(backup, f"sqlite:{path}")


def test_an_empty_store_of_either_kind_is_filled_while_it_is_in_use(url: str, backup: Path) -> None:
    with open_store(url) as serving:
        serving.set_admin(token(2))
        restore(backup, url)
        assert serving.admin() == token(1) and [row.id for row in serving.surveys()] == [SURVEY]
        (row,) = serving.rounds(SURVEY)
        assert serving.put(rows(row.key, [39, 40])) == ["same", "stored"]
        with pytest.raises(InvalidInput, match="has surveys already"):
            restore(backup, url)
        closed = serving.close(SURVEY, 0, because="hand", by="a", now=NOW, settle=answer)
        assert closed.tally == tally((slot, payload(slot)) for slot in range(41))[0]


@pytest.mark.parametrize("url", ["mysql:x", "sqlite:", "x.db", "", "postgresql:surveys"])
def test_a_store_that_cannot_be_meant_is_refused_everywhere_in_the_same_words(url: str, backup: Path) -> None:
    for use in (open_store, store_file, lambda url: restore(backup, url), lambda url: Serving(store=url, workers=2)):
        with pytest.raises(InvalidInput, match="a store is named sqlite:PATH or postgresql://"):
            use(url)


def test_both_spellings_of_postgresql_are_taken_for_it() -> None:
    for url in ("postgresql://somebody@/surveys", "postgres://somebody@/surveys"):
        assert store_file(url) is None and Serving(store=url, workers=2).workers == 2
    with pytest.raises(InvalidInput, match="several workers need PostgreSQL"):
        Serving(store="sqlite:surveys.db", workers=2)
