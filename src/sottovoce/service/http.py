"""The collector over HTTP: one ASGI application. Reports have a way of their own, the rest is Starlette's."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from time import perf_counter

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute

from sottovoce.service.asgi import Gone, Headers, Receive, Scope, Send, header, respond
from sottovoce.service.collector import Clock, Collector
from sottovoce.service.documents import JSON
from sottovoce.service.errors import Refused, overloaded, refused
from sottovoce.service.handlers import HANDLERS, Call, Handler, Sent, take_report
from sottovoce.service.limits import Limits
from sottovoce.service.monitoring import UPLOADS, Log
from sottovoce.service.routes import ROUTES, Route, is_survey
from sottovoce.service.state import State
from sottovoce.service.survey import Survey
from sottovoce.service.writer import Writer

# Pages of other origins: those that a survey lists may use its public routes, without credentials.

_EXPOSED = b"ETag, Retry-After"
_SECONDS = b"600"


def cors_headers(scope: Scope, survey: Survey | None) -> Headers:
    """What lets the page read the answer: nothing, unless the survey lists its origin."""
    origin = header(scope, b"origin")
    if origin is None or survey is None or origin.decode("latin-1") not in survey.row.origins:
        return [(b"vary", b"Origin")]
    return [
        (b"vary", b"Origin"),
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", _EXPOSED),
    ]


def preflight_headers(scope: Scope, routes: list[Route], survey: Survey) -> Headers:
    """The answer to a browser that asks first."""
    methods = ", ".join(["OPTIONS", *(route.method for route in routes)]).encode()
    headers = [(b"allow", methods), *cors_headers(scope, survey)]
    if header(scope, b"origin") is None:
        return headers
    if len(headers) == 2:
        raise Refused(
            status=403,
            code="forbidden",
            message="this origin is not one of those that the survey lists",
            survey=survey.row.id,
            do="whoever made the survey lists the origins of its pages",
        )
    return [
        *headers,
        (b"access-control-allow-methods", methods),
        (b"access-control-allow-headers", b"authorization, content-type"),
        (b"access-control-max-age", _SECONDS),
    ]


_REPORTS = next(route for route in ROUTES if route.name == "reports")
_PATHS = [route.path for route in ROUTES]
_OF_OWNERS = frozenset(route.path for route in ROUTES if route.who in ("administrator", "owner"))
"""Each request to these has its line in the log; of others those that are refused are counted."""
_FIRST, _LAST = len("/surveys/"), len("/reports")
_LENGTH = _FIRST + 64 + _LAST
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_ROUTE, _SURVEY, _STATUS = "sotto.route", "sotto.survey", "sotto.status"
_PLAIN = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))
_STORED = ((b"content-type", JSON.encode()), (b"cache-control", b"no-store"), *_PLAIN)
_TICK_SECONDS = 1.0
_HUNG_UP = 499


class Application:
    """Counts, logs and bounds every request, and answers each of them, whatever happens."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._under_way = 0
        self._rest = Starlette(
            routes=[StarletteRoute(_whole(path), _Endpoint(state, path)) for path in dict.fromkeys(_PATHS)],
            exception_handlers={HTTPException: _unrouted},
            lifespan=partial(_lifespan, state),
        )
        self._rest.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._rest(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        started, state = perf_counter(), self.state
        self._under_way += 1
        try:
            if self._under_way > state.limits.requests:
                await self._too_many(scope, send)
            elif _is_report(scope):
                await self._report(scope, receive, send)
            else:
                await self._rest(scope, receive, send)
        except Gone:  # nobody listens any more
            scope[_STATUS] = _HUNG_UP
        finally:
            self._under_way -= 1
            method = scope["method"] if scope["method"] in _METHODS else "other"
            route, status = scope.get(_ROUTE, "other"), scope.get(_STATUS, _HUNG_UP)
            state.metrics.requests[route, method, status] += 1
            milliseconds = 1e3 * (perf_counter() - started)
            if route in _OF_OWNERS:
                state.log.request(method, route, status, milliseconds, scope.get(_SURVEY))
            elif 400 <= status != _HUNG_UP:
                state.log.count(method, route, status, milliseconds)

    async def _too_many(self, scope: Scope, send: Send) -> None:
        """Refuse, but not at once: whoever comes back at once would cost as much as a report that is stored."""
        self._under_way -= 1
        try:
            await asyncio.sleep(self.state.limits.refusal_seconds)
        finally:
            self._under_way += 1
        await _refuse(self.state, scope, send, overloaded("too many requests are under way"))

    async def _report(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The way that is taken most: nothing between the server and the writer."""
        state, survey = self.state, scope["path"][_FIRST:-_LAST]
        scope[_ROUTE], scope[_SURVEY] = _REPORTS.path, survey
        try:
            status, body = await take_report(state, survey, scope, receive)
        except Gone:
            raise
        except Exception as error:
            await _refuse(state, scope, send, _told(state, error), _shared(state, scope, survey))
            return
        scope[_STATUS] = status
        if status == 201:
            state.metrics.stored += 1
        await respond(send, status, (*_STORED, *_shared(state, scope, survey)), body)


def _whole(path: str) -> str:
    """As Starlette writes it: of a file the rest of the path, slashes and all."""
    return path.replace("{path}", "{path:path}")


def _is_report(scope: Scope) -> bool:
    path = scope["path"]
    return (
        scope["method"] == "POST"
        and len(path) == _LENGTH
        and path.endswith("/reports")
        and path.startswith("/surveys/")
        and is_survey(path[_FIRST:-_LAST])
    )


def _shared(state: State, scope: Scope, survey: str) -> Headers:
    return cors_headers(scope, state.collector.known(survey))


def _told(state: State, error: Exception) -> Refused:
    made = refused(error)
    if made.status == 500:
        state.log.failure(error)
    return made


async def _refuse(state: State, scope: Scope, send: Send, error: Refused, headers: Headers = ()) -> None:
    scope[_STATUS] = error.status
    state.refused(scope.get(_SURVEY, ""), error.code)
    await respond(send, error.status, (*error.headers(), *_PLAIN, *headers), error.body())


# ---- everything but reports ------------------------------------------------------------------------------------------


class _Endpoint:
    """All methods of one path. Not a function: Starlette hands it every method, and the raw request."""

    def __init__(self, state: State, path: str) -> None:
        self.state, self.path = state, path
        self.routes = [route for route in ROUTES if route.path == path]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reply = await _serve(self.state, self.routes, scope, receive)
        scope[_STATUS] = reply.status
        media = ((b"content-type", reply.media.encode()),) if reply.media else ()
        await respond(send, reply.status, (*media, *reply.headers), reply.body)


async def _serve(state: State, here: list[Route], scope: Scope, receive: Receive) -> Sent:
    """Find the route, call its handler, and put the answer or the refusal into words."""
    parts = dict(scope["path_params"])
    survey = parts.pop("survey", "")
    scope[_ROUTE], scope[_SURVEY] = here[0].path, survey if is_survey(survey) else None
    more: Headers = _PLAIN
    try:
        if survey and not is_survey(survey):
            raise Refused(status=404, code="not-found", message="a survey's id has 64 hexadecimal digits")
        if any(route.shared for route in here):
            held = await state.known(survey)
            if scope["method"] == "OPTIONS":
                return Sent(204, b"", (*_PLAIN, *preflight_headers(scope, here, held)), media="")
            more = (*_PLAIN, *cors_headers(scope, held))
        route, handler = _found(here, scope["method"])
        reply = await handler(state, Call(route=route, scope=scope, receive=receive, survey=survey, parts=parts))
    except Gone:
        raise
    except Exception as error:
        told = _told(state, error)
        state.refused(survey if any(route.name in UPLOADS for route in here) else "", told.code)
        return Sent(told.status, told.body(), (*told.headers(), *more, *_allow(told, here)), media="")
    return replace(reply, headers=(*more, *reply.headers))


def _found(here: list[Route], method: str) -> tuple[Route, Handler]:
    for route in here:
        if method == route.method or (method == "HEAD" and route.method == "GET"):
            return route, HANDLERS[route.name]
    raise Refused(
        status=405, code="method", message="this path takes another method", expected=", ".join(_methods(here))
    )


def _methods(here: list[Route]) -> list[str]:
    own = [route.method for route in here]
    return [*own, *(["HEAD"] if "GET" in own else []), *(["OPTIONS"] if any(route.shared for route in here) else [])]


def _allow(told: Refused, here: list[Route]) -> Headers:
    return [(b"allow", ", ".join(_methods(here)).encode())] if told.status == 405 else []


async def _unrouted(request: Request, error: Exception) -> Response:
    """A path that no route has."""
    told = Refused(status=404, code="not-found", message="there is nothing here", do="read /openapi.json")
    request.scope[_STATUS] = told.status
    headers = {name.decode(): value.decode() for name, value in (*told.headers(), *_PLAIN)}
    return Response(told.body(), status_code=told.status, headers=headers)


# ---- from the start to the end ---------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def _lifespan(state: State, app: Starlette) -> AsyncIterator[None]:
    """The writer runs, and rounds close when they are due; at the end what was accepted is stored."""
    state.writer.start()
    ticking = asyncio.create_task(_ticks(state))
    try:
        yield
    finally:
        ticking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ticking
        with contextlib.suppress(Refused):  # the store is gone: counts of refusals go with this worker
            await state.keep_refusals()
        await state.writer.stop()
        state.log.flush()


async def _ticks(state: State) -> None:
    told = False
    while True:
        try:
            if not told:
                for held in await state.stalled():
                    edition, release = held.manifest.edition, held.manifest.software
                    state.log.event("other edition", survey=held.row.id[:12], edition=edition, finish_with=release)
                told = True
            for row in await state.tick():
                state.log.event("closed", survey=row.survey[:12], round=row.number, because=row.because)
        except Refused:  # the store does not answer: the next tick tries again
            state.log.event("tick refused")
        except Exception as error:
            state.log.failure(error)
        await asyncio.sleep(_TICK_SECONDS)


def application(
    collector: Collector,
    writer: Writer,
    *,
    clock: Clock,
    limits: Limits | None = None,
    log: Log | None = None,
    base: str = "",
    listed: bool = True,
) -> Application:
    """The collector as an ASGI application.

    `base` is what devices call it, where that cannot be seen from a request; with `listed`, its front page shows what
    is running.
    """
    told = Log(sys.stderr, clock=clock) if log is None else log
    bounds = Limits() if limits is None else limits
    return Application(State(collector, writer, clock=clock, limits=bounds, log=told, base=base, listed=listed))
