"""What each route does, but for reports and what is only shown. Names are those of the table of routes."""

from __future__ import annotations

import msgspec

from sottovoce.messages import InvalidInput, check_address
from sottovoce.service import access, reports
from sottovoce.service.asgi import bearer, header
from sottovoce.service.calls import (
    FOREVER,
    NOW,
    Call,
    Handler,
    Sent,
    administrator,
    body_of,
    optional_body,
    tagged,
)
from sottovoce.service.creating import manifest_of
from sottovoce.service.errors import Refused, forbidden, malformed
from sottovoce.service.messages import Close, Created, Enrol, Invitations, Invite, Listed, NewSurvey, Surveys
from sottovoce.service.route import round_number
from sottovoce.service.showing import SHOWING
from sottovoce.service.state import State
from sottovoce.service.survey import Survey

_encode = msgspec.json.Encoder().encode
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
    await administrator(state, call)
    now = state.clock()
    found = [listed(held, now) for held in await state.aside(state.collector.surveys)]
    return Sent(200, _encode(Surveys(surveys=found)), [NOW])


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
    base = _base(state, call)
    manifest = await state.writing(manifest_of, asked, now=state.clock())
    token = await state.writing(state.collector.create, manifest, origins=asked.origins)
    url = f"{base}/surveys/{manifest.digest}/manifest"
    made = Created(survey=manifest.digest, token=token, manifest_url=url)
    return Sent(201, _encode(made), [NOW, (b"location", url.encode())])


async def invite(state: State, call: Call) -> Sent:
    """Make invitations."""
    await _owner(state, call)
    asked: Invite = await body_of(state, call, Invite)
    base = _base(state, call)
    urls = await state.writing(state.collector.invite, call.survey, count=asked.count, base=base)
    return Sent(201, _encode(Invitations(invitations=urls)), [NOW])


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
    return Sent(200 if found.before else 201, _encode(found), [NOW])


async def batches(state: State, call: Call) -> Sent:
    """Many reports."""
    return Sent(200, _encode(await reports.many(state, call.survey, call.scope, call.receive)), [NOW])


async def close(state: State, call: Call) -> Sent:
    """Close a round by hand."""
    _, who = await _owner(state, call)
    asked: Close = await optional_body(state, call, Close)
    await state.writing(state.collector.close, call.survey, _round(call), by=who, reason=asked.reason)
    return Sent(200, _encode(await state.aside(state.collector.progress, call.survey)), [NOW])


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
