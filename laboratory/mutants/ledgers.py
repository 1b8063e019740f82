"""Ledgers that break their promise, each by one step: a small ledger of the right shape, to get wrong."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sottovoce.device import Ledger
from sottovoce.messages import Declined, exact

_TABLE = (
    "CREATE TABLE IF NOT EXISTS answer (collector TEXT, survey TEXT, source TEXT, question TEXT, epsilon TEXT, "
    "report BLOB, PRIMARY KEY (collector, survey))"
)


class Small(Ledger):
    """Right, and as short as it can be: what the mutants differ from. It shares nothing with the ledger that ships."""

    synchronous = "EXTRA"
    begin = "BEGIN IMMEDIATE"
    insert = "INSERT"

    def __init__(self, path: str, cap: float) -> None:
        self.cap = exact(cap)
        self.connection = sqlite3.connect(self.place(path), isolation_level=None, timeout=30)
        self.connection.execute(f"PRAGMA synchronous = {self.synchronous}")
        self.connection.execute(_TABLE)

    def place(self, path: str) -> str:
        return path

    def answer(
        self,
        *,
        collector: str,
        survey: str,
        source: str,
        question: str,
        epsilon: Fraction,
        make: Callable[[], bytes],
        **_: Any,
    ) -> bytes:
        try:
            self.connection.execute(self.begin)
            report = self.stored(collector, survey, source, question)
            if report is None:
                self.afford(collector, survey, source, epsilon)
                report = make()
                row = (collector, survey, source, question, str(epsilon), report)
                self.connection.execute(f"{self.insert} INTO answer VALUES (?, ?, ?, ?, ?, ?)", row)
            self.commit()
            return report
        except sqlite3.Error as error:
            raise Declined("ledger-unavailable", "the ledger cannot be used now") from error
        finally:
            if self.connection.in_transaction and not self.lingers():
                self.connection.execute("ROLLBACK")

    def stored(self, collector: str, survey: str, source: str, question: str) -> bytes | None:
        named = "SELECT question, source, report FROM answer WHERE collector = ? AND survey = ?"
        row = self.connection.execute(named, (collector, survey)).fetchone()
        if row is not None and tuple(row[:2]) != (question, source):
            raise Declined("already-answered", "a survey gets one answer")
        return None if row is None else bytes(row[2])

    def afford(self, collector: str, survey: str, source: str, epsilon: Fraction) -> None:
        if self.counted(collector, survey, source) + epsilon > self.cap:
            raise Declined("over-budget", "the cap is reached")

    def counted(self, collector: str, survey: str, source: str) -> Fraction:
        return self.spent(source)

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def lingers(self) -> bool:
        return False

    def spent(self, source: str) -> Fraction:
        return self.total("source = ?", source)

    def total(self, condition: str, *values: str) -> Fraction:
        rows = self.connection.execute(f"SELECT epsilon FROM answer WHERE {condition}", values)
        return sum((Fraction(row[0]) for row in rows), Fraction(0))

    def close(self) -> None:
        self.connection.close()


class CapPerCollector(Small):
    """Every collector has the whole cap."""

    def counted(self, collector: str, survey: str, source: str) -> Fraction:
        return self.total("source = ? AND collector = ?", source, collector)


class CapPerSurvey(Small):
    """Every name of a survey has the whole cap."""

    def counted(self, collector: str, survey: str, source: str) -> Fraction:
        return self.total("source = ? AND survey = ?", source, survey)


class OneMore(Small):
    """Answers as long as something is left, and spends more than that."""

    def afford(self, collector: str, survey: str, source: str, epsilon: Fraction) -> None:
        super().afford(collector, survey, source, Fraction(0))


class FreshNoise(Small):
    """A retry is drawn afresh, and replaces what was stored."""

    insert = "INSERT OR REPLACE"

    def stored(self, collector: str, survey: str, source: str, question: str) -> bytes | None:
        super().stored(collector, survey, source, question)
        return None


class SecondQuestion(Small):
    """Another question of the same survey is another answer."""

    insert = "INSERT OR REPLACE"

    def stored(self, collector: str, survey: str, source: str, question: str) -> bytes | None:
        try:
            return super().stored(collector, survey, source, question)
        except Declined:
            return None


class NotDurable(Small):
    """SQLite does not wait for the disk."""

    synchronous = "OFF"


class InMemory(Small):
    """There is no file."""

    def place(self, path: str) -> str:
        return ":memory:"


class SpentAfterSending(Small):
    """The row is committed at the next occasion: when the ledger is used again, or closed."""

    def __init__(self, path: str, cap: float) -> None:
        super().__init__(path, cap)
        self.begin = "SELECT 1"
        self.connection.isolation_level = "IMMEDIATE"

    def commit(self) -> None:
        pass

    def lingers(self) -> bool:
        return True

    def close(self) -> None:
        self.connection.commit()
        super().close()


class CommitSwallowed(Small):
    """The report is returned though the commit failed."""

    def commit(self) -> None:
        try:
            super().commit()
        except sqlite3.Error:
            return


class InsertSwallowed(Small):
    """On any trouble with the file the report is sent all the same: "better than losing an answer"."""

    def answer(self, *, make: Callable[[], bytes], **asked: Any) -> bytes:
        made: list[bytes] = []

        def keep() -> bytes:
            made.append(make())
            return made[-1]

        try:
            return super().answer(make=keep, **asked)
        except Declined as error:
            if error.code == "ledger-unavailable" and made:
                return made[-1]
            raise


class NoLock(Small):
    """Looks first and spends later, in two transactions: others come in between."""

    begin = "SELECT 1"
    insert = "INSERT OR REPLACE"

    def commit(self) -> None:
        pass


class Reopened(Small):
    """Makes sure that the file is there by opening and closing it: with that go all locks of this process on it."""

    insert = "INSERT OR REPLACE"

    def place(self, path: str) -> str:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        return path


class Remembered(Small):
    """What was spent is counted once, when the file is opened, and then in this process only."""

    def __init__(self, path: str, cap: float) -> None:
        super().__init__(path, cap)
        self._spent: dict[str, Fraction] = {}

    def afford(self, collector: str, survey: str, source: str, epsilon: Fraction) -> None:
        before = self._spent.setdefault(source, self.total("source = ?", source))
        if before + epsilon > self.cap:
            raise Declined("over-budget", "the cap is reached")
        self._spent[source] = before + epsilon
