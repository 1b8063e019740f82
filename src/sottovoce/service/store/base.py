"""What a store keeps and promises. Two keep it, SQLite and PostgreSQL; one contract suite runs over both.

::

    StoreError
    ├── Unavailable     the database cannot be used now: full disk, failed write, no connection; nothing was done
    ├── Missing         no such survey or round
    ├── Exists          this survey is there already
    ├── NotInvited      this token was never invited, or the survey has ended
    ├── Full            no slot is left
    └── Moved           another round is open by now; read the rounds again

A store knows nothing of questions and answers: they are bytes that others made. Nothing about the order or the time of
arrival is kept finer than the round. What it is told is durable when a method returns, or the method raises.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from sottovoce.messages import InvalidInput, SottovoceError

MAX_SLOT = 2**40
"""Slots are below: a report's key in SQLite is the round's key and the slot in one integer."""
BLOCK = 2**14
"""So many reports are read at once."""

Put = Literal["stored", "same", "other", "closed"]
"""What became of a report. In a closed round the bytes that are there are still ``"same"``: a lost acknowledgement."""


class StoreError(SottovoceError):
    """Root of the tree above."""


class Unavailable(StoreError):  # noqa: N818 - the store is unavailable
    """The database failed. Nothing of the call is kept, or it may be tried again without harm."""


class Missing(StoreError):  # noqa: N818 - a survey is missing
    """No such survey or round."""


class Exists(StoreError):  # noqa: N818 - a survey exists
    """A survey of this name is there already."""


class NotInvited(StoreError):  # noqa: N818 - a token is not invited
    """The token was not invited to this survey, or the survey has ended and tokens are forgotten."""


class Full(StoreError):  # noqa: N818 - a survey is full
    """There is no slot left. The invitation stays as it was."""


class Moved(StoreError):  # noqa: N818 - a survey has moved on
    """Another round is open than the caller thought."""


@dataclass(frozen=True, kw_only=True)
class SurveyRow:
    """A survey. `token` is the SHA-256 of its token; times are whole seconds since 1970."""

    id: str
    manifest: bytes
    secret: bytes = field(repr=False)
    token: bytes = field(repr=False)
    retention_days: int
    origins: tuple[str, ...] = ()
    state: str = "running"
    """``"running"``, ``"done"`` or ``"abandoned"``."""
    answer: str = ""
    abandoned: str = ""
    created: int = 0
    ended: int | None = None
    enrolled: int = 0
    scrubbed: int | None = None


@dataclass(frozen=True, kw_only=True)
class RoundRow:
    """A round. `key` is a small integer that reports name it by; `closed` is None while it is open."""

    survey: str
    number: int
    role: str
    key: int
    question: bytes
    digest: str
    opened: int
    closed: int | None = None
    because: str = ""
    by: str = ""
    answered: int | None = None
    tally: bytes = b""
    seed: bytes | None = field(default=None, repr=False)
    """What the order of slots dealt on arrival follows from; forgotten when the round closes."""


class ReportRow(NamedTuple):
    """A report, checked by whoever passes it on. A tuple, because so many are made."""

    round_key: int
    slot: int
    payload: bytes
    late: bool = False
    """It came after its round's time: it is not kept, but if it was before, that is said."""


def check_slots(rows: Sequence[ReportRow]) -> None:
    """Refuse slots that no store has a key for."""
    if any(not 0 <= row.slot < MAX_SLOT for row in rows):
        raise InvalidInput(f"a slot is a whole number from 0 and below {MAX_SLOT}")


@dataclass(frozen=True, kw_only=True)
class Opening:
    """The question that opens a survey. With a `seed`, for slots that are dealt on arrival."""

    question: bytes
    role: str
    digest: str
    seed: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What closing a round came to: a next question, an answer, or the reason why the survey is abandoned."""

    tally: bytes
    answered: int
    question: bytes | None = None
    role: str = ""
    digest: str = ""
    seed: bytes | None = field(default=None, repr=False)
    answer: str = ""
    abandoned: str = ""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """The slot of a token; None where its round has closed and the slot is forgotten. `before`: it enrolled before.

    `yours`: with this very visit number; false where none was given.
    """

    slot: int | None
    before: bool
    yours: bool = False


Settle = Callable[[RoundRow, Iterable[tuple[int, bytes]]], Outcome]
"""Decides on a round from its reports, in the order of slots. What it raises leaves everything as it was."""


Execute = Callable[..., Any]
"""Runs one statement inside a transaction, and gives its cursor. Parameters are written as question marks."""

SURVEY = """
SELECT id, manifest, secret, token, retention_days, origins, state, answer, abandoned, created, ended,
       (SELECT sum(number) FROM enrolment WHERE enrolment.survey = survey.id), scrubbed FROM survey"""
"""The fields of a `SurveyRow`, in their order."""
ROUND = """
SELECT survey, number, role, key, question, digest, opened, closed, because, "by", answered, tally, seed FROM round"""
"""The fields of a `RoundRow`, in their order."""


def survey_of(row: Sequence[Any]) -> SurveyRow:
    """What `SURVEY` selects."""
    values = {field.name: value for field, value in zip(fields(SurveyRow), row, strict=True)}
    values["origins"], values["enrolled"] = tuple(json.loads(values["origins"])), int(values["enrolled"] or 0)
    return SurveyRow(**values)


def round_of(row: Sequence[Any]) -> RoundRow:
    """What `ROUND` selects."""
    return RoundRow(**{field.name: value for field, value in zip(fields(RoundRow), row, strict=True)})


def taken_seat(execute: Execute, id: str, token: bytes, visit: bytes | None) -> Seat | None:
    """The seat that a token has already, for whoever shows `visit` now."""
    row = execute("SELECT slot, visit FROM seat WHERE survey = ? AND token = ?", (id, token)).fetchone()
    return row and Seat(slot=row[0], before=True, yours=visit is not None and row[1] == visit)


_AHEAD = -1  # where those are counted who enrol for no round in particular
_OPEN = """
INSERT INTO round (survey, number, role, question, digest, opened, closed, because, "by", answered, tally, seed)
VALUES (?, ?, ?, ?, ?, ?, NULL, '', '', NULL, ?, ?)"""


BY_KEY = f"""
SELECT key % {MAX_SLOT}, payload FROM counted
WHERE key > ? * {MAX_SLOT} + ? AND key < (? + 1) * {MAX_SLOT} ORDER BY key LIMIT ?"""
BY_SLOT = "SELECT slot, payload FROM counted WHERE round_key = ? AND slot > ? AND round_key = ? ORDER BY slot LIMIT ?"


class Store(ABC):
    """What a collector remembers. Synchronous, safe to share between threads."""

    LOCK: str
    """Put behind a SELECT: nobody else changes or locks these rows until the transaction ends."""

    COUNTED: str
    """Reports of a closed round by slot, after one: given the round's key, the slot, the key again, and how many."""

    @abstractmethod
    def _writing(self, *, patient: bool = False) -> AbstractContextManager[Execute]:
        """One durable transaction, undone by whatever is raised; the database's own errors become `Unavailable`.

        With `patient` it may take as long as it takes; else somebody waits for it.
        """

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Execute]:
        """Statements that change nothing."""

    @abstractmethod
    def _reports(self, execute: Execute, round_key: int) -> AbstractContextManager[Iterable[tuple[int, bytes]]]:
        """The reports of a round that is being closed, in the order of slots, a block at a time."""

    @abstractmethod
    def _put_in_order(self, execute: Execute, round_key: int) -> None:
        """Move the reports of a round that closes to `counted`, by slot: where they lay told in which order they came.

        Not before the round is decided, so that one which cannot be decided costs a look and nothing more.
        """

    @abstractmethod
    def _scrub(self, execute: Execute, id: str) -> int:
        """Replace the payloads of a survey's closed rounds by their SHA-256; returns how many."""

    @abstractmethod
    def _forget(self) -> None:
        """What was deleted leaves the files, if it can now; what was done before is done, whatever comes of this."""

    @abstractmethod
    def _fill(self, execute: Execute, backup: Path) -> None:
        """Copy all tables from a backup."""

    @abstractmethod
    def put(self, rows: Sequence[ReportRow]) -> list[Put]:
        """Keep reports, in one transaction. Durable when it returns. Never replaces anything."""

    @abstractmethod
    def count(self, round_key: int) -> int:
        """How many reports a round has. Reads an index: ask once a second, not once a report."""

    @abstractmethod
    def expire(self, *, now: int) -> int:
        """Delete the reports of surveys that ended longer ago than they are to be kept. Returns how many."""

    @abstractmethod
    def backup(self, path: str | Path) -> None:
        """Everything at one moment, as a new SQLite file that `restore` and `open_store` read. Writing goes on."""

    @abstractmethod
    def close_store(self) -> None: ...

    def create(self, survey: SurveyRow, first: Opening, *, now: int) -> None:
        """A survey and its first round. Raises `Exists`. State, end and counts of the row are not looked at."""
        values = (survey.id, survey.manifest, survey.secret, survey.token, survey.retention_days)
        with self._writing() as execute:
            inserted = execute(
                "INSERT INTO survey (id, manifest, secret, token, retention_days, origins, created,"
                " state, answer, abandoned, ended, scrubbed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 'running', '', '', NULL, NULL) ON CONFLICT DO NOTHING",
                (*values, json.dumps(survey.origins), survey.created),
            )
            if not inserted.rowcount:
                raise Exists(f"survey {survey.id} is there already; change its purpose or its times to make another")
            execute("INSERT INTO enrolment (survey, round, number) VALUES (?, ?, 0)", (survey.id, _AHEAD))
            execute(_OPEN, (survey.id, 0, first.role, first.question, first.digest, now, b"", first.seed))

    def surveys(self) -> list[SurveyRow]:
        """All, by time of creation and name."""
        with self._reading() as execute:
            return [survey_of(row) for row in execute(f"{SURVEY} ORDER BY created, id").fetchall()]

    def running(self) -> list[str]:
        """The names of those that are not over."""
        with self._reading() as execute:
            rows = execute("SELECT id FROM survey WHERE state = 'running' ORDER BY created, id").fetchall()
        return [id for (id,) in rows]

    def newest(self, count: int) -> list[str]:
        """The names of so many that were made last, in the order of `surveys`."""
        with self._reading() as execute:
            rows = execute("SELECT id FROM survey ORDER BY created DESC, id DESC LIMIT ?", (count,)).fetchall()
        return [id for (id,) in reversed(rows)]

    def survey(self, id: str) -> SurveyRow | None:
        """A survey by its name; None where there is none."""
        with self._reading() as execute:
            row = execute(f"{SURVEY} WHERE id = ?", (id,)).fetchone()
        return None if row is None else survey_of(row)

    def rounds(self, id: str) -> list[RoundRow]:
        """In order; the last may be open."""
        with self._reading() as execute:
            return [round_of(row) for row in execute(f"{ROUND} WHERE survey = ? ORDER BY number", (id,)).fetchall()]

    def counted(self, round_key: int, *, after: int, most: int = BLOCK) -> list[tuple[int, bytes | None]]:
        """Reports of a closed round with slots beyond `after`, in their order; a scrubbed one has no payload."""
        with self._reading() as execute:
            rows = execute(self.COUNTED, (round_key, after, round_key, most)).fetchall()
        return [(int(slot), None if payload is None else bytes(payload)) for slot, payload in rows]

    def invite(self, id: str, hashes: Sequence[bytes]) -> None:
        """Let these tokens in, each given by its SHA-256. Raises `Missing`; `Full` where the survey has ended."""
        with self._writing(patient=True) as execute:
            if self._state(execute, id) != "running":
                raise Full(f"survey {id} has ended; nobody can be invited any more")
            for token in sorted(hashes):  # by token: not even the order of rows tells who came first
                execute("INSERT INTO invitation (survey, token) VALUES (?, ?) ON CONFLICT DO NOTHING", (id, token))

    def enrol(
        self,
        id: str,
        token: bytes,
        *,
        open_access: bool,
        seat: Callable[[int], int | None],
        number: int | None = None,
        visit: bytes | None = None,
    ) -> Seat:
        """The slot of a token, the same one whenever it comes. Raises `Missing`, `NotInvited`, `Full`, `Moved`.

        ``seat(k)`` is the slot of the k-th to enrol, from 0; None says full. With `number`, a round that must be
        open, k counts those who came in this round, and the slot is forgotten when it closes. `visit`, the SHA-256 of
        a device's number, is kept with a new seat, and forgotten with its slot; that of a seat which is taken stays.
        """
        with self._reading() as execute:
            taken = taken_seat(execute, id, token, visit)
        if taken is not None:
            return taken
        with self._writing() as execute:
            state = self._state(execute, id)
            taken = taken_seat(execute, id, token, visit)
            if taken is not None:
                return taken
            if state != "running":
                raise NotInvited(f"survey {id} has ended; its tokens are forgotten")
            used = "DELETE FROM invitation WHERE survey = ? AND token = ?"
            if not open_access and not execute(used, (id, token)).rowcount:
                raise NotInvited(f"survey {id} knows no such invitation", fix="use the whole link that was sent")
            opened = "SELECT 1 FROM round WHERE survey = ? AND number = ? AND closed IS NULL"
            if number is not None and execute(opened, (id, number)).fetchone() is None:
                raise Moved(f"round {number} of survey {id} is not open", fix="read the rounds again")
            (before,) = execute(
                "INSERT INTO enrolment (survey, round, number) VALUES (?, ?, 1)"
                " ON CONFLICT (survey, round) DO UPDATE SET number = enrolment.number + 1 RETURNING number - 1",
                (id, _AHEAD if number is None else number),
            ).fetchone()
            slot = seat(before)
            if slot is None:
                raise Full(f"survey {id} has no slot left{'' if number is None else f' in round {number}'}")
            execute(
                "INSERT INTO seat (survey, token, round, slot, visit) VALUES (?, ?, ?, ?, ?)",
                (id, token, number, slot, visit),
            )
            return Seat(slot=slot, before=False, yours=visit is not None)

    def close(self, id: str, number: int, *, because: str, by: str, now: int, settle: Settle) -> RoundRow:
        """Close a round in one transaction: tally, then next question, answer or end. Raises `Missing`.

        A round that is closed already is returned as it is, and `settle` is not called. Its reports stay in the order
        of slots, whatever order they came in, and its seed is forgotten; when the survey ends, its seats and unused
        invitations are deleted.
        """
        with self._writing(patient=True) as execute:
            self._state(execute, id)
            row = execute(f"{ROUND} WHERE survey = ? AND number = ?{self.LOCK}", (id, number)).fetchone()
            if row is None:
                raise Missing(f"survey {id} has no round {number}")
            closed = round_of(row)
            if closed.closed is None:
                with self._reports(execute, closed.key) as reports:
                    outcome = settle(closed, reports)
                self._put_in_order(execute, closed.key)
                execute(
                    'UPDATE round SET closed = ?, because = ?, "by" = ?, answered = ?, tally = ?, seed = NULL'
                    " WHERE key = ?",
                    (now, because, by, outcome.answered, outcome.tally, closed.key),
                )
                execute("UPDATE seat SET slot = NULL, visit = NULL WHERE survey = ? AND round = ?", (id, number))
                if outcome.question is not None:
                    opened = (outcome.role, outcome.question, outcome.digest, now, b"", outcome.seed)
                    execute(_OPEN, (id, number + 1, *opened))
                else:
                    execute(
                        "UPDATE survey SET state = ?, answer = ?, abandoned = ?, ended = ? WHERE id = ?",
                        ("abandoned" if outcome.abandoned else "done", outcome.answer, outcome.abandoned, now, id),
                    )
                    execute("DELETE FROM seat WHERE survey = ?", (id,))
                    execute("DELETE FROM invitation WHERE survey = ?", (id,))
                closed = round_of(execute(f"{ROUND} WHERE key = ?", (closed.key,)).fetchone())
        self._forget()
        return closed

    def scrub(self, id: str, *, now: int) -> int:
        """Forget the payloads of closed rounds; slot and SHA-256 stay. Returns how many. Raises `Missing`."""
        with self._writing(patient=True) as execute:
            if not execute("UPDATE survey SET scrubbed = ? WHERE id = ?", (now, id)).rowcount:
                raise Missing(f"there is no survey {id}")
            count = self._scrub(execute, id)
        self._forget()
        return count

    def refuse(self, counts: Mapping[tuple[str, str], int]) -> None:
        """Add so many uploads that were refused, by survey and code, all or none. Raises `Missing`."""
        with self._writing() as execute:
            for (id, code), number in sorted(counts.items()):  # in one order, so that nobody waits in a circle
                inserted = execute(
                    "INSERT INTO refusal (survey, code, number) SELECT id, ?, ? FROM survey WHERE id = ?"
                    " ON CONFLICT (survey, code) DO UPDATE SET number = refusal.number + excluded.number",
                    (code, number, id),
                )
                if not inserted.rowcount:
                    raise Missing(f"there is no survey {id}")

    def refused(self, id: str) -> dict[str, int]:
        """How many uploads to a survey were refused, by code, in the order of codes."""
        with self._reading() as execute:
            rows = execute("SELECT code, number FROM refusal WHERE survey = ? ORDER BY code", (id,)).fetchall()
        return {str(code): int(number) for code, number in rows}

    def admin(self) -> bytes | None:
        """The SHA-256 of the administrator's token."""
        with self._reading() as execute:
            row = execute("SELECT token FROM administrator").fetchone()
        return None if row is None else bytes(row[0])

    def set_admin(self, hash: bytes) -> None:
        """Let the administrator in by the token of this SHA-256, in place of any before."""
        with self._writing() as execute:
            execute(
                "INSERT INTO administrator (one, token) VALUES (1, ?)"
                " ON CONFLICT (one) DO UPDATE SET token = excluded.token",
                (hash,),
            )

    def fill(self, backup: Path) -> None:
        """Take everything from a backup of this version. Raises `InvalidInput` where there are surveys already."""
        with self._writing(patient=True) as execute:
            if execute("SELECT 1 FROM survey LIMIT 1").fetchone() is not None:
                raise InvalidInput("the store to restore into has surveys already; restore into an empty one")
            execute("DELETE FROM administrator")
            self._fill(execute, backup)

    def check(self) -> None:
        """Raises `Unavailable` where the database does not answer."""
        with self._reading() as execute:
            execute("SELECT 1 FROM administrator").fetchone()

    def _state(self, execute: Execute, id: str) -> str:
        """A survey's state, and its lock: enrolling and closing take turns."""
        row = execute(f"SELECT state FROM survey WHERE id = ?{self.LOCK}", (id,)).fetchone()
        if row is None:
            raise Missing(f"there is no survey {id}")
        return str(row[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close_store()


def classify_rows(
    rows: Sequence[ReportRow], opened: Collection[int], kept: dict[tuple[int, int], tuple[bytes | None, bytes | None]]
) -> list[Put]:
    """What becomes of each row, given the open rounds and the payload or hash that is kept. A row sees those before."""
    results: list[Put] = []
    for row in rows:
        payload, hash = kept.get(row[:2], (None, None))
        if payload == row.payload or (hash is not None and hash == hashlib.sha256(row.payload).digest()):
            results.append("same")
        elif row.late or row.round_key not in opened:
            results.append("closed")
        elif payload is not None or hash is not None:
            results.append("other")
        else:
            kept[row[:2]] = row.payload, None
            results.append("stored")
    return results


def migration_scripts(database: str) -> list[tuple[int, str]]:
    """The SQL that makes the tables, in order, each with its number, from 1; a published one never changes."""
    folder = files("sottovoce.service.store").joinpath("migrations", database)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    numbers = [int(name[:4]) for name in names]
    if numbers != list(range(1, len(names) + 1)):
        raise RuntimeError(f"the migrations of {database} are not numbered 1, 2, 3, …: the installation is damaged")
    return list(zip(numbers, (folder.joinpath(name).read_text(encoding="utf-8") for name in names), strict=True))


def pending_scripts(database: str, version: int) -> list[tuple[int, str]]:
    """The SQL that brings a store from a version to this software's. A store of a later version is refused."""
    newest = len(migration_scripts(database))
    if version > newest:
        wrong = f"the store is of version {version}, this software knows {newest}:"
        raise InvalidInput(wrong, fix="use the newer software that wrote it", code="later-version")
    return migration_scripts(database)[version:]


@contextmanager
def as_unavailable(errors: tuple[type[Exception], ...], *, code: str, look_at: str) -> Iterator[None]:
    """The database's own errors in one shape, without what it says, which can hold values: only the error's `code`."""
    try:
        yield
    except errors as error:
        name = getattr(error, code, None) or type(error).__name__
        raise Unavailable(f"the store cannot be used now ({name}); look at {look_at}, then try again") from error
