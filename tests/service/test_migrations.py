"""The tables as they are written down: every column says whether it may change, and the two databases agree."""

from __future__ import annotations

import re
import sqlite3
from importlib.resources import files
from pathlib import Path

import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service.store import SqliteStore
from sottovoce.service.store.base import pending_scripts, scripts
from sottovoce.service.store.postgres import _COLUMNS, _REPORTS
from tests.support.surveys import NOW, SURVEY, ask_again, begin, rows, token

DATABASES = ("sqlite", "postgres")
NO_COLUMN = ("PRIMARY", "UNIQUE", "CHECK")
ADDED = r"^ALTER TABLE (\w+) ADD COLUMN\n    (.*)$"


def tables(database: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for _, script in scripts(database):
        for name, body in re.findall(r"^CREATE TABLE (\w+) \((.*?)^\)", script, re.MULTILINE | re.DOTALL):
            lines = [line for line in body.splitlines()[1:] if re.match(r"    \w", line)]
            found[name] = [line.split()[0] for line in lines if not line.strip().startswith(NO_COLUMN)]
        for name, line in re.findall(ADDED, script, re.MULTILINE):
            found[name].append(line.split()[0])
    return found


@pytest.mark.parametrize("database", DATABASES)
def test_every_column_is_marked(database: str) -> None:
    for _, script in scripts(database):
        for body in re.findall(r"^CREATE TABLE \w+ \((.*?)^\)", script, re.MULTILINE | re.DOTALL):
            for line in body.splitlines()[1:]:
                if re.match(r"    \w", line) and not line.strip().startswith(NO_COLUMN):
                    assert re.search(r"-- (immutable|mutable)", line), line
        added = re.findall(ADDED, script, re.MULTILINE)
        assert len(added) == script.count("ALTER") and all("-- mutable" in line for _, line in added)


def test_the_databases_have_the_same_columns_and_a_backup_has_them_all(tmp_path: Path) -> None:
    sqlite, postgres = tables("sqlite"), tables("postgres")
    for name, columns in _COLUMNS.items():
        told = [column.strip(' "') for column in columns.split(",")]
        assert sorted(sqlite[name]) == sorted(postgres[name]) == sorted(told)
    assert set(sqlite) == set(postgres) == {*_COLUMNS, *_REPORTS, "unswept"}
    SqliteStore(tmp_path / "store.db").close_store()
    connection = sqlite3.connect(tmp_path / "store.db")
    for name, columns in sqlite.items():
        assert [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] == columns, (
            "the file reads as written"
        )
    connection.close()


def test_what_is_immutable_stays(tmp_path: Path) -> None:
    """A survey's whole life, watched by triggers on every column that is marked immutable."""
    script = "".join(script for _, script in scripts("sqlite"))
    path = tmp_path / "store.db"
    SqliteStore(path).close_store()
    connection = sqlite3.connect(path)
    watched = 0
    for name, body in re.findall(r"^CREATE TABLE (\w+) \((.*?)^\)", script, re.MULTILINE | re.DOTALL):
        for column in re.findall(r"^    (\w+) .*-- immutable", body, re.MULTILINE):
            connection.execute(
                f"CREATE TRIGGER t{watched} BEFORE UPDATE OF {column} ON {name}"
                f" WHEN old.{column} IS NOT new.{column} BEGIN SELECT RAISE(ABORT, '{name}.{column} changed'); END"
            )
            watched += 1
    connection.commit()
    connection.close()
    assert watched > 20
    with SqliteStore(path) as store:
        key = begin(store)
        store.set_admin(token(1))
        store.set_admin(token(2))
        store.enrol(SURVEY, token(1), open_access=True, seat=lambda k: k)
        store.enrol(SURVEY, token(2), open_access=True, seat=lambda k: k, number=0, visit=token(3))
        store.put(rows(key, range(3)))
        store.refuse({(SURVEY, "malformed"): 1})
        store.refuse({(SURVEY, "malformed"): 2})
        store.close(SURVEY, 0, because="hand", by="administrator", now=NOW, settle=ask_again)
        assert store.scrub(SURVEY, now=NOW) == 3
        assert store.expire(now=NOW) == 0


@pytest.mark.parametrize("database", DATABASES)
def test_the_scripts_are_found_where_they_are_installed(database: str) -> None:
    assert files("sottovoce.service.store").joinpath("migrations", database, "0001_surveys.sql").is_file()
    newest = len(scripts(database))
    assert newest == 3 and pending_scripts(database, newest) == []
    with pytest.raises(InvalidInput, match="version 4"):
        pending_scripts(database, newest + 1)
