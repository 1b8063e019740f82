"""Ledgers that break their promise, each by one step of a small ledger of the right shape; and credulous devices."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from sottovoce.device import Ledger, respond
from sottovoce.messages import Declined, Manifest, Question, exact

_TABLE = (
    "CREATE TABLE IF NOT EXISTS answer (collector TEXT, survey TEXT, source TEXT, question TEXT, epsilon TEXT, "
    "report BLOB, PRIMARY KEY (collector, survey))"
)


class SmallLedger(Ledger):
    """Right, and as short as it can be: what the mutants differ from. It shares nothing with the ledger that ships."""

    def __init__(
        self,
        path: str,
        cap: float,
        *,
        synchronous: str = "EXTRA",
        begin: str = "BEGIN IMMEDIATE",
        insert: str = "INSERT",
        counted: str = "source = :source",
        share: int = 1,
    ) -> None:
        """`counted` says which answers count towards the cap, `share` how much of the next one does."""
        self.cap, self.begin, self.insert, self.counted, self.share = exact(cap), begin, insert, counted, share
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        self.connection.execute(f"PRAGMA synchronous = {synchronous}")
        self.connection.execute(_TABLE)

    def answer(self, *, epsilon: Fraction, make: Callable[[], bytes], **names: Any) -> bytes:
        row = names | {"epsilon": str(epsilon)}
        try:
            self.connection.execute(self.begin)
            report = self.stored(row)
            if report is None:
                self.afford(row, epsilon)
                report = make()
                columns = ":collector, :survey, :source, :question, :epsilon, :report"
                self.connection.execute(f"{self.insert} INTO answer VALUES ({columns})", row | {"report": report})
            self.commit()
            return report
        except sqlite3.Error as error:
            raise Declined("ledger-unavailable", "the ledger cannot be used now") from error
        finally:
            self.end()

    def stored(self, row: dict[str, Any]) -> bytes | None:
        named = "SELECT question, source, report FROM answer WHERE collector = :collector AND survey = :survey"
        answer = self.connection.execute(named, row).fetchone()
        if answer is not None and answer[:2] != (row["question"], row["source"]):
            raise Declined("already-answered", "a survey gets one answer")
        return None if answer is None else bytes(answer[2])

    def afford(self, row: dict[str, Any], epsilon: Fraction) -> None:
        if self.total(self.counted, row) + self.share * epsilon > self.cap:
            raise Declined("over-budget", "the cap is reached")

    def total(self, counted: str, row: dict[str, Any]) -> Fraction:
        rows = self.connection.execute(f"SELECT epsilon FROM answer WHERE {counted}", row)
        return sum((Fraction(one) for (one,) in rows), Fraction(0))

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def end(self) -> None:
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def spent(self, source: str) -> Fraction:
        return self.total("source = :source", {"source": source})

    def close(self) -> None:
        self.connection.close()


class FreshNoise(SmallLedger):
    """A retry is drawn afresh, and replaces what was stored."""

    def stored(self, row: dict[str, Any]) -> bytes | None:
        super().stored(row)
        return None


class SecondQuestion(SmallLedger):
    """Another question of the same survey is another answer."""

    def stored(self, row: dict[str, Any]) -> bytes | None:
        with suppress(Declined):
            return super().stored(row)
        return None


class SpentAfterSending(SmallLedger):
    """The row is committed at the next occasion: when the ledger is used again, or closed."""

    def __init__(self, path: str, cap: float) -> None:
        super().__init__(path, cap, begin="SELECT 1")
        self.connection.isolation_level = "IMMEDIATE"

    def commit(self) -> None:
        """Not yet: the connection begins a transaction by itself, and ends it when it has to."""

    end = commit

    def close(self) -> None:
        self.connection.commit()
        super().close()


class CommitSwallowed(SmallLedger):
    """The report is returned though the commit failed."""

    def commit(self) -> None:
        with suppress(sqlite3.Error):
            super().commit()


class InsertSwallowed(SmallLedger):
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


class NoLock(SmallLedger):
    """Looks first and spends later, in two transactions: others come in between."""

    def commit(self) -> None:
        """Each statement is a transaction of its own."""


class Remembered(SmallLedger):
    """What was spent is counted once, when the file is opened, and then in this process only."""

    def __init__(self, path: str, cap: float) -> None:
        super().__init__(path, cap)
        self._spent: dict[str, Fraction] = {}

    def afford(self, row: dict[str, Any], epsilon: Fraction) -> None:
        before = self._spent.setdefault(row["source"], self.total(self.counted, row))
        if before + epsilon > self.cap:
            raise Declined("over-budget", "the cap is reached")
        self._spent[row["source"]] = before + epsilon


def reopened(path: str, cap: float) -> Ledger:
    """Makes sure that the file is there by opening and closing it: with that go all locks of this process on it."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    return SmallLedger(path, cap, insert="INSERT OR REPLACE")


def unchecked(question: bytes, *arguments: Any, manifest: Manifest | None = None, **more: Any) -> bytes:
    """The manifest was read to the participant, and that was all."""
    return respond(question, *arguments, **more)


def only_epsilon(question: bytes, *arguments: Any, manifest: Manifest | None = None, **more: Any) -> bytes:
    """Whatever costs no more than was announced is answered."""
    if manifest is not None and Question.from_bytes(question).epsilon <= manifest.epsilon:
        manifest = None
    return respond(question, *arguments, manifest=manifest, **more)
