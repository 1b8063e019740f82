"""What a store promises, on real databases: each test runs on SQLite and on PostgreSQL. A backup becomes a store again,
whole, or nothing is said to be restored. Every column of a table says whether it may change, and the databases agree.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import stat
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import psycopg
import pytest

from sottovoce.messages import InvalidInput
from sottovoce.service import Serving
from sottovoce.service.store import (
    MAX_SLOT,
    Exists,
    Full,
    Missing,
    Moved,
    NotInvited,
    Outcome,
    ReportRow,
    RoundRow,
    Seat,
    SqliteStore,
    Store,
    Unavailable,
    check_restored,
    open_store,
    restore,
    store_file,
)
from sottovoce.service.store.base import migration_scripts, pending_scripts
from sottovoce.service.store.postgres import _COLUMNS, _REPORTS
from tests.support.surveys import NOW, SURVEY, abandon, answer, ask_again, begin, payload, rows, tally, token

CLOSING = {"because": "hand", "by": "administrator", "now": NOW + 60}


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        yield opened


def executed(url: str, in_sqlite: str, in_postgres: str = "") -> None:
    """A statement, which may have to be another one in PostgreSQL, behind the back of whoever opened the store."""
    sqlite = url.startswith("sqlite:")
    with closing(sqlite3.connect(url[7:]) if sqlite else psycopg.connect(url)) as connection:
        connection.execute(in_sqlite if sqlite else in_postgres or in_sqlite)
        connection.commit()


def in_order(k: int) -> int | None:
    return k if k < 3 else None


def test_a_survey_reads_back_also_after_a_restart(url: str) -> None:
    with open_store(url) as store:
        key = begin(store)
        store.set_admin(token(8))
        store.set_admin(token(9))
        store.put(rows(key, range(5)))
        store.close(SURVEY, 0, **CLOSING, settle=ask_again)
        before = store.survey(SURVEY), store.rounds(SURVEY), store.admin(), store.surveys()
    with open_store(url) as store:
        assert (store.survey(SURVEY), store.rounds(SURVEY), store.admin(), store.surveys()) == before
        survey, (first, second), admin, _ = before
        assert survey is not None and survey.origins == ("https://example.org",) and survey.state == "running"
        assert (survey.manifest, survey.secret, survey.created, survey.ended) == (b'{"m":1}', b"s" * 32, NOW, None)
        assert (first.closed, first.because, first.by, first.answered) == (NOW + 60, "hand", "administrator", 5)
        assert first.tally == tally((slot, payload(slot)) for slot in range(5))[0]
        assert (second.number, second.role, second.question, second.opened) == (1, "refine", b"next?", NOW + 60)
        assert second.closed is None and second.tally == b"" and admin == token(9)
        assert (store.count(first.key), store.count(second.key)) == (5, 0)
        with pytest.raises(Exists):
            begin(store)
        assert store.survey("b" * 64) is None and store.rounds("b" * 64) == []


def test_the_newest_surveys_are_found_without_reading_all(store: Store) -> None:
    ids = [f"{number:064d}" for number in (3, 1, 2)]
    for id in ids:
        begin(store, id)
    assert store.newest(2) == sorted(ids)[1:] and store.newest(9) == sorted(ids) == [row.id for row in store.surveys()]


def test_a_store_shows_no_secret_and_a_closed_one_says_so(url: str) -> None:
    with open_store(url) as store:
        begin(store)
        assert "ssss" not in repr(store.survey(SURVEY)) and "token" not in repr(store.survey(SURVEY))
        assert "host" not in repr(store) and "db" not in repr(store)
        store.check()
    with pytest.raises(Unavailable):
        store.check()


def test_a_token_gets_one_slot_however_often_it_comes(store: Store) -> None:
    begin(store)
    store.invite(SURVEY, [token(number) for number in range(1, 6)])
    seats = [store.enrol(SURVEY, token(n), open_access=False, seat=in_order) for n in (1, 2, 1, 3, 2)]
    assert [(seat.slot, seat.before) for seat in seats] == [(0, False), (1, False), (0, True), (2, False), (1, True)]
    with pytest.raises(Full):
        store.enrol(SURVEY, token(4), open_access=False, seat=in_order)
    more = store.enrol(SURVEY, token(4), open_access=False, seat=lambda k: k)
    assert more == Seat(slot=3, before=False), "whom a full survey turned away kept the invitation, and no slot is lost"
    with pytest.raises(NotInvited):
        store.enrol(SURVEY, token(7), open_access=False, seat=lambda k: k)
    assert store.enrol(SURVEY, token(7), open_access=True, seat=lambda k: k) == Seat(slot=4, before=False)
    found = store.survey(SURVEY)
    assert found is not None and found.enrolled == 5
    for call in (
        lambda: store.enrol("b" * 64, token(1), open_access=True, seat=in_order),
        lambda: store.invite("b" * 64, [token(1)]),
        lambda: store.close(SURVEY, 1, **CLOSING, settle=answer),
        lambda: store.scrub("b" * 64, now=NOW),
    ):
        with pytest.raises(Missing):
            call()


def test_a_seat_knows_the_visit_that_took_it(store: Store) -> None:
    """The first that came under the token, and no other; also where that one showed no number."""
    begin(store)

    def enrol(number: int, visit: bytes | None, of_round: int | None = None) -> tuple[bool, bool]:
        seat = store.enrol(SURVEY, token(number), open_access=True, seat=lambda k: k, visit=visit, number=of_round)
        return seat.before, seat.yours

    mine, other = token(101), token(102)
    first, again, elsewhere = (False, True), (True, True), (True, False)
    assert [enrol(1, shown) for shown in (mine, other, mine, None)] == [first, elsewhere, again, elsewhere]
    assert [enrol(2, shown) for shown in (None, mine, None)] == [(False, False), elsewhere, elsewhere]
    assert [enrol(3, mine), enrol(3, mine)] == [first, again], "whatever was shown under other tokens"
    assert [enrol(4, mine, 0), enrol(4, mine, 0)] == [first, again]
    store.close(SURVEY, 0, **CLOSING, settle=ask_again)
    assert [enrol(number, mine, 1) for number in (1, 4)] == [again, elsewhere], "forgotten with the slot, not before"


def test_a_store_of_the_version_before_knows_of_no_visit(url: str) -> None:
    with open_store(url) as store:
        begin(store)
        store.enrol(SURVEY, token(1), open_access=True, seat=in_order, visit=token(9))
    executed(url, "ALTER TABLE seat DROP COLUMN visit")
    executed(url, "PRAGMA user_version = 2", "DELETE FROM migration WHERE number = 3")
    with open_store(url) as store:
        for number, known in ((1, Seat(slot=0, before=True)), (2, Seat(slot=1, before=False, yours=True))):
            assert store.enrol(SURVEY, token(number), open_access=True, seat=in_order, visit=token(9)) == known


def test_many_enrol_at_once_and_each_slot_is_dealt_once(store: Store) -> None:
    begin(store)
    tokens = [token(number % 20) for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        seats = list(pool.map(lambda t: store.enrol(SURVEY, t, open_access=True, seat=lambda k: k), tokens))
    dealt = {taken: seat.slot for taken, seat in zip(tokens, seats, strict=True)}
    assert sorted(slot for slot in dealt.values() if slot is not None) == list(range(20))
    assert all(dealt[taken] == seat.slot for taken, seat in zip(tokens, seats, strict=True))
    assert sum(not seat.before for seat in seats) == 20


def test_a_slot_dealt_on_arrival_is_forgotten_with_its_round_and_the_token_stays_used(store: Store) -> None:
    begin(store)

    def arrive(number: int, round_number: int) -> Seat:
        return store.enrol(
            SURVEY, token(number), open_access=True, seat=lambda k: 10 * round_number + k, number=round_number
        )

    assert [arrive(1, 0).slot, arrive(2, 0).slot] == [0, 1]
    store.close(SURVEY, 0, **CLOSING, settle=ask_again)
    assert arrive(1, 1) == Seat(slot=None, before=True)
    assert arrive(3, 1) == Seat(slot=10, before=False), "counting begins again in each round"
    with pytest.raises(Moved):
        arrive(4, 0)


def test_a_report_is_kept_once_and_never_replaced(store: Store) -> None:
    key = begin(store)
    first, other = ReportRow(key, 1, b"one"), ReportRow(key, 1, b"two")
    assert store.put([first, first, other, ReportRow(key + 1, 1, b"one")]) == ["stored", "same", "other", "closed"]
    assert store.put([other, ReportRow(key, 0, b""), first]) == ["other", "stored", "same"]
    assert store.put([]) == []
    assert store.put(rows(key, [MAX_SLOT - 1])) == ["stored"]
    for slot in (-1, MAX_SLOT):
        with pytest.raises(InvalidInput):
            store.put([*rows(key, [5]), ReportRow(key, slot, b"")])
    assert store.count(key) == 3
    seen: list[tuple[int, bytes]] = []

    def settle(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
        seen.extend((slot, bytes(data)) for slot, data in reports)
        return Outcome(tally=b"t", answered=len(seen), answer="{}")

    store.close(SURVEY, 0, **CLOSING, settle=settle)
    assert seen == [(0, b""), (1, b"one"), (MAX_SLOT - 1, payload(MAX_SLOT - 1))], "in the order of slots"
    late = store.put([first, other, ReportRow(key, 2, b"late")])
    assert late == ["same", "closed", "closed"], "whose acknowledgement was lost hears that the report is there"
    assert store.count(key) == 3


def test_a_thousand_parallel_duplicates_are_one_row(store: Store) -> None:
    key = begin(store)
    with ThreadPoolExecutor(8) as pool:
        results = Counter(result for (result,) in pool.map(store.put, [rows(key, [7])] * 1000))
    assert results == {"stored": 1, "same": 999}
    assert store.count(key) == 1


def test_groups_that_cross_each_other_all_get_through(store: Store) -> None:
    """The same slots from both ends at once: whoever takes them in the order they came waits for the other for ever."""
    key = begin(store)
    with ThreadPoolExecutor(2) as pool:
        for first in range(0, 6000, 1000):
            slots = range(first, first + 1000)
            puts = pool.map(store.put, [rows(key, slots), rows(key, reversed(slots))])
            assert Counter(result for put in puts for result in put) == {"stored": 1000, "same": 1000}


@pytest.mark.parametrize("times", [10, pytest.param(200, marks=pytest.mark.soak)])
def test_closing_from_many_sides_gives_one_result(url: str, times: int) -> None:
    """Two workers with a store each, while reports arrive: one tally, and it has every report that was acknowledged."""
    with open_store(url) as one, open_store(url) as two:
        for number in range(times):
            id = f"{number:064d}"
            key = begin(one, id)
            one.put(rows(key, range(20)))
            begun = threading.Barrier(5)

            def close(store: Store, by: str, id: str = id, begun: threading.Barrier = begun) -> RoundRow:
                begun.wait()
                return store.close(id, 0, because="quota", by=by, now=NOW + 60, settle=ask_again)

            def put(key: int = key, begun: threading.Barrier = begun) -> list[str]:
                begun.wait()
                return [result for slot in range(20, 24) for result in two.put(rows(key, [slot]))]

            with ThreadPoolExecutor(5) as pool:
                late = pool.submit(put)
                closed = [pool.submit(close, store, f"worker {i}") for i, store in enumerate((one, two, one, two))]
                results = [future.result() for future in closed]
                stored = late.result().count("stored")
            assert len(set(map(repr, results))) == 1
            assert results[0].answered == 20 + stored == one.count(key)
            assert results[0].tally == tally((slot, payload(slot)) for slot in range(20 + stored))[0]
            assert len(two.rounds(id)) == 2


@pytest.mark.parametrize("when", ["at once", "half way", "at the end"])
def test_a_crash_in_the_middle_of_closing_leaves_everything_as_it_was(store: Store, when: str) -> None:
    key = begin(store)
    store.put(rows(key, range(10)))
    store.enrol(SURVEY, token(1), open_access=True, seat=in_order)

    def settle(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
        for slot, _ in reports if when != "at once" else ():
            if when == "half way" and slot == 5:
                break
        raise ZeroDivisionError

    before = store.survey(SURVEY), store.rounds(SURVEY)
    with pytest.raises(ZeroDivisionError):
        store.close(SURVEY, 0, **CLOSING, settle=settle)
    assert (store.survey(SURVEY), store.rounds(SURVEY)) == before
    assert store.put(rows(key, [9, 10])) == ["same", "stored"], "it is still open"
    assert store.enrol(SURVEY, token(1), open_access=True, seat=in_order) == Seat(slot=0, before=True)
    assert store.close(SURVEY, 0, **CLOSING, settle=answer).answered == 11


@pytest.mark.parametrize("settle, state", [(answer, "done"), (abandon, "abandoned")])
def test_tokens_are_forgotten_when_a_survey_ends(store: Store, settle: Callable[..., Outcome], state: str) -> None:
    key = begin(store)
    store.invite(SURVEY, [token(1), token(2)])
    store.enrol(SURVEY, token(1), open_access=False, seat=in_order, visit=token(9))
    store.put(rows(key, [0]))
    closed = store.close(SURVEY, 0, **CLOSING, settle=settle)
    found = store.survey(SURVEY)
    assert found is not None and (found.state, found.ended, found.enrolled) == (state, NOW + 60, 1)
    assert bool(found.answer) == (state == "done") and bool(found.abandoned) == (state == "abandoned")
    assert len(store.rounds(SURVEY)) == 1 and closed == store.rounds(SURVEY)[0]
    for number in (1, 2):
        with pytest.raises(NotInvited):
            store.enrol(SURVEY, token(number), open_access=True, seat=in_order)
    with pytest.raises(Full):
        store.invite(SURVEY, [token(3)])


def test_scrubbing_keeps_slot_and_hash_and_spares_the_open_round(store: Store, tmp_path: Path) -> None:
    first = begin(store)
    store.put(rows(first, range(3)))
    store.close(SURVEY, 0, **CLOSING, settle=ask_again)
    second = store.rounds(SURVEY)[1].key
    store.put(rows(second, range(3, 5)))
    assert (store.scrub(SURVEY, now=NOW + 70), store.scrub(SURVEY, now=NOW + 80)) == (3, 0)
    found = store.survey(SURVEY)
    assert found is not None and found.scrubbed == NOW + 80
    assert store.count(first) == 3
    assert store.put([*rows(first, [2]), ReportRow(first, 2, b"other")]) == ["same", "closed"], "told by the hash"
    store.backup(tmp_path / "scrubbed")
    held = (tmp_path / "scrubbed").read_bytes()
    assert payload(1) not in held and hashlib.sha256(payload(1)).digest() in held and payload(3) in held
    assert store.close(SURVEY, 1, **CLOSING, settle=answer).answered == 2


def test_reports_of_a_closed_round_are_read_in_the_order_of_slots_a_page_at_a_time(store: Store) -> None:
    key = begin(store)
    store.put(rows(key, [7, 2**40 - 1, 0, 3]))
    assert store.counted(key, after=-1) == []  # it is open
    store.close(SURVEY, 0, **CLOSING, settle=ask_again)
    store.put(rows(store.rounds(SURVEY)[1].key, [1, 2]))
    assert [slot for slot, _ in store.counted(key, after=-1, most=3)] == [0, 3, 7]
    assert store.counted(key, after=7) == [(2**40 - 1, payload(2**40 - 1))]
    assert store.counted(key, after=2**40 - 1) == []
    store.scrub(SURVEY, now=NOW + 70)
    assert store.counted(key, after=3) == [(7, None), (2**40 - 1, None)]


def test_reports_are_deleted_when_their_time_is_over_and_tallies_stay(store: Store) -> None:
    key, running = begin(store), begin(store, "b" * 64)
    store.put(rows(key, range(3)) + rows(running, range(4)))
    store.close(SURVEY, 0, **CLOSING, settle=answer)
    end = NOW + 60 + 2 * 86400
    assert (store.expire(now=end), store.expire(now=end + 1), store.expire(now=end + 2)) == (0, 3, 0)
    assert (store.count(key), store.count(running)) == (0, 4)
    assert store.rounds(SURVEY)[0].answered == 3 and store.rounds(SURVEY)[0].tally


@pytest.mark.parametrize("target", ["sqlite", "postgres"])
def test_a_backup_under_load_restores_to_the_same_tally(
    store: Store, tmp_path: Path, target: str, request: pytest.FixtureRequest
) -> None:
    key, done = begin(store), begin(store, "b" * 64)
    store.set_admin(token(0))
    store.put(rows(done, range(30)))
    closed = store.close("b" * 64, 0, **CLOSING, settle=ask_again)
    store.scrub("b" * 64, now=NOW + 70)
    store.invite(SURVEY, [token(5)])
    store.enrol(SURVEY, token(6), open_access=True, seat=in_order, visit=token(7))
    kept, ended = 0, threading.Event()

    def load() -> None:
        nonlocal kept
        while not ended.is_set():
            store.put(rows(key, range(kept, kept + 20)))
            kept += 20

    thread = threading.Thread(target=load)
    thread.start()
    while kept < 200:
        ended.wait(0.001)
    least = kept
    store.backup(tmp_path / "backup")
    ended.set()
    thread.join()
    assert stat.S_IMODE(os.stat(tmp_path / "backup").st_mode) == 0o600
    with pytest.raises(InvalidInput):
        store.backup(tmp_path / "backup")
    url = request.getfixturevalue("postgres").database() if target == "postgres" else f"sqlite:{tmp_path / 'again.db'}"
    restore(tmp_path / "backup", url)
    with open_store(url) as again:
        count = again.count(key)
        assert least <= count <= kept and count % 20 == 0, "everything acknowledged before it began, in whole groups"
        assert (again.admin(), again.surveys()) == (store.admin(), store.surveys())
        assert again.rounds("b" * 64) == store.rounds("b" * 64) and again.rounds("b" * 64)[0] == closed
        taken = Seat(slot=0, before=True, yours=True)
        assert again.enrol(SURVEY, token(6), open_access=False, seat=in_order, visit=token(7)) == taken
        assert again.enrol(SURVEY, token(5), open_access=False, seat=in_order) == Seat(slot=1, before=False)
        assert again.put(rows(done, [29, 30])) == ["same", "closed"]
        assert again.put(rows(key, [0, count])) == ["same", "stored"]
        result = again.close(SURVEY, 0, **CLOSING, settle=ask_again)
        assert result.tally == tally((slot, payload(slot)) for slot in range(count + 1))[0]
        assert len({row.key for id in (SURVEY, "b" * 64) for row in again.rounds(id)}) == 4, "no key is given twice"
    with pytest.raises(InvalidInput):
        restore(tmp_path / "backup", url)


def test_a_store_of_a_later_version_is_refused(url: str) -> None:
    open_store(url).close_store()
    executed(url, "PRAGMA user_version = 99", "INSERT INTO migration VALUES (99)")
    with pytest.raises(InvalidInput, match="version 99"):
        open_store(url)


def test_what_comes_late_is_not_kept_but_known_if_it_was(store: Store) -> None:
    key = begin(store)
    in_time, late = ReportRow(key, 1, b"one"), ReportRow(key, 2, b"two", late=True)
    assert store.put([in_time, late]) == ["stored", "closed"]
    assert store.put([in_time._replace(late=True), late, ReportRow(key, 1, b"x", late=True)]) == [
        "same",
        "closed",
        "closed",
    ]
    assert store.count(key) == 1


def test_a_file_and_its_log_are_for_their_owner_alone(tmp_path: Path) -> None:
    path, before = tmp_path / "store.db", os.umask(0)
    try:
        with open_store(f"sqlite:{path}") as store:
            store.put(rows(begin(store), range(3)))
            names = ("store.db", "store.db-wal", "store.db-shm")
            assert {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == dict.fromkeys(
                names, 0o600
            )
    finally:
        os.umask(before)


# ---- restoring -------------------------------------------------------------------------------------------------------


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


# ---- the tables as they are written down -----------------------------------------------------------------------------


DATABASES = ("sqlite", "postgres")
NO_COLUMN = ("PRIMARY", "UNIQUE", "CHECK")
ADDED = r"^ALTER TABLE (\w+) ADD COLUMN\n    (.*)$"


def tables(database: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for _, script in migration_scripts(database):
        for name, body in re.findall(r"^CREATE TABLE (\w+) \((.*?)^\)", script, re.MULTILINE | re.DOTALL):
            lines = [line for line in body.splitlines()[1:] if re.match(r"    \w", line)]
            found[name] = [line.split()[0] for line in lines if not line.strip().startswith(NO_COLUMN)]
        for name, line in re.findall(ADDED, script, re.MULTILINE):
            found[name].append(line.split()[0])
    return found


@pytest.mark.parametrize("database", DATABASES)
def test_every_column_is_marked(database: str) -> None:
    for _, script in migration_scripts(database):
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
    script = "".join(script for _, script in migration_scripts("sqlite"))
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
    newest = len(migration_scripts(database))
    assert newest == 3 and pending_scripts(database, newest) == []
    with pytest.raises(InvalidInput, match="version 4"):
        pending_scripts(database, newest + 1)
