"""Reports come in here: one by one, the path that is taken most, or many from a relay."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import msgspec

from sottovoce.messages import Malformed, Report
from sottovoce.service.asgi import Receive, Scope, bearer, check_media, read
from sottovoce.service.desk import Desk
from sottovoce.service.errors import Refused, malformed, refused
from sottovoce.service.messages import MAX_ROWS, BatchResult, RowProblem
from sottovoce.service.routes import BATCH, REPORT
from sottovoce.service.state import State
from sottovoce.service.store import ReportRow

STORED = b'{"report":"stored"}'
SAME = b'{"report":"same"}'
_JSON, _NDJSON = REPORT.media.encode(), BATCH.media.encode()
_DO = "enrol first: the answer to that holds the capability"
_BLOCK = 1_000
_HEADER = re.compile(rb'\{"question":"([0-9a-f]{64})","version":1\}(?:\n|\Z)')
_row = msgspec.json.Decoder(tuple[int, str, str]).decode


async def one(state: State, survey: str, scope: Scope, receive: Receive) -> tuple[int, bytes]:
    """Take one report; answered when it is durable."""
    limits = state.limits
    check_media(scope, _JSON)
    capability = bearer(scope, do=_DO)
    body = await read(scope, receive, limit=REPORT.limit, seconds=limits.body_seconds, room=state.room)
    report = Report.from_bytes(body)
    desk = await _desk(state, survey)
    if not desk.knows(report.question):  # another worker may have opened a round a moment ago
        desk.check_capability(report.slot, capability)
        desk = state.desks.of(await state.survey(survey))
    row = desk.admit(report, capability, now=state.clock())
    put = await state.put(row)
    if put == "closed":  # perhaps by another worker: say what is so now
        desk = state.desks.of(await state.survey(survey))
    refusal = desk.refusal(put, now=state.clock())
    if refusal is not None:
        raise refusal
    return (201, STORED) if put == "stored" else (200, SAME)


async def _desk(state: State, survey: str) -> Desk:
    held = state.collector.known(survey)
    return state.desks.of(held if held is not None else await state.survey(survey))


async def many(state: State, survey: str, scope: Scope, receive: Receive) -> BatchResult:
    """Take a batch: each row is looked at, stored and answered for by itself."""
    check_media(scope, _NDJSON)
    body = await read(scope, receive, limit=BATCH.limit, seconds=state.limits.body_seconds, room=state.batch_room)
    state.batch_room.take(len(body))
    try:
        async with state.batching:
            return await _rows(state, survey, body)
    finally:
        state.batch_room.give(len(body))


async def _rows(state: State, survey: str, body: bytes) -> BatchResult:
    head, lines = _lines(body)
    desk = await _desk(state, survey)
    if not desk.knows(head):  # read again: at once for who holds a slot, for others at most once a second
        fresh = _any_capability(desk, lines[:_BLOCK])
        desk = state.desks.of(await state.aside(state.collector.survey, survey, fresh=fresh))
    statuses: list[int] = []
    problems: list[RowProblem] = []
    for first in range(0, len(lines), _BLOCK):
        try:
            await _block(state, desk, head, lines[first : first + _BLOCK], statuses, problems)
        except Refused as error:  # what was stored before is answered for, and the rest is for another time
            if not statuses:
                raise
            _refuse(error, len(lines) - len(statuses), statuses, problems)
            break
    for problem in problems:
        state.refused(survey, problem.code)
    stored = statuses.count(201)
    state.metrics.stored += stored
    return BatchResult(stored=stored, statuses=statuses, problems=problems)


def _any_capability(desk: Desk, lines: list[bytes]) -> bool:
    for line in lines:
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError, Refused):
            slot, _, capability = _row(line)
            desk.check_capability(slot, capability)
            return True
    return False


def _lines(body: bytes) -> tuple[str, list[bytes]]:
    match = _HEADER.match(body)
    if match is None:
        raise malformed('the first line of a batch is {"question":DIGEST,"version":1}, without a space')
    lines = body[match.end() :].split(b"\n", MAX_ROWS + 1)  # no further: a line takes more room than its bytes
    if lines[-1] == b"":
        lines.pop()
    if len(lines) > MAX_ROWS:
        raise malformed(f"a batch has at most {MAX_ROWS:,} rows", got="more")
    return match.group(1).decode(), lines


async def _block(
    state: State, desk: Desk, head: str, lines: list[bytes], statuses: list[int], problems: list[RowProblem]
) -> None:
    now = state.clock()
    found = list(_looked_at(desk, head, lines, now))
    puts = iter(await state.put_all([row for row in found if isinstance(row, ReportRow)]))
    late = state.clock()
    for row in found:
        put = next(puts) if isinstance(row, ReportRow) else None
        refusal = row if isinstance(row, Refused) else None if put is None else desk.refusal(put, now=late)
        if refusal is None:
            statuses.append(201 if put == "stored" else 200)
        else:
            _refuse(refusal, 1, statuses, problems)


def _refuse(refusal: Refused, count: int, statuses: list[int], problems: list[RowProblem]) -> None:
    """The next rows, so many."""
    for row in range(len(statuses), len(statuses) + count):
        statuses.append(refusal.status)
        problems.append(RowProblem(row=row, status=refusal.status, code=refusal.code, message=refusal.message))


def _looked_at(desk: Desk, head: str, lines: list[bytes], now: float) -> Iterator[ReportRow | Refused]:
    for line in lines:
        try:
            slot, payload, capability = _row(line)
            yield desk.admit(Report(question=head, slot=slot, payload=payload), capability, now=now)
        except (Refused, Malformed) as error:
            yield refused(error)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            yield malformed('a row is [slot,"payload","capability"]')
