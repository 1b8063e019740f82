"""What both stores do alike: the same statements over the same tables. Each adds how it locks, and its reports."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Protocol, Self

from sottovoce.service.store.base import (
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

_SURVEY = """
SELECT id, manifest, secret, token, retention_days, origins, state, answer, abandoned, created, ended, scrubbed,
       (SELECT sum(number) FROM enrolment WHERE enrolment.survey = survey.id) FROM survey"""
_AHEAD = -1  # where those are counted who enrol for no round in particular
_ROUND = """
SELECT survey, number, role, key, question, digest, opened, closed, because, "by", answered, tally FROM round"""
_OPEN = """
INSERT INTO round (survey, number, role, question, digest, opened, closed, because, "by", answered, tally)
VALUES (?, ?, ?, ?, ?, ?, NULL, '', '', NULL, ?)"""


class Cursor(Protocol):
    """What both drivers' cursors offer."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Execute(Protocol):
    """Runs one statement inside a transaction. Parameters are written as question marks."""

    def __call__(self, statement: str, parameters: Sequence[object] = (), /) -> Cursor: ...


class Tables(ABC):
    """A store but for its reports."""

    LOCK: str
    """Put behind a SELECT: nobody else changes or locks these rows until the transaction ends."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Execute]:
        """One durable transaction, undone by whatever is raised; the database's own errors become `Unavailable`."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Execute]:
        """Statements that change nothing."""

    @abstractmethod
    def _reports(self, execute: Execute, round_key: int) -> AbstractContextManager[Iterable[tuple[int, bytes]]]:
        """The reports of a round that is being closed, in the order of slots, a block at a time."""

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
            execute(_OPEN, (survey.id, 0, first.role, first.question, first.digest, now, b""))

    def surveys(self) -> list[SurveyRow]:
        with self._reading() as execute:
            return [_survey(row) for row in execute(f"{_SURVEY} ORDER BY created, id").fetchall()]

    def running(self) -> list[str]:
        with self._reading() as execute:
            rows = execute("SELECT id FROM survey WHERE state = 'running' ORDER BY created, id").fetchall()
        return [id for (id,) in rows]

    def survey(self, id: str) -> SurveyRow | None:
        with self._reading() as execute:
            row = execute(f"{_SURVEY} WHERE id = ?", (id,)).fetchone()
        return None if row is None else _survey(row)

    def rounds(self, id: str) -> list[RoundRow]:
        with self._reading() as execute:
            return [_round(row) for row in execute(f"{_ROUND} WHERE survey = ? ORDER BY number", (id,)).fetchall()]

    def invite(self, id: str, hashes: Sequence[bytes]) -> None:
        with self._writing() as execute:
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
    ) -> Seat:
        with self._reading() as execute:
            taken = execute("SELECT slot FROM seat WHERE survey = ? AND token = ?", (id, token)).fetchone()
        if taken is not None:
            return Seat(slot=taken[0], before=True)
        with self._writing() as execute:
            state = self._state(execute, id)
            taken = execute("SELECT slot FROM seat WHERE survey = ? AND token = ?", (id, token)).fetchone()
            if taken is not None:
                return Seat(slot=taken[0], before=True)
            if state != "running":
                raise NotInvited(f"survey {id} has ended; its tokens are forgotten")
            if not open_access:
                used = execute("DELETE FROM invitation WHERE survey = ? AND token = ?", (id, token))
                if not used.rowcount:
                    raise NotInvited(f"survey {id} knows no such invitation; use the whole link that was sent")
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
            execute("INSERT INTO seat (survey, token, round, slot) VALUES (?, ?, ?, ?)", (id, token, number, slot))
            return Seat(slot=slot, before=False)

    def close(self, id: str, number: int, *, because: str, by: str, now: int, settle: Settle) -> RoundRow:
        with self._writing() as execute:
            self._state(execute, id)
            row = execute(f"{_ROUND} WHERE survey = ? AND number = ?{self.LOCK}", (id, number)).fetchone()
            if row is None:
                raise Missing(f"survey {id} has no round {number}")
            found = _round(row)
            if found.closed is not None:
                return found
            with self._reports(execute, found.key) as reports:
                outcome = settle(found, reports)
            execute(
                'UPDATE round SET closed = ?, because = ?, "by" = ?, answered = ?, tally = ? WHERE key = ?',
                (now, because, by, outcome.answered, outcome.tally, found.key),
            )
            execute("UPDATE seat SET slot = NULL WHERE survey = ? AND round = ?", (id, number))
            self._go_on(execute, found, outcome, now)
            return _round(execute(f"{_ROUND} WHERE key = ?", (found.key,)).fetchone())

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
            raise Moved(f"round {number} of survey {id} is not open; read the rounds again")

    def _go_on(self, execute: Execute, row: RoundRow, outcome: Outcome, now: int) -> None:
        """The next round, or the end."""
        if outcome.question is not None:
            opening = (row.survey, row.number + 1, outcome.role, outcome.question, outcome.digest, now, b"")
            execute(_OPEN, opening)
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


def _survey(row: Sequence[Any]) -> SurveyRow:
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


def _round(row: Sequence[Any]) -> RoundRow:
    survey, number, role, key, question, digest, opened, closed, because, by, answered, tally = row
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
    )
