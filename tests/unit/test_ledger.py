"""The ledger: one answer a survey, a cap for each source, spent before sent; its file is private, bounded and exact."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sottovoce import design
from sottovoce.device import Collections, Ledger, ledger
from sottovoce.messages import Declined, InvalidInput, Report
from tests.support.questions import answered
from tests.unit.test_hostile_questions import vote

PEOPLE = Collections.of_one([0.3, 0.4])


def ask(ledger: Ledger, *, epsilon: float = 1.0, survey: str = "steps", **more: Any) -> bytes:
    return answered(vote(epsilon, survey=survey).to_bytes(), PEOPLE, ledger, **{"slot": 1} | more)


def test_retry_resends_the_same_bytes_and_spends_once(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        first = ask(ledger)
        assert all(ask(ledger) == first for _ in range(5))
    with Ledger(tmp_path / "ledger", cap=4) as reopened:
        assert ask(reopened) == first and repr(reopened) == "<Ledger: cap 4>"
        assert reopened.spent("pedometer") == design.unary(1.0, 10).epsilon_bound() <= 1, "what is proven, once"


@pytest.mark.parametrize(("cap", "parts"), [(1, 8), (0.3, 3)])
def test_cap_counts_all_surveys_of_a_source_exactly(cap: float, parts: int) -> None:
    """Three tenths are 0.3 as people expect."""
    with Ledger(":memory:", cap=cap) as ledger:
        for number in range(parts):
            ask(ledger, epsilon=float(f"{cap / parts:g}"), survey=f"s{number}")
        with pytest.raises(Declined, match=rf"over-budget.*costs 0.001 on top of {cap}"):
            ask(ledger, epsilon=0.001, survey="another")
        assert Fraction(99, 100) < ledger.spent("pedometer") / Fraction(str(cap)) <= 1
        ask(ledger, epsilon=0.2, survey="other", source="music")
        assert ledger.spent("music") > 0


def test_a_failure_while_answering_spends_nothing() -> None:
    def fail() -> bytes:
        raise RuntimeError("power cut")

    with Ledger(":memory:", cap=1) as ledger:
        with pytest.raises(RuntimeError):
            say(ledger, make=fail)
        assert ledger.surveys() == [] and ledger.spent("steps") == 0


def test_the_same_survey_about_another_source_or_as_another_slot_is_declined() -> None:
    with Ledger(":memory:", cap=4) as ledger:
        first = ask(ledger)
        for change in ({"source": "music"}, {"slot": 4}):
            with pytest.raises(Declined, match="already-answered"):
                ask(ledger, **change)
        assert ask(ledger) == first and Report.from_bytes(first).slot == 1


def _race(path: str) -> bytes:
    with Ledger(path, cap=1) as ledger:
        return ask(ledger)


def test_processes_that_race_send_the_same_report(tmp_path: Path) -> None:
    path = str(tmp_path / "ledger")
    Ledger(path, cap=1).close()
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert len(set(pool.map(_race, [path] * 8, chunksize=1))) == 1


def test_a_reader_that_holds_the_file_declines_and_does_not_wedge(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=4) as ledger:
        ask(ledger, survey="before")
        ledger._connection.execute("PRAGMA busy_timeout = 50")
        reader = sqlite3.connect(tmp_path / "ledger", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM answer").fetchall()
        with pytest.raises(Declined, match="ledger-unavailable"):
            ask(ledger)
        reader.close()
        assert ledger.surveys() == [("lab", "before")]
        assert ask(ledger)


@pytest.mark.parametrize("cap", [0, -1, float("nan"), float("inf")])
def test_cap_must_be_positive(cap: float) -> None:
    with pytest.raises(InvalidInput, match="cap"):
        Ledger(":memory:", cap=cap)


OLD = """
CREATE TABLE answer (
    collector TEXT NOT NULL, survey TEXT NOT NULL, source TEXT NOT NULL, question TEXT NOT NULL,
    epsilon TEXT NOT NULL, report BLOB NOT NULL, PRIMARY KEY (collector, survey)
)
"""
DIGEST = "0" * 64


def say(book: Ledger, survey: str = "s", *, epsilon: str = "1/8", report: bytes = b"said", **more: Any) -> bytes:
    own = {"collector": "lab", "survey": survey, "source": "steps", "question": DIGEST, "make": lambda: report}
    return book.answer(**own | more, epsilon=Fraction(epsilon))


def unavailable(act: Callable[[], object]) -> str:
    with pytest.raises(Declined) as caught:
        act()
    assert caught.value.code == "ledger-unavailable"
    assert caught.value.__cause__ is None
    return str(caught.value)


@pytest.mark.parametrize("there", [False, True])
def test_only_the_owner_may_read_the_file_and_its_journal(there: bool, tmp_path: Path) -> None:
    seen = []

    def make() -> bytes:
        seen.extend(stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir())
        return b"said"

    before = os.umask(0)
    try:
        if there:
            (tmp_path / "ledger").touch(mode=0o644)
        with Ledger(tmp_path / "ledger", cap=1) as book:
            say(book, "before")
            book._connection.execute("PRAGMA cache_size = 0")
            say(book, make=make)
    finally:
        os.umask(before)
    assert seen and set(seen) == {0o600}


def test_a_ledger_needs_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((InvalidInput, Declined)):
        Ledger(Path(""), cap=1)
    with pytest.raises(InvalidInput, match="path must name a file"):
        Ledger("", cap=1)


def test_what_cannot_be_opened_is_declined(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, but long enough to be taken for one\n" * 40)
    tmp_path.chmod(0o750)
    for path in (tmp_path, tmp_path / "nowhere" / "ledger", tmp_path / "text", "a\0b"):
        unavailable(lambda path=path: Ledger(path, cap=1))  # type: ignore[misc]
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750, "a folder in the place of a ledger stays as it was"


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE mine (a)")
    assert "not a ledger" in unavailable(lambda: Ledger(tmp_path / "other", cap=1))
    with sqlite3.connect(tmp_path / "other") as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]
        other.execute("PRAGMA user_version = 3")
    assert "later version" in unavailable(lambda: Ledger(tmp_path / "other", cap=1))


def test_a_closed_ledger_declines(tmp_path: Path) -> None:
    book = Ledger(tmp_path / "ledger", cap=1)
    book.close()
    book.close()
    for act in (lambda: say(book), lambda: book.spent("steps"), book.surveys):
        unavailable(act)


@pytest.mark.parametrize("field", ["collector", "survey", "source", "question"])
@pytest.mark.parametrize("name", ["\ud800", None, b"lab", 2**70])
def test_names_that_are_no_text_are_declined(field: str, name: object) -> None:
    with Ledger(":memory:", cap=1) as book:
        unavailable(lambda: say(book, **{field: name}))
        unavailable(lambda: book.spent("\ud800"))
        assert book.surveys() == []
        assert say(book)


def test_a_ledger_opened_before_a_fork_declines_in_the_child(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=1) as book:
        child = os.fork()
        if child == 0:
            try:
                say(book)
            except Declined as declined:
                os._exit(7 if declined.code == "ledger-unavailable" else 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert say(book) == b"said"


@pytest.mark.parametrize(
    "statement",
    [
        *(f"UPDATE total SET {change}" for change in ("epsilon = '1/0'", "epsilon = '1/2/3'", "epsilon = '0'")),
        *("UPDATE total SET source = 'other'", "DELETE FROM total", "DELETE FROM answer"),
        *("DROP TABLE answer", "DROP TABLE total"),
    ],
)
def test_rows_that_no_ledger_writes_are_declined(tmp_path: Path, statement: str) -> None:
    with Ledger(tmp_path / "ledger", cap=1) as book:
        say(book)
    with sqlite3.connect(tmp_path / "ledger", isolation_level=None) as hand:
        hand.execute(statement)
    hand.close()
    told = unavailable(lambda: Ledger(tmp_path / "ledger", cap=1))
    assert "another hand" in told or statement.startswith(("DROP", "UPDATE total SET epsilon = '1/"))


@pytest.mark.parametrize(
    "values",
    [
        *(f"'c', 's', 'a', 'q', {slot}, '1/2', x'00'" for slot in ("-1", "'x'", "1.5")),
        *(f"'c', 's', 'a', 'q', 1, {epsilon}, x'00'" for epsilon in ("'-1/2'", "''", "'0.5'")),
        *(f"'c', 's', 'a', 'q', 1, '1/2', {report}" for report in ("'text'", "NULL", "zeroblob(1048577)")),
        *(f"{collector}, 's', 'a', 'q', 1, '1/2', x'00'" for collector in ("NULL", "x'00'")),
    ],
)
def test_the_file_itself_refuses_odd_rows(values: str) -> None:
    with Ledger(":memory:", cap=1) as book, pytest.raises(sqlite3.IntegrityError):
        book._connection.execute(f"INSERT INTO answer VALUES ({values})")


def test_a_ledger_is_full_before_a_disk_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_LEDGER_ANSWERS", 3)
    with Ledger(":memory:", cap=1) as book:
        for number in range(3):
            say(book, f"s{number}", epsilon="1/1000000")
        with pytest.raises(Declined, match="ledger-full"):
            say(book, "s3", epsilon="1/1000000")
        assert say(book, "s1", epsilon="1/1000000") == b"said"  # a retry needs no room
    monkeypatch.setattr(ledger, "MAX_LEDGER_BYTES", 2 * 65536)
    with Ledger(":memory:", cap=1) as book:
        say(book, "large", report=bytes(65537))
        with pytest.raises(Declined, match="ledger-full"):
            say(book, "small")


def test_spending_is_exact_and_takes_no_scan(tmp_path: Path) -> None:
    """A thousand answers: the total is their exact sum, and looking it up reads one row of each table."""
    costs = [Fraction(1, 3000 + number) for number in range(1000)]
    with Ledger(tmp_path / "ledger", cap=1) as book:
        book._connection.execute("PRAGMA synchronous = OFF")
        for number, cost in enumerate(costs):
            say(book, f"s{number}", epsilon=str(cost))
        assert book.spent("steps") == sum(costs)
        asked: list[str] = []
        book._connection.set_trace_callback(asked.append)
        book.spent("steps")
        assert asked and not any("answer " in text.replace("answers", "") for text in asked)
        plan = book._connection.execute("EXPLAIN QUERY PLAN SELECT epsilon FROM total WHERE source = 'steps'")
        assert "SEARCH" in plan.fetchall()[0][3]
    with Ledger(tmp_path / "ledger", cap=1) as book:
        assert book.spent("steps") == sum(costs) and len(book.surveys()) == 1000


def old(path: Path, *rows: tuple[object, ...]) -> None:
    with sqlite3.connect(path) as file:
        file.execute(OLD)
        file.executemany("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)", rows)
    file.close()


def test_an_older_ledger_is_carried_over(tmp_path: Path) -> None:
    reports = [Report(question=DIGEST, slot=slot, payload="00").to_bytes() for slot in (5, 6)]
    old(
        tmp_path / "ledger",
        ("lab", "one", "steps", DIGEST, "1/3", reports[0]),
        ("lab", "two", "steps", DIGEST, "1/7", reports[1]),
    )
    for _ in range(2):
        with Ledger(tmp_path / "ledger", cap=1) as book:
            assert book.spent("steps") == Fraction(10, 21)
            assert book.surveys() == [("lab", "one"), ("lab", "two")]
            assert say(book, "one", slot=5) == reports[0]
            with pytest.raises(Declined, match="already-answered"):
                say(book, "two", slot=5)
            with pytest.raises(Declined, match="over-budget"):
                say(book, "three", epsilon="3/4")


@pytest.mark.parametrize("row", [("1/0", b"{}"), ("much", None), ("1/3", b"said"), ("1/3", "text"), ("-1/3", None)])
def test_an_older_ledger_that_cannot_be_read_is_left_as_it_was(tmp_path: Path, row: tuple[str, object]) -> None:
    report = Report(question=DIGEST, slot=5, payload="00").to_bytes() if row[1] is None else row[1]
    old(tmp_path / "ledger", ("lab", "one", "steps", DIGEST, row[0], report))
    before = (tmp_path / "ledger").read_bytes()
    unavailable(lambda: Ledger(tmp_path / "ledger", cap=1))
    assert (tmp_path / "ledger").read_bytes() == before


def test_a_disk_that_fails_is_declined_and_nothing_is_said(tmp_path: Path) -> None:
    with Ledger(tmp_path / "ledger", cap=1) as book:
        say(book, "before")
        book._connection.execute("PRAGMA max_page_count = 1")  # as small as the file is now
        unavailable(lambda: say(book, "large", report=bytes(60_000)))
        book._connection.execute("PRAGMA max_page_count = 100000")
        assert book.surveys() == [("lab", "before")] and book.spent("steps") == Fraction(1, 8)
        assert say(book, "large", report=bytes(60_000))


ANOTHER = """
import sys
from fractions import Fraction
from sottovoce.device import Ledger
print("came", flush=True)
with Ledger(sys.argv[1], cap=1.0) as book:
    said = book.answer(
        collector="lab", survey="s", source="steps", question="0" * 64, epsilon=Fraction(1, 8), make=lambda: b"another"
    )
    print(said.decode())
"""


def test_a_ledger_opened_twice_in_a_process_keeps_another_process_out(tmp_path: Path) -> None:
    """On POSIX a process that closes any descriptor of a file drops all of its locks on it, its transaction's too."""
    file, started = tmp_path / "ledger", list[subprocess.Popen[str]]()
    others = [threading.Thread(target=lambda: Ledger(file, cap=1.0).close()) for _ in range(2)]

    def make() -> bytes:
        for other in others:
            other.start()
        for other in others:
            other.join(0.3)  # they wait for this very transaction
        command = [sys.executable, "-c", ANOTHER, str(file)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert started[0].stdout is not None and started[0].stdout.readline() == "came\n"
        with pytest.raises(subprocess.TimeoutExpired):
            started[0].wait(1)
        return b"this one"

    with Ledger(file, cap=1.0) as book:
        said = say(book, make=make)
    for other in others:
        other.join(300)
    assert said == b"this one" and started[0].communicate(timeout=300)[0] == "this one\n"


def test_a_ledger_opens_no_file_beside_sqlite_but_one_that_it_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, opened = os.open, list[int]()

    def watched(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        opened.append(flags)
        return real(path, flags, mode, **more)

    monkeypatch.setattr(os, "open", watched)
    for _ in range(3):
        Ledger(tmp_path / "ledger", cap=1.0).close()
    assert opened and all(flags & os.O_CREAT and flags & os.O_EXCL for flags in opened)
