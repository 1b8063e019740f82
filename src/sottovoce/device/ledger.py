"""What a device has said and spent. Durable, and written before anything is sent.

One SQLite file. A row is a promise kept: this survey of this collector was answered with these bytes, at this cost to
this source of data. The check and the row are one transaction, so two processes cannot both answer.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from fractions import Fraction
from pathlib import Path

from sottovoce.device import schema
from sottovoce.messages import MAX_LEDGER_ANSWERS, MAX_LEDGER_BYTES, MAX_REPORT_BYTES, Declined, InvalidInput, exact

Beside = Callable[[sqlite3.Connection], None]  # what a client notes beside an answer, in the same transaction
_STORED = "SELECT question, source, slot, report FROM answer WHERE collector = ? AND survey = ?"


class Ledger(AbstractContextManager["Ledger"]):
    """The budget of one device, in the file at `path` (":memory:" forgets: for rehearsals only).

    Privacy
    -------
    Over the lifetime of the file all answers about one `source`, whoever asked, together cost at most `cap`; each
    survey of a collector is answered at most once. Costs are exact fractions, proven from the channel's law. A file
    that cannot be used, for whatever reason, is `Declined` with ``ledger-unavailable``, by every method.
    """

    def __init__(self, path: str | Path, *, cap: float) -> None:
        if not 0 < cap < float("inf"):
            raise InvalidInput(f"cap must be a positive number; got {cap!r}")
        self.cap = exact(cap)
        self._process = os.getpid()
        with _declined():
            self._connection = schema.connect(path)
        with self.transaction() as connection, _declined():
            schema.prepare(connection)

    def answer(
        self,
        *,
        collector: str,
        survey: str,
        source: str,
        question: str,
        epsilon: Fraction,
        make: Callable[[], bytes],
        slot: int = 0,
        beside: Beside | None = None,
    ) -> bytes:
        """The bytes to send: those stored for this question and slot, or fresh ones, stored before they are returned.

        Raises
        ------
        Declined
            ``already-answered`` to another question, as another slot or about another source; ``over-budget`` for the
            source; ``ledger-full``; ``ledger-unavailable``. The ledger is unchanged.
        """
        with self.transaction() as connection:
            with _declined():
                row = connection.execute(_STORED, (collector, survey)).fetchone()
                spent, answers, held = schema.totals(connection, source)
            if row is not None and row[:3] != (question, source, slot):
                raise Declined("already-answered", f"survey {survey!r} was answered before; a survey gets one answer")
            if row is None and spent + epsilon > self.cap:
                sums = f"{float(epsilon):.6g} on top of {float(spent):.6g} spent; the cap is {float(self.cap):g}"
                raise Declined("over-budget", f"survey {survey!r} costs {sums}")
            if row is None and (answers >= MAX_LEDGER_ANSWERS or held + MAX_REPORT_BYTES > MAX_LEDGER_BYTES):
                raise Declined("ledger-full", f"{answers} answers of {held} bytes in all leave no room for another")
            report = make() if row is None else bytes(row[3])
            with _declined():
                if row is None:
                    schema.insert(connection, (collector, survey, source, question, slot), epsilon, report)
                if beside is not None:
                    beside(connection)
        return report

    def spent(self, source: str) -> Fraction:
        """What the answers about one source have cost so far, exactly."""
        with _declined():
            return schema.totals(self._own(), source)[0]

    def surveys(self) -> list[tuple[str, str]]:
        """The collectors and surveys that were answered."""
        with _declined():
            return self._own().execute("SELECT collector, survey FROM answer ORDER BY collector, survey").fetchall()

    def _own(self) -> sqlite3.Connection:
        if os.getpid() != self._process:
            raise Declined("ledger-unavailable", "the ledger was opened before a fork; open it again in this process")
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin with the write lock held; commit on success, undo on anything else, a failed beginning included."""
        connection = self._own()
        try:
            with _declined():
                connection.execute("BEGIN IMMEDIATE")
            yield connection
            with _declined():
                connection.execute("COMMIT")
        finally:
            with suppress(sqlite3.Error):  # what went wrong before is what counts
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        with _declined():
            self._connection.close()

    def __exit__(self, *details: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Ledger: cap {float(self.cap):g}>"


@contextmanager
def _declined() -> Iterator[None]:
    """Whatever a file, its bytes or a name can do wrong is one decline."""
    try:
        yield
    except (Declined, InvalidInput):
        raise
    except (sqlite3.Error, OSError, ArithmeticError, ValueError, TypeError) as error:
        raise Declined("ledger-unavailable", f"the ledger cannot be used now ({type(error).__name__})") from None
