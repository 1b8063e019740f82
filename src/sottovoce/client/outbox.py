"""The outbox: what a device was asked and by whom, where its answer goes, and whether it arrived.

It lies in the ledger's own file. A row is written in the transaction that stores the answer, before anything is sent;
what is sent, again and again if need be, are the bytes that the ledger holds. Nothing here can make another report.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from sottovoce.device import Ledger
from sottovoce.messages import MAX_LEDGER_BYTES, Declined, Manifest

_OUTBOX = """
CREATE TABLE IF NOT EXISTS outbox (
    survey TEXT NOT NULL PRIMARY KEY,  -- immutable; the manifest's digest: collector and survey of the answer
    question BLOB NOT NULL,            -- mutable; the bytes that were answered; emptied where there is no more room
    address TEXT NOT NULL,             -- mutable; where the collector is
    capability TEXT NOT NULL,          -- mutable; hands in the report; emptied when it has arrived, or is not taken
    collector TEXT NOT NULL,           -- immutable; who asked, in the manifest's words
    purpose TEXT NOT NULL,             -- immutable; what for, in the manifest's words
    closes INTEGER NOT NULL,           -- immutable; nothing is sent from then on, by the manifest
    sent REAL,                         -- mutable once; when it was first handed to the network
    acknowledged REAL                  -- mutable once; when it was first known to have arrived
)"""
_TOKEN = """
CREATE TABLE IF NOT EXISTS token (
    survey TEXT NOT NULL PRIMARY KEY,  -- immutable; one that is open to everybody
    token TEXT NOT NULL                -- immutable; under which this device enrols, whenever it tries again
)"""
_SEAT = """
CREATE TABLE IF NOT EXISTS seat (
    survey TEXT NOT NULL,              -- immutable
    slot INTEGER NOT NULL,             -- immutable; each invitation has its own
    used INTEGER NOT NULL,             -- immutable; whether the invitation had been used, when this device first came
    PRIMARY KEY (survey, slot)
)"""
_POST = """
INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)
ON CONFLICT DO UPDATE SET address = excluded.address, capability = excluded.capability WHERE acknowledged IS NULL"""
_ENTRIES = """
SELECT answer.survey, answer.source, answer.question, answer.slot, answer.epsilon, answer.report,
    coalesce(outbox.question, x''), coalesce(address, ''), coalesce(capability, ''),
    coalesce(outbox.collector, answer.collector), coalesce(purpose, ''), coalesce(closes, 0), sent,
    acknowledged, coalesce(used, 0)
FROM answer LEFT JOIN outbox ON outbox.survey = answer.survey AND outbox.survey = answer.collector
LEFT JOIN seat ON seat.survey = outbox.survey AND seat.slot = answer.slot
ORDER BY answer.rowid"""


@dataclass(frozen=True)
class Entry:
    """An answer and what became of it. Times are seconds since 1970; None: it has not happened."""

    survey: str
    source: str
    digest: str
    """Of the question."""
    slot: int
    epsilon: Fraction
    report: bytes = field(repr=False)
    question: bytes = field(repr=False)
    """Its bytes; empty where they are no longer kept."""
    address: str
    capability: str = field(repr=False)
    collector: str
    purpose: str
    closes: int
    """When the survey closes, by its manifest; 0 where it was not through this outbox."""
    sent: float | None
    acknowledged: float | None
    used: bool
    """The invitation had been used before this device first came."""


class Outbox:
    """What is noted beside the answers of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def posting(
        self, question: bytes, *, manifest: Manifest, address: str, capability: str
    ) -> Callable[[sqlite3.Connection], None]:
        """For `respond`: writes the row of an answer beside it. Tried again, only where it goes to may change."""

        def beside(connection: sqlite3.Connection) -> None:
            connection.execute(_OUTBOX)
            (held,) = connection.execute("SELECT coalesce(sum(length(question)), 0) FROM outbox").fetchone()
            if held + len(question) > MAX_LEDGER_BYTES:
                connection.execute("UPDATE outbox SET question = x''")  # their digests stay, with the answers
            row = (manifest.digest, question, address, capability, manifest.collector, manifest.purpose)
            connection.execute(_POST, (*row, manifest.closes))

        return beside

    def history(self) -> list[Entry]:
        """Every answer, in order."""
        with self._tables() as connection:
            rows = connection.execute(_ENTRIES).fetchall()
        return [Entry(*(*row[:4], Fraction(row[4]), *row[5:-1], bool(row[-1]))) for row in rows]

    def of(self, survey: str) -> Entry | None:
        """The answer to a survey, if it was given through this outbox."""
        return next((entry for entry in self.history() if entry.survey == survey and entry.address), None)

    def sent(self, survey: str, *, now: float) -> None:
        """An answer is about to be handed to the network; the first time counts."""
        with self._tables() as connection:
            connection.execute("UPDATE outbox SET sent = coalesce(sent, ?) WHERE survey = ?", (now, survey))

    def acknowledged(self, survey: str, *, now: float) -> None:
        """An answer has arrived: what opened its slot is forgotten. The answer itself never is."""
        with self._tables() as connection:
            change = "acknowledged = coalesce(acknowledged, ?), capability = ''"
            connection.execute(f"UPDATE outbox SET {change} WHERE survey = ?", (now, survey))
            connection.execute("DELETE FROM token WHERE survey = ?", (survey,))

    def given_up(self, survey: str, *, over: bool) -> None:
        """An answer is not taken: what opened its slot is forgotten, and where all is `over` the own token too.

        The answer and its cost stay. Whoever tries again enrols again, under the same token, and sends the same bytes.
        """
        with self._tables() as connection:
            connection.execute("UPDATE outbox SET capability = '' WHERE survey = ?", (survey,))
            if over:
                connection.execute("DELETE FROM token WHERE survey = ?", (survey,))

    def token(self, survey: str, *, make: Callable[[], str]) -> str:
        """The token under which this device enrols where its invitation gives none: the same at every try."""
        with self._tables() as connection:
            connection.execute("INSERT OR IGNORE INTO token VALUES (?, ?)", (survey, make()))
            (token,) = connection.execute("SELECT token FROM token WHERE survey = ?", (survey,)).fetchone()
        return str(token)

    def seated(self, survey: str, slot: int, *, used: bool) -> bool:
        """Note a seat, once; whether its invitation had been `used` when this device first came, and not by itself."""
        with self._tables() as connection:
            connection.execute("INSERT OR IGNORE INTO seat VALUES (?, ?, ?)", (survey, slot, used))
            row = connection.execute("SELECT used FROM seat WHERE survey = ? AND slot = ?", (survey, slot))
            return bool(row.fetchone()[0])

    @contextmanager
    def _tables(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._ledger.transaction() as connection:
                connection.execute(_OUTBOX)
                connection.execute(_TOKEN)
                connection.execute(_SEAT)
                yield connection
        except sqlite3.Error as error:
            raise Declined("ledger-unavailable", f"the outbox cannot be used now ({type(error).__name__})") from None
