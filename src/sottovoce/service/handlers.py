"""What each route does, but for reports and what is only shown. Names are those of the table of routes."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from sottovoce.messages import InvalidInput, Malformed, Report, check_address
from sottovoce.service import access
from sottovoce.service.asgi import Headers, Receive, Scope, bearer, check_media, decoded, header, read
from sottovoce.service.documents import (
    JSON,
    MAX_ROWS,
    BatchResult,
    Close,
    Created,
    Enrol,
    Health,
    Invitations,
    Invite,
    Listed,
    NewPlan,
    NewSurvey,
    Progress,
    RowProblem,
    Surveys,
)
from sottovoce.service.errors import Refused, forbidden, malformed, refused
from sottovoce.service.monitoring import gauge, groups
from sottovoce.service.pages import assets, front_page, page_headers, survey_page
from sottovoce.service.planner import manifest_of, problem_list
from sottovoce.service.report_checks import Desk
from sottovoce.service.routes import BATCH, HTML, REPORT, TEXT, Route, document, round_number
from sottovoce.service.state import State
from sottovoce.service.store import ReportRow
from sottovoce.service.survey import Survey
from sottovoce.service.survey_views import survey_seen

# One request and what is sent back: what every route's function is given, and what several of them do.

NOW = (b"cache-control", b"no-store")
CHECKED = (b"cache-control", b"no-cache")
"""To be asked for again each time; sent again only where it changed."""
FOREVER = (b"cache-control", b"public, max-age=31536000, immutable")
encode = msgspec.json.Encoder().encode
ADMIN = "sotto survey administrator makes that token, in place of the one before"


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request: to which route, about which survey (empty: none), with which parts of its path."""

    route: Route
    scope: Scope
    receive: Receive
    survey: str
    parts: dict[str, str]


@dataclass(frozen=True)
class Sent:
    """What is sent back."""

    status: int
    body: bytes
    headers: Headers
    media: str = JSON


Handler = Callable[[State, Call], Awaitable[Sent]]


async def body_of(state: State, call: Call, kind: Any) -> Any:
    """What a request carries, as one of our types."""
    check_media(call.scope, JSON.encode())
    return decoded(await _read(state, call), kind)


async def optional_body(state: State, call: Call, kind: Any) -> Any:
    """A request that may carry a body; without one, all is as it is by default."""
    data = await _read(state, call)
    if not data:
        return kind()
    check_media(call.scope, JSON.encode())
    return decoded(data, kind)


async def _read(state: State, call: Call) -> bytes:
    seconds = state.limits.body_seconds
    return await read(call.scope, call.receive, limit=call.route.limit, seconds=seconds, room=state.room)


async def administrator(state: State, call: Call) -> None:
    """Refuse everybody else."""
    token = bearer(call.scope, do=ADMIN)
    if not access.holds(token, await state.aside(state.collector.store.admin)):
        raise forbidden("this is not the administrator's token", do=ADMIN)


def tagged(call: Call, data: bytes, digest: str, headers: Headers, media: str = JSON, *, weak: bool = False) -> Sent:
    """These bytes, or that the other side has them."""
    tag = f'"{digest}"'.encode()
    headers = [*headers, (b"etag", b"W/" + tag if weak else tag)]
    asked = header(call.scope, b"if-none-match") or b""
    if tag in [part.strip().removeprefix(b"W/") for part in asked.split(b",")]:
        return Sent(304, b"", headers, media="")
    return Sent(200, data, headers, media)


# Reports come in here: one by one, the path that is taken most, or many from a relay.

STORED = b'{"report":"stored"}'
SAME = b'{"report":"same"}'
_JSON, _NDJSON = REPORT.media.encode(), BATCH.media.encode()
_ENROL_FIRST = "enrol first: the answer to that holds the capability"
_BLOCK = 1_000
_HEADER = re.compile(rb'\{"question":"([0-9a-f]{64})","version":1\}(?:\n|\Z)')
_row = msgspec.json.Decoder(tuple[int, str, str]).decode


async def take_report(state: State, survey: str, scope: Scope, receive: Receive) -> tuple[int, bytes]:
    """Take one report; answered when it is durable."""
    limits = state.limits
    check_media(scope, _JSON)
    capability = bearer(scope, do=_ENROL_FIRST)
    body = await read(scope, receive, limit=REPORT.limit, seconds=limits.body_seconds, room=state.room)
    report = Report.from_bytes(body)
    desk = await _checks_of(state, survey)
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


async def _checks_of(state: State, survey: str) -> Desk:
    held = state.collector.known(survey)
    return state.desks.of(held if held is not None else await state.survey(survey))


async def take_batch(state: State, survey: str, scope: Scope, receive: Receive) -> BatchResult:
    """Take a batch: each row is looked at, stored and answered for by itself."""
    check_media(scope, _NDJSON)
    body = await read(scope, receive, limit=BATCH.limit, seconds=state.limits.body_seconds, room=state.batch_room)
    state.batch_room.take(len(body))
    try:
        async with state.batching:
            return await _take_rows(state, survey, body)
    finally:
        state.batch_room.give(len(body))


async def _take_rows(state: State, survey: str, body: bytes) -> BatchResult:
    head, lines = _split_batch(body)
    desk = await _checks_of(state, survey)
    if not desk.knows(head):  # read again: at once for who holds a slot, for others at most once a second
        fresh = _any_capability(desk, lines[:_BLOCK])
        desk = state.desks.of(await state.aside(state.collector.survey, survey, fresh=fresh))
    statuses: list[int] = []
    problems: list[RowProblem] = []
    for first in range(0, len(lines), _BLOCK):
        try:
            await _take_block(state, desk, head, lines[first : first + _BLOCK], statuses, problems)
        except Refused as error:  # what was stored before is answered for, and the rest is for another time
            if not statuses:
                raise
            _refuse_rows(error, len(lines) - len(statuses), statuses, problems)
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


def _split_batch(body: bytes) -> tuple[str, list[bytes]]:
    match = _HEADER.match(body)
    if match is None:
        raise malformed('the first line of a batch is {"question":DIGEST,"version":1}, without a space')
    lines = body[match.end() :].split(b"\n", MAX_ROWS + 1)  # no further: a line takes more room than its bytes
    if lines[-1] == b"":
        lines.pop()
    if len(lines) > MAX_ROWS:
        raise malformed(f"a batch has at most {MAX_ROWS:,} rows", got="more")
    return match.group(1).decode(), lines


async def _take_block(
    state: State, desk: Desk, head: str, lines: list[bytes], statuses: list[int], problems: list[RowProblem]
) -> None:
    now = state.clock()
    found = list(_checked_rows(desk, head, lines, now))
    puts = iter(await state.put_all([row for row in found if isinstance(row, ReportRow)]))
    late = state.clock()
    for row in found:
        put = next(puts) if isinstance(row, ReportRow) else None
        refusal = row if isinstance(row, Refused) else None if put is None else desk.refusal(put, now=late)
        if refusal is None:
            statuses.append(201 if put == "stored" else 200)
        else:
            _refuse_rows(refusal, 1, statuses, problems)


def _refuse_rows(refusal: Refused, count: int, statuses: list[int], problems: list[RowProblem]) -> None:
    """The next rows, so many."""
    for row in range(len(statuses), len(statuses) + count):
        statuses.append(refusal.status)
        problems.append(RowProblem(row=row, status=refusal.status, code=refusal.code, message=refusal.message))


def _checked_rows(desk: Desk, head: str, lines: list[bytes], now: float) -> Iterator[ReportRow | Refused]:
    for line in lines:
        try:
            slot, payload, capability = _row(line)
            yield desk.admit(Report(question=head, slot=slot, payload=payload), capability, now=now)
        except (Refused, Malformed) as error:
            yield refused(error)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            yield malformed('a row is [slot,"payload","capability"]')


# What ``/metrics`` shows: what this worker counted, its writer, and where the surveys stand.


def measured(state: State, running: Sequence[Survey]) -> str:
    """In Prometheus's text format. A survey is named by its first 12 digits; nothing tells users apart."""
    answered = [
        (f'{{survey="{held.row.id[:12]}",round="{row.number}"}}', _answered(held, row.number))
        for held in running
        for row in held.rounds
    ]
    return state.metrics.text(
        [
            *groups(state.writer.groups),
            *gauge("sotto_writer_waiting", "Reports that wait to be durable.", [("", state.writer.waiting)]),
            *gauge("sotto_open_rounds", "Rounds that take reports.", [("", len(running))]),
            *gauge("sotto_round_answered", "Users who answered, by round.", answered),
        ]
    )


def _answered(held: Survey, number: int) -> int:
    row = held.rounds[number]
    return held.answered if row.answered is None else row.answered


# What is shown: to whoever follows a survey, plans one, opens a page, or looks after the collector.

_OWN = (b"cross-origin-resource-policy", b"same-origin")
_SOON = 10


async def progress(state: State, call: Call) -> Sent:
    """Where a survey stands, and when to look again. The tag is weak: it leaves out what time it is."""
    found = await state.aside(state.collector.progress, call.survey)
    timeless = hashlib.sha256(encode(msgspec.structs.replace(found, now=0))).hexdigest()
    return tagged(call, encode(found), timeless, _again(found), weak=True)


async def rounds(state: State, call: Call) -> Sent:
    """A survey round by round."""
    held = await state.aside(state.collector.survey, call.survey)
    plan = await state.foreseen(held)
    refused = await state.aside(state.collector.store.refused, call.survey)
    found = encode(await state.aside(survey_seen, held, refused, plan, now=state.clock()))
    return tagged(call, found, hashlib.sha256(found).hexdigest(), [CHECKED])


async def problems(state: State, call: Call) -> Sent:
    """What can be asked about."""
    found = _problems()
    return tagged(call, found, hashlib.sha256(found).hexdigest(), [CHECKED])


@cache
def _problems() -> bytes:
    return encode(problem_list())


async def plan(state: State, call: Call) -> Sent:
    """What a survey would be worth."""
    await administrator(state, call)
    return Sent(200, encode(await state.planned(await body_of(state, call, NewPlan))), [NOW])


def _again(found: Progress) -> Headers:
    """A round may close at any moment on its quota: so look again soon; a survey that is over stays so."""
    if found.state == "early":
        return [NOW, (b"retry-after", b"%d" % max(1, min(3600, found.opens - found.now)))]
    return [NOW, (b"retry-after", b"%d" % _SOON)] if found.state == "open" else [NOW]


async def participate(state: State, call: Call) -> Sent:
    """A page about one survey."""
    held = await state.aside(state.collector.survey, call.survey)
    return Sent(200, survey_page(held, now=state.clock()), page_headers("participate"), HTML)


async def index(state: State, call: Call) -> Sent:
    """A page about the newest of them."""
    found = await state.newest() if state.listed else None
    return Sent(200, front_page(found, now=state.clock()), page_headers("dashboard"), HTML)


async def web(state: State, call: Call) -> Sent:
    """A file of the pages; asked for again each time, and sent only where it changed."""
    found = assets().get(call.parts["path"])
    if found is None:
        raise Refused(status=404, code="not-found", message="no page has such a file", do="read /openapi.json")
    return tagged(call, found.data, found.digest, [CHECKED, _OWN], found.media)


async def health(state: State, call: Call) -> Sent:
    """That reports can be stored; or what is down."""
    if not state.writer.alive:
        raise _down("the writer has stopped", do="restart the collector")
    try:
        await state.check()
    except Refused:
        raise _down("the store does not answer", do="see that the database runs, and that its disk has room") from None
    return Sent(200, encode(Health(store="reachable", writer="alive")), [NOW])


def _down(message: str, do: str) -> Refused:
    return Refused(status=503, code="unavailable", message=message, do=do, retry_after=5)


async def metrics(state: State, call: Call) -> Sent:
    """Counts for Prometheus."""
    return Sent(200, measured(state, await state.running()).encode(), [NOW], TEXT)


async def openapi(state: State, call: Call) -> Sent:
    """The table of routes, for programs."""
    return Sent(200, document(), [NOW])


SHOWING: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (progress, rounds, problems, plan, participate, index, web, health, metrics, openapi)
}
"""By the name of the route."""


_OWNER = "the survey's token was shown when the survey was created"
_INVITED = "use the token of your invitation; where access is open, make one: 32 random bytes in base64url"


async def _owner(state: State, call: Call) -> tuple[Survey, str]:
    """The survey, and who is asking, as the transcript names them."""
    token = bearer(call.scope, do=_OWNER)
    held = await state.aside(state.collector.survey, call.survey)
    if access.holds(token, held.row.token):
        return held, "the survey's token"
    if access.holds(token, await state.aside(state.collector.store.admin)):
        return held, "the administrator"
    raise forbidden("this is neither the survey's token nor the administrator's", do=_OWNER)


def _base_of(state: State, call: Call) -> str:
    """Where this collector is reached: as it was told, or as this request reached it."""
    if state.base:
        return state.base
    host = (header(call.scope, b"host") or b"").decode("latin-1")
    base = f"{call.scope.get('scheme', 'http')}://{host}"
    try:
        check_address(base)
    except InvalidInput as error:
        raise malformed(str(error), do="start the collector with --base and the address that devices use") from None
    return base


async def surveys(state: State, call: Call) -> Sent:
    """All surveys."""
    await administrator(state, call)
    now = state.clock()
    found = [listed(held, now) for held in await state.aside(state.collector.surveys)]
    return Sent(200, encode(Surveys(surveys=found)), [NOW])


def listed(held: Survey, now: float) -> Listed:
    """One line of the list."""
    manifest = held.manifest
    return Listed(
        survey=held.row.id,
        problem=manifest.problem,
        purpose=manifest.purpose,
        state=held.state(now),
        opens=manifest.opens,
        closes=manifest.closes,
        users=manifest.users,
        enrolled=held.row.enrolled,
    )


async def create(state: State, call: Call) -> Sent:
    """Announce a survey."""
    await administrator(state, call)
    asked = await body_of(state, call, NewSurvey)
    base = _base_of(state, call)
    manifest = await state.writing(manifest_of, asked, now=state.clock())
    token = await state.writing(state.collector.create, manifest, origins=asked.origins)
    url = f"{base}/surveys/{manifest.digest}/manifest"
    made = Created(survey=manifest.digest, token=token, manifest_url=url)
    return Sent(201, encode(made), [NOW, (b"location", url.encode())])


async def invite(state: State, call: Call) -> Sent:
    """Make invitations."""
    await _owner(state, call)
    asked: Invite = await body_of(state, call, Invite)
    base = _base_of(state, call)
    urls = await state.writing(state.collector.invite, call.survey, count=asked.count, base=base)
    return Sent(201, encode(Invitations(invitations=urls)), [NOW])


async def manifest(state: State, call: Call) -> Sent:
    """The exact bytes, for ever."""
    held = await state.known(call.survey)
    return tagged(call, held.row.manifest, call.survey, [FOREVER])


async def question(state: State, call: Call) -> Sent:
    """The exact bytes, for ever."""
    number = _round(call)
    data, digest = await state.aside(state.collector.question, call.survey, number, call.parts["role"])
    return tagged(call, data, digest, [FOREVER])


def _round(call: Call) -> int:
    number = round_number(call.parts["round"])
    if number is None:
        raise Refused(status=404, code="not-found", message="a round is a number from 0", survey=call.survey)
    return number


async def enrol(state: State, call: Call) -> Sent:
    """A slot for a token."""
    token = bearer(call.scope, do=_INVITED)
    asked: Enrol = await optional_body(state, call, Enrol)
    held = await state.aside(state.collector.survey, call.survey)
    anybody, bucket = held.manifest.access == "open", state.bucket(call.survey)
    if anybody and len(token) < 22:
        raise malformed("a token of open enrolment has at least 22 letters", do=_INVITED)

    def charge() -> None:
        if anybody and (wait := bucket.wait(state.clock())):
            message = "too many enrol at once"
            raise held.refusal(429, "busy", message, do="come back then", retry_after=int(wait) + 1)

    found = await state.writing(state.collector.enrol, call.survey, token, visit=asked.visit, charge=charge)
    return Sent(200 if found.before else 201, encode(found), [NOW])


async def batches(state: State, call: Call) -> Sent:
    """Many reports."""
    return Sent(200, encode(await take_batch(state, call.survey, call.scope, call.receive)), [NOW])


async def close(state: State, call: Call) -> Sent:
    """Close a round by hand."""
    _, who = await _owner(state, call)
    asked: Close = await optional_body(state, call, Close)
    await state.writing(state.collector.close, call.survey, _round(call), by=who, reason=asked.reason)
    return Sent(200, encode(await state.aside(state.collector.progress, call.survey)), [NOW])


async def estimate(state: State, call: Call) -> Sent:
    """The answer."""
    text = await state.aside(state.collector.estimate, call.survey)
    return Sent(200, text.encode(), [NOW])


async def transcript(state: State, call: Call) -> Sent:
    """The exact bytes so far."""
    return Sent(200, await state.transcript(call.survey), [NOW])


HANDLERS: dict[str, Handler] = SHOWING | {
    handler.__name__: handler
    for handler in (
        surveys,
        create,
        invite,
        manifest,
        enrol,
        question,
        batches,
        close,
        estimate,
        transcript,
    )
}
"""By the name of the route; reports have their own way in."""
