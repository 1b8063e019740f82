"""What each route does. Names are those of the table of routes; reports come one by one, or many from a relay."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from sottovoce.messages import MAX_ROUNDS, InvalidInput, Malformed, Report, check_address
from sottovoce.service.access import is_stored_token
from sottovoce.service.asgi import Headers, Receive, Scope, bearer_token, check_media, decode_body, header, read_body
from sottovoce.service.documents import (
    JSON,
    MAX_ROWS,
    BatchResult,
    Created,
    Health,
    Invitations,
    Listed,
    RowProblem,
    Surveys,
)
from sottovoce.service.errors import Refused, as_refusal, forbidden, malformed
from sottovoce.service.log_and_metrics import gauge_lines, group_size_lines
from sottovoce.service.pages import assets, front_page, page_headers, survey_page
from sottovoce.service.report_checks import ReportChecks
from sottovoce.service.routes import BATCH, HTML, REPORT, TEXT, Route, openapi_document
from sottovoce.service.state import State
from sottovoce.service.store import ReportRow
from sottovoce.service.survey_requests import manifest_of, plan_of, problem_list
from sottovoce.service.survey_views import survey_view

NOW = (b"cache-control", b"no-store")
CHECKED = (b"cache-control", b"no-cache")
"""To be asked for again each time; sent again only where it changed."""
FOREVER = (b"cache-control", b"public, max-age=31536000, immutable")
STORED, SAME = b'{"report":"stored"}', b'{"report":"same"}'
_ADMINISTRATOR = "sotto survey administrator makes that token, in place of the one before"
_OWNER = "the survey's token was shown when the survey was created"
_INVITED = "use the token of your invitation; where access is open, make one: 32 random bytes in base64url"
_ENROL_FIRST = "enrol first: the answer to that holds the capability"
_BLOCK = 1_000
"""Rows of a batch that are checked and stored at once; others have their turn in between."""
_BATCH_HEADER = re.compile(rb'\{"question":"([0-9a-f]{64})","version":1\}(?:\n|\Z)')
_ROUND = re.compile(r"0|[1-9][0-9]{0,3}")
_NEWEST = 50
"""Surveys that the front page shows."""
_SOON = 10
"""Seconds after which it is worth looking again at an open round, which may close at any moment on its quota."""
_read_row = msgspec.json.Decoder(tuple[int, str, str]).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, kw_only=True)
class Call:
    """One request: to which route, about which survey (empty: none), with which parts of its path."""

    route: Route
    scope: Scope
    receive: Receive
    survey: str
    parts: dict[str, str]

    @property
    def round(self) -> int:
        """The number of a round, from its path."""
        text = self.parts["round"]
        if not _ROUND.fullmatch(text) or int(text) >= MAX_ROUNDS:
            raise Refused(status=404, code="not-found", message="a round is a number from 0", survey=self.survey)
        return int(text)


@dataclass(frozen=True)
class Response:
    """What is sent back."""

    status: int
    body: bytes
    headers: Headers = (NOW,)
    media: str = JSON


Handler = Callable[[State, Call], Awaitable[Response]]


async def body_of(state: State, call: Call) -> Any:
    """What a request carries, as the type that its route names; where it need not carry any, all by default."""
    body = call.route.body
    assert body is not None
    if body.required:  # else what is wrong with it is said once it is known that there is one
        check_media(call.scope, JSON.encode())
    seconds = state.limits.body_seconds
    data = await read_body(call.scope, call.receive, limit=body.limit, seconds=seconds, room=state.room)
    if not body.required:
        if not data:
            return body.kind()
        check_media(call.scope, JSON.encode())
    return decode_body(data, body.kind)


async def check_administrator(state: State, call: Call) -> None:
    """Refuse everybody else."""
    token = bearer_token(call.scope, do=_ADMINISTRATOR)
    if not is_stored_token(token, await state.reading(state.collector.store.admin)):
        raise forbidden("this is not the administrator's token", do=_ADMINISTRATOR)


async def owner_of(state: State, call: Call) -> str:
    """Who is asking, as the transcript names them: whoever holds the survey's token, or the administrator."""
    token = bearer_token(call.scope, do=_OWNER)
    survey = await state.reading(state.collector.survey, call.survey)
    if is_stored_token(token, survey.row.token):
        return "the survey's token"
    if is_stored_token(token, await state.reading(state.collector.store.admin)):
        return "the administrator"
    raise forbidden("this is neither the survey's token nor the administrator's", do=_OWNER)


def base_of(state: State, call: Call) -> str:
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


def tagged_response(
    call: Call, data: bytes, *headers: tuple[bytes, bytes], digest: str = "", media: str = JSON, weak: bool = False
) -> Response:
    """These bytes, or that the other side has them: told by their `digest`, SHA-256 where none is given."""
    tag = f'"{digest or hashlib.sha256(data).hexdigest()}"'.encode()
    with_tag = [*headers, (b"etag", b"W/" + tag if weak else tag)]
    known = header(call.scope, b"if-none-match") or b""
    if tag in [part.strip().removeprefix(b"W/") for part in known.split(b",")]:
        return Response(304, b"", with_tag, media="")
    return Response(200, data, with_tag, media)


# ---- reports ---------------------------------------------------------------------------------------------------------


async def take_report(state: State, survey: str, scope: Scope, receive: Receive) -> tuple[int, bytes]:
    """Take one report; answered when it is durable."""
    check_media(scope, REPORT.media.encode())
    capability = bearer_token(scope, do=_ENROL_FIRST)
    body = await read_body(scope, receive, limit=REPORT.limit, seconds=state.limits.body_seconds, room=state.room)
    report = Report.from_bytes(body)
    checks = state.checks_of(await state.known(survey))
    if not checks.knows(report.question):  # another worker may have opened a round a moment ago
        checks.check_capability(report.slot, capability)
        checks = state.checks_of(await state.reading(state.collector.survey, survey, fresh=True))
    row = checks.admit(report, capability, now=state.clock())
    put = await state.stored(lambda: state.writer.submit(row))
    if put == "closed":  # perhaps by another worker: say what is so now
        checks = state.checks_of(await state.reading(state.collector.survey, survey, fresh=True))
    refusal = checks.refusal(put, now=state.clock())
    if refusal is not None:
        raise refusal
    return (201, STORED) if put == "stored" else (200, SAME)


async def batches(state: State, call: Call) -> Response:
    """Take a batch: each row is looked at, stored and answered for by itself."""
    check_media(call.scope, BATCH.media.encode())
    seconds, room = state.limits.body_seconds, state.batch_room
    body = await read_body(call.scope, call.receive, limit=BATCH.limit, seconds=seconds, room=room)
    room.take(len(body))
    try:
        async with state.batching:
            return Response(200, encode(await _take_rows(state, call.survey, body)))
    finally:
        room.give(len(body))


async def _take_rows(state: State, survey: str, body: bytes) -> BatchResult:
    match = _BATCH_HEADER.match(body)
    if match is None:
        raise malformed('the first line of a batch is {"question":DIGEST,"version":1}, without a space')
    lines = body[match.end() :].split(b"\n", MAX_ROWS + 1)  # no further: a line takes more room than its bytes
    if lines[-1] == b"":
        lines.pop()
    if len(lines) > MAX_ROWS:
        raise malformed(f"a batch has at most {MAX_ROWS:,} rows", got="more")
    question, checks = match.group(1).decode(), state.checks_of(await state.known(survey))
    if not checks.knows(question):  # read again: at once for who holds a slot, for others at most once a second
        fresh = any(_has_capability(checks, line) for line in lines[:_BLOCK])
        checks = state.checks_of(await state.reading(state.collector.survey, survey, fresh=fresh))
    statuses: list[int] = []
    problems: list[RowProblem] = []

    def refuse(refusal: Refused) -> None:
        status, code, message = refusal.status, refusal.code, refusal.message
        problems.append(RowProblem(row=len(statuses), status=status, code=code, message=message))
        statuses.append(status)
        state.refused(survey, code)

    for first in range(0, len(lines), _BLOCK):
        now = state.clock()
        rows = [_check_row(checks, question, line, now) for line in lines[first : first + _BLOCK]]
        sound = [row for row in rows if isinstance(row, ReportRow)]
        try:
            puts = iter(await state.stored(partial(state.writer.submit_all, sound)) if sound else ())
        except Refused as error:  # what was stored before is answered for, and the rest is for another time
            if not statuses:
                raise
            for _ in lines[first:]:
                refuse(error)
            break
        now = state.clock()
        for row in rows:
            put = next(puts) if isinstance(row, ReportRow) else "stored"
            refusal = row if isinstance(row, Refused) else checks.refusal(put, now=now)
            if refusal is not None:
                refuse(refusal)
            else:
                statuses.append(201 if put == "stored" else 200)
    stored = statuses.count(201)
    state.metrics.stored += stored
    return BatchResult(stored=stored, statuses=statuses, problems=problems)


def _has_capability(checks: ReportChecks, line: bytes) -> bool:
    try:
        slot, _, capability = _read_row(line)
        checks.check_capability(slot, capability)
    except (*_UNREADABLE, Refused):
        return False
    return True


def _check_row(checks: ReportChecks, question: str, line: bytes, now: float) -> ReportRow | Refused:
    try:
        slot, payload, capability = _read_row(line)
        return checks.admit(Report(question=question, slot=slot, payload=payload), capability, now=now)
    except (Refused, Malformed) as error:
        return as_refusal(error)
    except _UNREADABLE:
        return malformed('a row is [slot,"payload","capability"]')


# ---- surveys ---------------------------------------------------------------------------------------------------------


async def surveys(state: State, call: Call) -> Response:
    """List all surveys."""
    await check_administrator(state, call)
    now = state.clock()
    listed = [
        Listed(
            survey=survey.row.id,
            problem=survey.manifest.problem,
            purpose=survey.manifest.purpose,
            state=survey.state(now),
            opens=survey.manifest.opens,
            closes=survey.manifest.closes,
            users=survey.manifest.users,
            enrolled=survey.row.enrolled,
        )
        for survey in await state.reading(state.collector.surveys)
    ]
    return Response(200, encode(Surveys(surveys=listed)))


async def create(state: State, call: Call) -> Response:
    """Announce a survey."""
    await check_administrator(state, call)
    wanted = await body_of(state, call)
    base = base_of(state, call)
    manifest = await state.writing(manifest_of, wanted, now=state.clock())
    token = await state.writing(state.collector.create, manifest, origins=wanted.origins)
    url = f"{base}/surveys/{manifest.digest}/manifest"
    created = Created(survey=manifest.digest, token=token, manifest_url=url)
    return Response(201, encode(created), [NOW, (b"location", url.encode())])


async def problems(state: State, call: Call) -> Response:
    """Show what can be asked about."""
    return tagged_response(call, encode(problem_list()), CHECKED)


async def plan(state: State, call: Call) -> Response:
    """Say what a survey would be worth."""
    await check_administrator(state, call)
    wanted = partial(plan_of, await body_of(state, call), seconds=state.limits.planning_seconds)
    return Response(200, encode(await state.planners.run(wanted)))


async def invite(state: State, call: Call) -> Response:
    """Make invitations."""
    await owner_of(state, call)
    wanted = await body_of(state, call)
    base = base_of(state, call)
    urls = await state.writing(state.collector.invite, call.survey, count=wanted.count, base=base)
    return Response(201, encode(Invitations(invitations=urls)))


async def manifest(state: State, call: Call) -> Response:
    """Send the exact bytes, for ever."""
    survey = await state.known(call.survey)
    return tagged_response(call, survey.row.manifest, FOREVER, digest=call.survey)


async def enrol(state: State, call: Call) -> Response:
    """Give a slot for a token."""
    token = bearer_token(call.scope, do=_INVITED)
    device = await body_of(state, call)
    survey = await state.reading(state.collector.survey, call.survey)
    anybody, bucket = survey.manifest.access == "open", state.buckets[call.survey]
    if anybody and len(token) < 22:
        raise malformed("a token of open enrolment has at least 22 letters", do=_INVITED)

    def charge() -> None:
        if anybody and (wait := bucket.wait(state.clock())):
            message = "too many enrol at once"
            raise survey.refusal(429, "busy", message, do="come back then", retry_after=int(wait) + 1)

    enrolled = await state.writing(state.collector.enrol, call.survey, token, visit=device.visit, charge=charge)
    return Response(200 if enrolled.before else 201, encode(enrolled))


async def progress(state: State, call: Call) -> Response:
    """Say where a survey stands, and when to look again. The tag is weak: it leaves out what time it is."""
    now = await state.reading(state.collector.progress, call.survey)
    timeless = hashlib.sha256(encode(msgspec.structs.replace(now, now=0))).hexdigest()
    wait = {"early": max(1, min(3600, now.opens - now.now)), "open": _SOON}.get(now.state)  # one that is over stays so
    again = [] if wait is None else [(b"retry-after", b"%d" % wait)]
    return tagged_response(call, encode(now), NOW, *again, digest=timeless, weak=True)


async def rounds(state: State, call: Call) -> Response:
    """Show a survey round by round."""
    survey = await state.reading(state.collector.survey, call.survey)
    plan = await state.plan_of(survey)
    refusals = await state.reading(state.collector.store.refused, call.survey)
    return tagged_response(
        call, encode(await state.reading(survey_view, survey, refusals, plan, now=state.clock())), CHECKED
    )


async def question(state: State, call: Call) -> Response:
    """Send the exact bytes, for ever."""
    data, digest = await state.reading(state.collector.question, call.survey, call.round, call.parts["role"])
    return tagged_response(call, data, FOREVER, digest=digest)


async def close(state: State, call: Call) -> Response:
    """Close a round by hand."""
    who = await owner_of(state, call)
    wanted = await body_of(state, call)
    await state.writing(state.collector.close, call.survey, call.round, by=who, reason=wanted.reason)
    return Response(200, encode(await state.reading(state.collector.progress, call.survey)))


async def estimate(state: State, call: Call) -> Response:
    """Send the answer."""
    return Response(200, (await state.reading(state.collector.estimate, call.survey)).encode())


async def transcript(state: State, call: Call) -> Response:
    """Send the exact bytes so far."""
    return Response(200, await state.transcript(call.survey))


# ---- pages, and the collector itself ---------------------------------------------------------------------------------


async def participate(state: State, call: Call) -> Response:
    """Show a page about one survey."""
    survey = await state.reading(state.collector.survey, call.survey)
    return Response(200, survey_page(survey, now=state.clock()), page_headers("participate"), HTML)


async def index(state: State, call: Call) -> Response:
    """Show a page about the newest surveys."""
    collector = state.collector
    newest = None
    if state.listed:
        newest = await state.reading(lambda: [*map(collector.survey, collector.store.newest(_NEWEST))])
    return Response(200, front_page(newest, now=state.clock()), page_headers("dashboard"), HTML)


async def web(state: State, call: Call) -> Response:
    """Send a file of the pages; asked for again each time, and sent only where it changed."""
    asset = assets().get(call.parts["path"])
    if asset is None:
        raise Refused(status=404, code="not-found", message="no page has such a file", do="read /openapi.json")
    same_origin = (b"cross-origin-resource-policy", b"same-origin")
    return tagged_response(call, asset.data, CHECKED, same_origin, digest=asset.digest, media=asset.media)


async def health(state: State, call: Call) -> Response:
    """Say that reports can be stored; or what is down."""
    message, do = "the writer has stopped", "restart the collector"
    if state.writer.alive:
        try:
            await state.checking.run(state.collector.store.check)
            return Response(200, encode(Health(store="reachable", writer="alive")))
        except Refused:
            message, do = "the store does not answer", "see that the database runs, and that its disk has room"
    raise Refused(status=503, code="unavailable", message=message, do=do, retry_after=5)


async def metrics(state: State, call: Call) -> Response:
    """Counts in Prometheus's text format. A survey is named by its first 12 digits; nothing tells users apart."""
    collector = state.collector
    running = await state.reading(lambda: [*map(collector.survey, collector.store.running())])
    answered = [
        (f'{{survey="{survey.row.id[:12]}",round="{row.number}"}}', survey.answered_in(row))
        for survey in running
        for row in survey.rounds
    ]
    text = state.metrics.text(
        [
            *group_size_lines(state.writer.groups),
            *gauge_lines("sotto_writer_waiting", "Reports that wait to be durable.", [("", state.writer.waiting)]),
            *gauge_lines("sotto_open_rounds", "Rounds that take reports.", [("", len(running))]),
            *gauge_lines("sotto_round_answered", "Users who answered, by round.", answered),
        ]
    )
    return Response(200, text.encode(), media=TEXT)


async def openapi(state: State, call: Call) -> Response:
    """Send the table of routes, for programs."""
    return Response(200, openapi_document())


HANDLERS: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (
        *(surveys, create, problems, plan, invite, manifest, enrol, progress, rounds, question, batches, close),
        *(estimate, transcript, participate, index, web, health, metrics, openapi),
    )
}
"""By the name of the route; single reports have their own way in, `take_report`."""
