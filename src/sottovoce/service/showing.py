"""What is shown: to whoever follows a survey, plans one, opens a page, or looks after the collector."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec

from sottovoce.service import pages, planned, shells
from sottovoce.service.asgi import Headers
from sottovoce.service.assets import assets
from sottovoce.service.calls import CHECKED, NOW, Call, Handler, Sent, administrator, body_of, tagged
from sottovoce.service.errors import Refused
from sottovoce.service.measured import measured
from sottovoce.service.messages import Health, Progress
from sottovoce.service.openapi import document
from sottovoce.service.route import HTML, TEXT
from sottovoce.service.seen import survey_seen
from sottovoce.service.state import State
from sottovoce.service.views import NewPlan

_encode = msgspec.json.Encoder().encode
_OWN = (b"cross-origin-resource-policy", b"same-origin")
_SOON = 10


async def progress(state: State, call: Call) -> Sent:
    """Where a survey stands, and when to look again. The tag is weak: it leaves out what time it is."""
    found = await state.aside(state.collector.progress, call.survey)
    timeless = hashlib.sha256(_encode(msgspec.structs.replace(found, now=0))).hexdigest()
    return tagged(call, _encode(found), timeless, _again(found), weak=True)


async def rounds(state: State, call: Call) -> Sent:
    """A survey round by round."""
    held = await state.aside(state.collector.survey, call.survey)
    plan = await state.foreseen(held)
    refused = await state.aside(state.collector.store.refused, call.survey)
    found = _encode(await state.aside(survey_seen, held, refused, plan, now=state.clock()))
    return tagged(call, found, hashlib.sha256(found).hexdigest(), [CHECKED])


async def problems(state: State, call: Call) -> Sent:
    """What can be asked about."""
    found = _problems()
    return tagged(call, found, hashlib.sha256(found).hexdigest(), [CHECKED])


@cache
def _problems() -> bytes:
    return _encode(planned.listed())


async def plan(state: State, call: Call) -> Sent:
    """What a survey would be worth."""
    await administrator(state, call)
    return Sent(200, _encode(await state.planned(await body_of(state, call, NewPlan))), [NOW])


def _again(found: Progress) -> Headers:
    """A round may close at any moment on its quota: so look again soon; a survey that is over stays so."""
    if found.state == "early":
        return [NOW, (b"retry-after", b"%d" % max(1, min(3600, found.opens - found.now)))]
    return [NOW, (b"retry-after", b"%d" % _SOON)] if found.state == "open" else [NOW]


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
    return tagged(call, found.data, found.digest, [CHECKED, _OWN], found.media)


async def health(state: State, call: Call) -> Sent:
    """That reports can be stored; or what is down."""
    if not state.writer.alive:
        raise _down("the writer has stopped", do="restart the collector")
    try:
        await state.check()
    except Refused:
        raise _down("the store does not answer", do="see that the database runs, and that its disk has room") from None
    return Sent(200, _encode(Health(store="reachable", writer="alive")), [NOW])


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
