"""What a device has said and spent. Durable, and written before anything is sent.

One SQLite file. A row is a promise kept: this survey of this collector was answered with these bytes, at this cost to
this source of data. The check and the row are one transaction, so two processes cannot both answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from types import TracebackType

from sottovoce.messages.errors import Declined, InvalidInput
from sottovoce.messages.exact import exact

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answer (
    collector TEXT NOT NULL,    -- who asked, as the device knows them; never taken from the question
    survey    TEXT NOT NULL,    -- one answer for each survey of a collector, ever
    source    TEXT NOT NULL,    -- which data the answer was about
    question  TEXT NOT NULL,    -- digest of the question that was answered
    epsilon   TEXT NOT NULL,    -- proven cost, an exact fraction
    report    BLOB NOT NULL,    -- the bytes that were, or are to be, sent
    PRIMARY KEY (collector, survey)
)
"""


class Ledger:
    """The budget of one device, in the file at `path` (":memory:" forgets: for rehearsals only).

    Privacy
    -------
    Over the lifetime of the file all answers about one `source`, whoever asked, together cost at most `cap`; each
    survey of a collector is answered at most once. Costs are exact fractions, proven from the channel's law.
    """

    def __init__(self, path: str | Path, *, cap: float) -> None:
        if not 0 < cap < float("inf"):
            raise InvalidInput(f"cap must be a positive number; got {cap!r}")
        self.cap = exact(cap)
        self._connection = sqlite3.connect(path, isolation_level=None, timeout=30)
        self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.execute("PRAGMA synchronous = EXTRA")
        self._connection.execute(_SCHEMA)

    def answer(
        self,
        *,
        collector: str,
        survey: str,
        source: str,
        question: str,
        epsilon: Fraction,
        make: Callable[[], bytes],
    ) -> bytes:
        """The bytes to send: those stored for this very question, or fresh ones, stored before they are returned.

        Raises
        ------
        Declined
            ``already-answered`` when the survey was answered to another question; ``over-budget`` when the source
            cannot afford it; ``ledger-unavailable`` when the file cannot be read or written. The ledger is unchanged.
        """
        with self._transaction():
            row = self._connection.execute(
                "SELECT question, source, report FROM answer WHERE collector = ? AND survey = ?", (collector, survey)
            ).fetchone()
            if row is not None:
                if row[0] == question and row[1] == source:
                    return bytes(row[2])
                raise Declined("already-answered", f"survey {survey!r} was answered before; a survey gets one answer")
            spent = self.spent(source)
            if spent + epsilon > self.cap:
                raise Declined(
                    "over-budget",
                    f"survey {survey!r} costs {float(epsilon):.6g} on top of {float(spent):.6g} already spent; "
                    f"the cap is {float(self.cap):g}",
                )
            report = make()
            self._connection.execute(
                "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)",
                (collector, survey, source, question, str(epsilon), report),
            )
        return report

    def spent(self, source: str) -> Fraction:
        """What the answers about one source have cost so far, exactly."""
        rows = self._connection.execute("SELECT epsilon FROM answer WHERE source = ?", (source,))
        return sum((Fraction(row[0]) for row in rows), Fraction(0))

    def surveys(self) -> list[tuple[str, str]]:
        """The collectors and surveys that were answered."""
        rows = self._connection.execute("SELECT collector, survey FROM answer ORDER BY collector, survey")
        return [(row[0], row[1]) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Begin with the write lock held; commit on success, undo on anything else."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise Declined("ledger-unavailable", f"the ledger cannot be used now ({type(error).__name__})") from error
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger: cap {float(self.cap):g}>"
