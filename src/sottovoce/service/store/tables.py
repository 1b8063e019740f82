"""What both stores do alike: the same statements over the same tables. Each adds how it locks, and its reports."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from sottovoce.messages import InvalidInput
from sottovoce.service.store.base import (
    BLOCK,
    MAX_SLOT,
    Exists,
    Full,
    Missing,
    Moved,
    NotInvited,
    Opening,
    Outcome,
    Put,
    ReportRow,
    RoundRow,
    Seat,
    Settle,
    SurveyRow,
)

# Statements as both databases take them.


class Cursor(Protocol):
    """What both drivers' cursors offer."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Execute(Protocol):
    """Runs one statement inside a transaction. Parameters are written as question marks."""

    def __call__(self, statement: str, parameters: Sequence[object] = (), /) -> Cursor: ...


# Surveys, rounds and seats as both databases give them.

SURVEY = """
SELECT id, manifest, secret, token, retention_days, origins, state, answer, abandoned, created, ended, scrubbed,
       (SELECT sum(number) FROM enrolment WHERE enrolment.survey = survey.id) FROM survey"""
ROUND = """
SELECT survey, number, role, key, question, digest, opened, closed, because, "by", answered, tally, seed FROM round"""
SEAT = "SELECT slot, visit FROM seat WHERE survey = ? AND token = ?"


def survey_of(row: Sequence[Any]) -> SurveyRow:
    """What `SURVEY` selects."""
    id, manifest, secret, token, days, origins, state, answer, abandoned, created, ended, scrubbed, enrolled = row
    return SurveyRow(
        id=id,
        manifest=bytes(manifest),
        secret=bytes(secret),
        token=bytes(token),
        retention_days=days,
        origins=tuple(json.loads(origins)),
        state=state,
        answer=answer,
        abandoned=abandoned,
        created=created,
        ended=ended,
        enrolled=int(enrolled or 0),
        scrubbed=scrubbed,
    )


def round_of(row: Sequence[Any]) -> RoundRow:
    """What `ROUND` selects."""
    survey, number, role, key, question, digest, opened, closed, because, by, answered, tally, seed = row
    return RoundRow(
        survey=survey,
        number=number,
        role=role,
        key=key,
        question=bytes(question),
        digest=digest,
        opened=opened,
        closed=closed,
        because=because,
        by=by,
        answered=answered,
        tally=bytes(tally),
        seed=None if seed is None else bytes(seed),
    )


def seat_of(row: Sequence[Any] | None, visit: bytes | None) -> Seat | None:
    """What `SEAT` selects, if it is taken, for whoever shows `visit` now."""
    if row is None:
        return None
    slot, kept = row
    return Seat(slot=slot, before=True, yours=visit is not None and kept is not None and bytes(kept) == visit)


_AHEAD = -1  # where those are counted who enrol for no round in particular
_OPEN = """
INSERT INTO round (survey, number, role, question, digest, opened, closed, because, "by", answered, tally, seed)
VALUES (?, ?, ?, ?, ?, ?, NULL, '', '', NULL, ?, ?)"""


BY_KEY = f"""
SELECT key % {MAX_SLOT}, payload FROM counted
WHERE key > ? * {MAX_SLOT} + ? AND key < (? + 1) * {MAX_SLOT} ORDER BY key LIMIT ?"""
BY_SLOT = "SELECT slot, payload FROM counted WHERE round_key = ? AND slot > ? AND round_key = ? ORDER BY slot LIMIT ?"


class Tables(ABC):
    """A store but for its reports."""

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
    def _fill(self, execute: Execute, backup: Path) -> None:
        """Copy all tables from a backup."""

    @abstractmethod
    def close_store(self) -> None: ...

    def create(self, survey: SurveyRow, first: Opening, *, now: int) -> None:
        values = (survey.id, survey.manifest, survey.secret, survey.token, survey.retention_days)
        with self._writing() as execute:
            made = execute(
                "INSERT INTO survey (id, manifest, secret, token, retention_days, origins, created,"
                " state, answer, abandoned, ended, scrubbed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, 'running', '', '', NULL, NULL) ON CONFLICT DO NOTHING",
                (*values, json.dumps(survey.origins), survey.created),
            )
            if not made.rowcount:
                raise Exists(f"survey {survey.id} is there already; change its purpose or its times to make another")
            execute("INSERT INTO enrolment (survey, round, number) VALUES (?, ?, 0)", (survey.id, _AHEAD))
            execute(_OPEN, (survey.id, 0, first.role, first.question, first.digest, now, b"", first.seed))

    def surveys(self) -> list[SurveyRow]:
        with self._reading() as execute:
            return [survey_of(row) for row in execute(f"{SURVEY} ORDER BY created, id").fetchall()]

    def running(self) -> list[str]:
        with self._reading() as execute:
            rows = execute("SELECT id FROM survey WHERE state = 'running' ORDER BY created, id").fetchall()
        return [id for (id,) in rows]

    def newest(self, count: int) -> list[str]:
        with self._reading() as execute:
            rows = execute("SELECT id FROM survey ORDER BY created DESC, id DESC LIMIT ?", (count,)).fetchall()
        return [id for (id,) in reversed(rows)]

    def survey(self, id: str) -> SurveyRow | None:
        with self._reading() as execute:
            row = execute(f"{SURVEY} WHERE id = ?", (id,)).fetchone()
        return None if row is None else survey_of(row)

    def rounds(self, id: str) -> list[RoundRow]:
        with self._reading() as execute:
            return [round_of(row) for row in execute(f"{ROUND} WHERE survey = ? ORDER BY number", (id,)).fetchall()]

    def counted(self, round_key: int, *, after: int, most: int = BLOCK) -> list[tuple[int, bytes | None]]:
        with self._reading() as execute:
            found = execute(self.COUNTED, (round_key, after, round_key, most)).fetchall()
        return [(int(slot), None if payload is None else bytes(payload)) for slot, payload in found]

    def invite(self, id: str, hashes: Sequence[bytes]) -> None:
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
        with self._reading() as execute:
            taken = seat_of(execute(SEAT, (id, token)).fetchone(), visit)
        if taken is not None:
            return taken
        with self._writing() as execute:
            state = self._state(execute, id)
            taken = seat_of(execute(SEAT, (id, token)).fetchone(), visit)
            if taken is not None:
                return taken
            if state != "running":
                raise NotInvited(f"survey {id} has ended; its tokens are forgotten")
            if not open_access:
                used = execute("DELETE FROM invitation WHERE survey = ? AND token = ?", (id, token))
                if not used.rowcount:
                    raise NotInvited(f"survey {id} knows no such invitation", fix="use the whole link that was sent")
            if number is not None:
                self._expect_open(execute, id, number)
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
        with self._writing(patient=True) as execute:
            self._state(execute, id)
            row = execute(f"{ROUND} WHERE survey = ? AND number = ?{self.LOCK}", (id, number)).fetchone()
            if row is None:
                raise Missing(f"survey {id} has no round {number}")
            found = round_of(row)
            if found.closed is not None:
                return found
            with self._reports(execute, found.key) as reports:
                outcome = settle(found, reports)
            self._put_in_order(execute, found.key)
            execute(
                'UPDATE round SET closed = ?, because = ?, "by" = ?, answered = ?, tally = ?, seed = NULL'
                " WHERE key = ?",
                (now, because, by, outcome.answered, outcome.tally, found.key),
            )
            execute("UPDATE seat SET slot = NULL, visit = NULL WHERE survey = ? AND round = ?", (id, number))
            self._go_on(execute, found, outcome, now)
            return round_of(execute(f"{ROUND} WHERE key = ?", (found.key,)).fetchone())

    def refuse(self, counts: Mapping[tuple[str, str], int]) -> None:
        with self._writing() as execute:
            for (id, code), number in sorted(counts.items()):  # in one order, so that nobody waits in a circle
                made = execute(
                    "INSERT INTO refusal (survey, code, number) SELECT id, ?, ? FROM survey WHERE id = ?"
                    " ON CONFLICT (survey, code) DO UPDATE SET number = refusal.number + excluded.number",
                    (code, number, id),
                )
                if not made.rowcount:
                    raise Missing(f"there is no survey {id}")

    def refused(self, id: str) -> dict[str, int]:
        with self._reading() as execute:
            rows = execute("SELECT code, number FROM refusal WHERE survey = ? ORDER BY code", (id,)).fetchall()
        return {str(code): int(number) for code, number in rows}

    def admin(self) -> bytes | None:
        with self._reading() as execute:
            row = execute("SELECT token FROM administrator").fetchone()
        return None if row is None else bytes(row[0])

    def set_admin(self, hash: bytes) -> None:
        with self._writing() as execute:
            execute(
                "INSERT INTO administrator (one, token) VALUES (1, ?)"
                " ON CONFLICT (one) DO UPDATE SET token = excluded.token",
                (hash,),
            )

    def fill(self, backup: Path) -> None:
        with self._writing(patient=True) as execute:
            if execute("SELECT 1 FROM survey LIMIT 1").fetchone() is not None:
                raise InvalidInput("the store to restore into has surveys already; restore into an empty one")
            execute("DELETE FROM administrator")
            self._fill(execute, backup)

    def check(self) -> None:
        with self._reading() as execute:
            execute("SELECT 1 FROM administrator").fetchone()

    def _state(self, execute: Execute, id: str) -> str:
        """A survey's state, and its lock: enrolling and closing take turns."""
        row = execute(f"SELECT state FROM survey WHERE id = ?{self.LOCK}", (id,)).fetchone()
        if row is None:
            raise Missing(f"there is no survey {id}")
        return str(row[0])

    def _expect_open(self, execute: Execute, id: str, number: int) -> None:
        row = execute("SELECT 1 FROM round WHERE survey = ? AND number = ? AND closed IS NULL", (id, number)).fetchone()
        if row is None:
            raise Moved(f"round {number} of survey {id} is not open", fix="read the rounds again")

    def _go_on(self, execute: Execute, row: RoundRow, outcome: Outcome, now: int) -> None:
        """The next round, or the end."""
        if outcome.question is not None:
            opened = (outcome.role, outcome.question, outcome.digest, now, b"", outcome.seed)
            execute(_OPEN, (row.survey, row.number + 1, *opened))
            return
        state = "abandoned" if outcome.abandoned else "done"
        execute(
            "UPDATE survey SET state = ?, answer = ?, abandoned = ?, ended = ? WHERE id = ?",
            (state, outcome.answer, outcome.abandoned, now, row.survey),
        )
        execute("DELETE FROM seat WHERE survey = ?", (row.survey,))
        execute("DELETE FROM invitation WHERE survey = ?", (row.survey,))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_store()


def sort_out(
    rows: Sequence[ReportRow], opened: Collection[int], kept: dict[tuple[int, int], tuple[bytes | None, bytes | None]]
) -> list[Put]:
    """What becomes of each row, given the open rounds and the payload or hash that is kept. A row sees those before."""
    kept = dict(kept)
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


def scripts(database: str, *, after: int) -> list[tuple[int, str]]:
    """The SQL above a version, in order, each with its number; a published one never changes."""
    folder = files("sottovoce.service.store").joinpath("migrations", database)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    numbers = [int(name[:4]) for name in names]
    if numbers != list(range(1, len(names) + 1)):
        raise RuntimeError(f"the migrations of {database} are not numbered 1, 2, 3, …: the installation is damaged")
    return [
        (number, folder.joinpath(name).read_text(encoding="utf-8"))
        for number, name in zip(numbers, names, strict=True)
        if number > after
    ]


def check_known(database: str, version: int) -> None:
    """Refuse a store of a later version."""
    newest = len(scripts(database, after=0))
    if version > newest:
        wrong = f"the store is of version {version}, this software knows {newest}:"
        raise InvalidInput(wrong, fix="use the newer software that wrote it", code="later-version")
