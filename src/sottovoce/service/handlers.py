"""What each route does, but for reports. Names are those of the table of routes."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from sottovoce.messages import InvalidInput, check_address
from sottovoce.service import access, pages, planned, reports, shells
from sottovoce.service.asgi import Headers, Receive, Scope, bearer, check_media, decoded, header, read
from sottovoce.service.assets import assets
from sottovoce.service.creating import manifest_of
from sottovoce.service.errors import Refused, forbidden, malformed
from sottovoce.service.measured import measured
from sottovoce.service.messages import (
    JSON,
    Close,
    Created,
    Health,
    Invitations,
    Invite,
    Listed,
    NewPlan,
    NewSurvey,
    Progress,
    Surveys,
)
from sottovoce.service.openapi import document
from sottovoce.service.routes import HTML, TEXT, Route, round_number
from sottovoce.service.seen import survey_seen
from sottovoce.service.state import State
from sottovoce.service.survey import Survey

_encode = msgspec.json.Encoder().encode
_FOREVER = (b"cache-control", b"public, max-age=31536000, immutable")
_NOW = (b"cache-control", b"no-store")
_CHECKED = (b"cache-control", b"no-cache")
_OWN = (b"cross-origin-resource-policy", b"same-origin")
_SOON = 10
_ADMIN = "the administrator's token was printed when the collector was set up"
_OWNER = "the survey's token was shown when the survey was created"
_INVITED = "use the token of your invitation; where access is open, make one: 32 random bytes in base64url"


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


async def _body(state: State, call: Call, kind: Any) -> Any:
    check_media(call.scope, JSON.encode())
    seconds = state.limits.body_seconds
    data = await read(call.scope, call.receive, limit=call.route.limit, seconds=seconds, room=state.room)
    return decoded(data, kind)


async def _optional(state: State, call: Call, kind: Any) -> Any:
    """A request that may carry a body; without one, all is as it is by default."""
    seconds = state.limits.body_seconds
    data = await read(call.scope, call.receive, limit=call.route.limit, seconds=seconds, room=state.room)
    if not data:
        return kind()
    check_media(call.scope, JSON.encode())
    return decoded(data, kind)


async def _nothing(state: State, call: Call) -> None:
    """A request that carries no body."""
    seconds = state.limits.body_seconds
    if await read(call.scope, call.receive, limit=call.route.limit, seconds=seconds, room=state.room):
        raise malformed("this route takes no body", do="send none")


async def _administrator(state: State, call: Call) -> None:
    token = bearer(call.scope, do=_ADMIN)
    if not access.holds(token, await state.aside(state.collector.store.admin)):
        raise forbidden("this is not the administrator's token", do=_ADMIN)


async def _owner(state: State, call: Call) -> tuple[Survey, str]:
    """The survey, and who is asking, as the transcript names them."""
    token = bearer(call.scope, do=_OWNER)
    held = await state.aside(state.collector.survey, call.survey)
    if access.holds(token, held.row.token):
        return held, "the survey's token"
    if access.holds(token, await state.aside(state.collector.store.admin)):
        return held, "the administrator"
    raise forbidden("this is neither the survey's token nor the administrator's", do=_OWNER)


def _base(state: State, call: Call) -> str:
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
    await _administrator(state, call)
    now = state.clock()
    found = [listed(held, now) for held in await state.aside(state.collector.surveys)]
    return Sent(200, _encode(Surveys(surveys=found)), [_NOW])


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
    await _administrator(state, call)
    asked = await _body(state, call, NewSurvey)
    base = _base(state, call)
    manifest = await state.writing(manifest_of, asked, now=state.clock())
    token = await state.writing(state.collector.create, manifest, origins=asked.origins)
    url = f"{base}/surveys/{manifest.digest}/manifest"
    made = Created(survey=manifest.digest, token=token, manifest_url=url)
    return Sent(201, _encode(made), [_NOW, (b"location", url.encode())])


async def invite(state: State, call: Call) -> Sent:
    """Make invitations."""
    await _owner(state, call)
    asked: Invite = await _body(state, call, Invite)
    base = _base(state, call)
    urls = await state.writing(state.collector.invite, call.survey, count=asked.count, base=base)
    return Sent(201, _encode(Invitations(invitations=urls)), [_NOW])


async def manifest(state: State, call: Call) -> Sent:
    """The exact bytes, for ever."""
    held = state.collector.known(call.survey)
    if held is None:
        held = await state.aside(state.collector.survey, call.survey)
    return _unchanging(call, held.row.manifest, call.survey)


async def question(state: State, call: Call) -> Sent:
    """The exact bytes, for ever."""
    number = _round(call)
    data, digest = await state.aside(state.collector.question, call.survey, number, call.parts["role"])
    return _unchanging(call, data, digest)


def _round(call: Call) -> int:
    number = round_number(call.parts["round"])
    if number is None:
        raise Refused(status=404, code="not-found", message="a round is a number from 0", survey=call.survey)
    return number


def _unchanging(call: Call, data: bytes, digest: str) -> Sent:
    return _tagged(call, data, digest, [_FOREVER])


def _tagged(call: Call, data: bytes, digest: str, headers: Headers, media: str = JSON, *, weak: bool = False) -> Sent:
    """These bytes, or that the other side has them."""
    tag = f'"{digest}"'.encode()
    headers = [*headers, (b"etag", b"W/" + tag if weak else tag)]
    asked = header(call.scope, b"if-none-match") or b""
    if tag in [part.strip().removeprefix(b"W/") for part in asked.split(b",")]:
        return Sent(304, b"", headers, media="")
    return Sent(200, data, headers, media)


async def enrol(state: State, call: Call) -> Sent:
    """A slot for a token."""
    token = bearer(call.scope, do=_INVITED)
    await _nothing(state, call)
    held = await state.aside(state.collector.survey, call.survey)
    anybody, bucket = held.manifest.access == "open", state.bucket(call.survey)
    if anybody and len(token) < 22:
        raise malformed("a token of open enrolment has at least 22 letters", do=_INVITED)

    def charge() -> None:
        if anybody and (wait := bucket.wait(state.clock())):
            message = "too many enrol at once"
            raise held.refusal(429, "busy", message, do="come back then", retry_after=int(wait) + 1)

    found = await state.writing(state.collector.enrol, call.survey, token, charge=charge)
    return Sent(200 if found.before else 201, _encode(found), [_NOW])


async def progress(state: State, call: Call) -> Sent:
    """Where a survey stands, and when to look again. The tag is weak: it leaves out what time it is."""
    found = await state.aside(state.collector.progress, call.survey)
    timeless = hashlib.sha256(_encode(msgspec.structs.replace(found, now=0))).hexdigest()
    return _tagged(call, _encode(found), timeless, _again(found), weak=True)


async def rounds(state: State, call: Call) -> Sent:
    """A survey round by round."""
    held = await state.aside(state.collector.survey, call.survey)
    plan = await state.foreseen(held)
    refused = await state.aside(state.collector.store.refused, call.survey)
    found = _encode(await state.aside(survey_seen, held, refused, plan, now=state.clock()))
    return _tagged(call, found, hashlib.sha256(found).hexdigest(), [_CHECKED])


async def problems(state: State, call: Call) -> Sent:
    """What can be asked about."""
    found = _problems()
    return _tagged(call, found, hashlib.sha256(found).hexdigest(), [_CHECKED])


@cache
def _problems() -> bytes:
    return _encode(planned.listed())


async def plan(state: State, call: Call) -> Sent:
    """What a survey would be worth."""
    await _administrator(state, call)
    return Sent(200, _encode(await state.planned(await _body(state, call, NewPlan))), [_NOW])


def _again(found: Progress) -> Headers:
    """A round may close at any moment on its quota: so look again soon; a survey that is over stays so."""
    if found.state == "early":
        return [_NOW, (b"retry-after", b"%d" % max(1, min(3600, found.opens - found.now)))]
    return [_NOW, (b"retry-after", b"%d" % _SOON)] if found.state == "open" else [_NOW]


async def batches(state: State, call: Call) -> Sent:
    """Many reports."""
    return Sent(200, _encode(await reports.many(state, call.survey, call.scope, call.receive)), [_NOW])


async def close(state: State, call: Call) -> Sent:
    """Close a round by hand."""
    _, who = await _owner(state, call)
    asked: Close = await _optional(state, call, Close)
    await state.writing(state.collector.close, call.survey, _round(call), by=who, reason=asked.reason)
    return Sent(200, _encode(await state.aside(state.collector.progress, call.survey)), [_NOW])


async def estimate(state: State, call: Call) -> Sent:
    """The answer."""
    text = await state.aside(state.collector.estimate, call.survey)
    return Sent(200, text.encode(), [_NOW])


async def transcript(state: State, call: Call) -> Sent:
    """The exact bytes so far."""
    return Sent(200, await state.transcript(call.survey), [_NOW])


async def participate(state: State, call: Call) -> Sent:
    """A page about one survey."""
    held = await state.aside(state.collector.survey, call.survey)
    return Sent(200, pages.participate(held, now=state.clock()), shells.headers("participate"), HTML)


async def index(state: State, call: Call) -> Sent:
    """A page about the newest of them."""
    found = await state.newest() if state.listed else None
    return Sent(200, pages.index(found, now=state.clock()), shells.headers("dashboard"), HTML)


async def web(state: State, call: Call) -> Sent:
    """A file of the pages; asked for again each time, and sent only where it changed."""
    found = assets().get(call.parts["path"])
    if found is None:
        raise Refused(status=404, code="not-found", message="no page has such a file", do="read /openapi.json")
    return _tagged(call, found.data, found.digest, [_CHECKED, _OWN], found.media)


async def health(state: State, call: Call) -> Sent:
    """That reports can be stored; or what is down."""
    if not state.writer.alive:
        raise _down("the writer has stopped", do="restart the collector")
    try:
        await state.check()
    except Refused:
        raise _down("the store does not answer", do="see that the database runs, and that its disk has room") from None
    return Sent(200, _encode(Health(store="reachable", writer="alive")), [_NOW])


def _down(message: str, do: str) -> Refused:
    return Refused(status=503, code="unavailable", message=message, do=do, retry_after=5)


async def metrics(state: State, call: Call) -> Sent:
    """Counts for Prometheus."""
    return Sent(200, measured(state, await state.running()).encode(), [_NOW], TEXT)


async def openapi(state: State, call: Call) -> Sent:
    """The table of routes, for programs."""
    return Sent(200, document(), [_NOW])


HANDLERS: dict[str, Handler] = {
    handler.__name__: handler
    for handler in (
        surveys,
        create,
        invite,
        manifest,
        enrol,
        progress,
        rounds,
        problems,
        plan,
        question,
        batches,
        close,
        estimate,
        transcript,
        participate,
        index,
        web,
        health,
        metrics,
        openapi,
    )
}
"""By the name of the route; reports have their own way in."""
