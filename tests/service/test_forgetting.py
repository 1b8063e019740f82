"""What a store has forgotten is in no file of it: tokens, payloads, seeds, and the order in which reports came."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from sottovoce.service.store import MAX_SLOT, Opening, Outcome, SqliteStore, Store, SurveyRow, open_store
from tests.support.postgres import Postgres
from tests.support.surveys import NOW, SURVEY, abandon, answer, ask_again, begin, payload, rows, token

CLOSING = {"because": "hand", "by": "administrator", "now": NOW + 60}
OTHER = "b" * 64
SEED = bytes(range(200, 232))

LEAF = 13


class Pages:
    """The pages of a SQLite file, as its format describes them: where rows lie, which a query does not tell.

    Nobody writes to the file while it is looked at.
    """

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.size = struct.unpack(">H", self.data[16:18])[0]
        with closing(sqlite3.connect(path)) as connection:
            self.roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"))

    def lying(self, table: str) -> Iterator[list[int]]:
        """For each leaf of a table the keys in the order in which they were written: from the end of the page on."""
        for page in self._leaves(self.roots[table]):
            places = [self._two(page, 8 + 2 * number) for number in range(self._two(page, 3))]
            yield [self._key(page, place) for place in sorted(places, reverse=True)]

    def free(self) -> list[int]:
        """The numbers of free pages, as they are listed."""
        found, trunk = [], struct.unpack(">I", self.data[32:36])[0]
        while trunk:
            page = self._page(trunk)
            trunk, count = struct.unpack(">II", page[:8])
            found += struct.unpack(f">{count}I", page[8 : 8 + 4 * count])
        return found

    def _page(self, number: int) -> bytes:
        return self.data[(number - 1) * self.size : number * self.size]

    def _leaves(self, number: int) -> Iterator[bytes]:
        page = self._page(number)
        if page[0] == LEAF:
            yield page
            return
        for place in (self._two(page, 12 + 2 * child) for child in range(self._two(page, 3))):
            yield from self._leaves(struct.unpack(">I", page[place : place + 4])[0])
        yield from self._leaves(struct.unpack(">I", page[8:12])[0])

    @staticmethod
    def _two(page: bytes, place: int) -> int:
        return int.from_bytes(page[place : place + 2], "big")

    @staticmethod
    def _key(page: bytes, place: int) -> int:
        _, place = _number(page, place)  # the row's size
        return _number(page, place)[0]


def _number(page: bytes, place: int) -> tuple[int, int]:
    value = 0
    for byte in page[place : place + 8]:
        place += 1
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place
    return value << 8 | page[place], place + 1


def put_one_by_one(store: Store, key: int, slots: list[int]) -> None:
    for slot in slots:
        store.put(rows(key, [slot]))


def test_a_closed_round_does_not_tell_who_answered_first(tmp_path: Path) -> None:
    """Inside a page of SQLite rows lie as they came. After closing they lie by slot, each of them once."""
    path = tmp_path / "store.db"
    order = list(range(600))
    random.Random(3).shuffle(order)
    with open_store(f"sqlite:{path}") as store:
        key, other = begin(store), begin(store, OTHER)
        put_one_by_one(store, key, order[:50])
        store._forget()  # type: ignore[attr-defined]
        assert list(Pages(path).lying("report")) == [[key * MAX_SLOT + slot for slot in order[:50]]], "as they came"
        put_one_by_one(store, key, order[50:])
        put_one_by_one(store, other, [2005, 2003, 2004])
        store.close(SURVEY, 0, **CLOSING, settle=ask_again)
        pages = Pages(path)
        leaves = list(pages.lying("counted"))
        assert [one for leaf in leaves for one in leaf] == [key * MAX_SLOT + slot for slot in range(600)]
        assert len(leaves) > 2
        assert [sorted(leaf) for leaf in pages.lying("report")] == [
            [other * MAX_SLOT + slot for slot in (2003, 2004, 2005)]
        ]
        assert all(pages.data.count(payload(slot)) == 1 for slot in order), "no copy is left in what was a page"
        assert store.put(rows(key, [7, 600])) == ["same", "closed"] and store.count(key) == 600


def test_reports_lie_by_slot_also_where_the_file_could_not_be_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transaction that closes a round does it; nobody has to come after it."""
    path = tmp_path / "store.db"
    monkeypatch.setattr(SqliteStore, "_forget", lambda store: None)
    with open_store(f"sqlite:{path}") as store:
        key = begin(store)
        put_one_by_one(store, key, [5, 3, 9, 1, 7])
        store.close(SURVEY, 0, **CLOSING, settle=ask_again)
    assert list(Pages(path).lying("counted")) == [[key * MAX_SLOT + slot for slot in (1, 3, 5, 7, 9)]]
    assert list(Pages(path).lying("report")) == [[]]


def test_no_free_page_is_left_whose_number_tells_when_it_was_filled(tmp_path: Path) -> None:
    """Numbers grow with time, and free pages are listed by what they held: so which slots filled a page first."""
    path = tmp_path / "store.db"
    with open_store(f"sqlite:{path}") as store:
        store.put(rows(begin(store), range(2_000)))
        store.close(SURVEY, 0, **CLOSING, settle=ask_again)
        assert Pages(path).free() == []


@pytest.mark.parametrize("seed", range(4))
def test_no_copy_of_a_report_is_left_in_a_page_that_others_lie_in(tmp_path: Path, seed: int) -> None:
    """Rows that come in any order move between pages, and SQLite does not overwrite where they moved from."""
    path, ids = tmp_path / "store.db", [f"{number:064d}" for number in range(3)]
    with SqliteStore(path, synchronous="OFF") as store:
        *over, stays = (begin(store, id) for id in ids)
        every = [(key, 10_000 * key + slot) for key in (*over, stays) for slot in range(1500)]
        random.Random(seed).shuffle(every)
        for first in range(0, len(every), 3):
            store.put([row for key, slot in every[first : first + 3] for row in rows(key, [slot])])
        for id in ids[:2]:
            store.close(id, 0, **CLOSING, settle=answer)
        data, gone = path.read_bytes(), [payload(slot) for key, slot in every if key != stays]
        assert all(data.count(one) == 1 for one in gone)
        assert store.expire(now=NOW + 61 + 2 * 86400) == 3000
        data = path.read_bytes()
        assert not any(one in data for one in gone)


def with_seed(store: Store) -> int:
    row = SurveyRow(id=SURVEY, manifest=b"m", secret=b"s" * 32, token=token(0), retention_days=2, created=NOW)
    store.create(row, Opening(question=b"first?", role="vote", digest="1" * 64, seed=SEED), now=NOW)
    return store.rounds(SURVEY)[0].key


def test_the_seed_of_a_round_is_forgotten_when_it_closes_and_the_next_has_its_own(url: str) -> None:
    with open_store(url) as store:
        key = with_seed(store)
        store.put(rows(key, range(3)))
        assert store.rounds(SURVEY)[0].seed == SEED and repr(SEED) not in repr(store.rounds(SURVEY))

        def settle(row: object, reports: object) -> Outcome:
            return Outcome(tally=b"t", answered=3, question=b"next?", role="refine", digest="2" * 64, seed=SEED[::-1])

        store.close(SURVEY, 0, **CLOSING, settle=settle)
        assert [row.seed for row in store.rounds(SURVEY)] == [None, SEED[::-1]]


def files_of(url: str, server: Callable[[], Postgres], tmp_path: Path) -> bytes:
    """All that the store's files hold; of PostgreSQL those of the tables and indices, not its log."""
    if url.startswith("sqlite:"):
        return b"".join(file.read_bytes() for file in tmp_path.iterdir())
    with closing(psycopg.connect(url, autocommit=True)) as connection:
        connection.execute("CHECKPOINT")
        found = connection.execute(
            "SELECT pg_relation_filepath(oid) FROM pg_class"
            " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')"
        ).fetchall()
    return b"".join((server().data / str(path)).read_bytes() for (path,) in found)


def test_what_is_deleted_leaves_the_files_while_others_go_on(
    url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Beside a survey that stays: where all rows of a table go, its file is cut off anyway."""

    def held(data: bytes) -> bool:
        return data in files_of(url, lambda: request.getfixturevalue("postgres"), tmp_path)

    with open_store(url) as store:
        key, other = with_seed(store), begin(store, OTHER)
        for number in range(30):
            for id in (SURVEY, OTHER):
                own = number + 100 * (id == OTHER)
                store.enrol(id, token(own), open_access=True, seat=lambda k: k, visit=token(own + 200))
            store.put(rows(key, [number]) + rows(other, [number + 100]))
        store.invite(SURVEY, [token(50)])
        assert all(held(data) for data in (SEED, token(7), token(207), token(50), payload(7)))
        store.close(SURVEY, 0, **CLOSING, settle=answer)
        assert not any(held(data) for data in (SEED, token(7), token(207), token(50))), "with the survey's end"
        assert held(token(107)) and held(payload(7)) and held(payload(107))
        assert store.scrub(SURVEY, now=NOW) == 30
        assert not held(payload(7)) and held(payload(107))
        assert store.enrol(OTHER, token(107), open_access=True, seat=lambda k: k).before
        store.close(OTHER, 0, **CLOSING, settle=abandon)
        assert not any(held(data) for data in (token(107), token(307))), "nor where it is abandoned"
        assert store.expire(now=NOW + 61 + 2 * 86400) == 60
        assert not held(payload(107))


def test_what_could_not_be_swept_at_once_is_swept_later(postgres: Postgres, tmp_path: Path) -> None:
    """A reader who began before still sees the rows, so they stay in the file; the survey ends all the same."""
    url = postgres.database()

    def held() -> bool:
        return token(1) in files_of(url, lambda: postgres, tmp_path)

    with open_store(url) as store, open_store(url) as another, psycopg.connect(url) as reader:
        key = begin(store)
        store.enrol(SURVEY, token(1), open_access=True, seat=lambda k: k)
        store.enrol(SURVEY, token(2), open_access=True, seat=lambda k: k)
        store.put(rows(key, range(3)))
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1 FROM administrator")
        assert store.close(SURVEY, 0, **CLOSING, settle=answer).answered == 3
        assert held()
        another.expire(now=NOW + 70)
        assert held()
        reader.commit()
        another.expire(now=NOW + 80)
        assert held(), "it was tried a moment ago"
        another.expire(now=NOW + 200)
        assert not held(), "any worker may"
