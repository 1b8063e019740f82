"""The collector over HTTP: one ASGI application. Reports have a way of their own, the rest is Starlette's."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from time import perf_counter

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response as StarletteResponse
from starlette.routing import Route as StarletteRoute

from sottovoce.service.asgi import Gone, Headers, Receive, Scope, Send, header, respond
from sottovoce.service.documents import JSON
from sottovoce.service.errors import Refused, as_refusal, overloaded
from sottovoce.service.handlers import HANDLERS, Call, Response, take_report
from sottovoce.service.log_and_metrics import UPLOADS
from sottovoce.service.routes import ROUTES, Route, is_survey
from sottovoce.service.state import State
from sottovoce.service.survey import Survey


def cors_headers(scope: Scope, survey: Survey | None) -> Headers:
    """What lets the page read the answer: nothing, unless the survey lists its origin."""
    origin, headers = header(scope, b"origin"), [(b"vary", b"Origin")]
    if origin is not None and survey is not None and origin.decode("latin-1") in survey.row.origins:
        exposed = (b"access-control-expose-headers", b"ETag, Retry-After")
        headers += [(b"access-control-allow-origin", origin), exposed]
    return headers


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
        (b"access-control-max-age", b"600"),
    ]


_REPORTS = next(route.path for route in ROUTES if route.name == "reports")
_OF_OWNERS = frozenset(route.path for route in ROUTES if route.who in ("administrator", "owner"))
"""Each request to these has its line in the log; of others those that are refused are counted."""
_REPORTS_PATH = re.compile(r"/surveys/([0-9a-f]{64})/reports")
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
            routes=[  # as Starlette writes it: of a file the rest of the path, slashes and all
                StarletteRoute(path.replace("{path}", "{path:path}"), _Endpoint(state, path))
                for path in dict.fromkeys(route.path for route in ROUTES)
            ],
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
            elif scope["method"] == "POST" and (match := _REPORTS_PATH.fullmatch(scope["path"])):
                await self._report(match[1], scope, receive, send)
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

    async def _report(self, survey: str, scope: Scope, receive: Receive, send: Send) -> None:
        """The way that is taken most: nothing between the server and the writer."""
        state = self.state
        scope[_ROUTE], scope[_SURVEY] = _REPORTS, survey
        try:
            status, body = await take_report(state, survey, scope, receive)
        except Gone:
            raise
        except Exception as error:
            shared = cors_headers(scope, state.collector.known(survey))
            await _refuse(state, scope, send, _refusal(state, error), shared)
            return
        scope[_STATUS] = status
        if status == 201:
            state.metrics.stored += 1
        await respond(send, status, (*_STORED, *cors_headers(scope, state.collector.known(survey))), body)


def _refusal(state: State, error: Exception) -> Refused:
    refusal = as_refusal(error)
    if refusal.status == 500:
        state.log.failure(error)
    return refusal


async def _refuse(state: State, scope: Scope, send: Send, error: Refused, headers: Headers = ()) -> None:
    scope[_STATUS] = error.status
    state.refused(scope.get(_SURVEY, ""), error.code)
    await respond(send, error.status, (*error.headers(), *_PLAIN, *headers), error.body())


# ---- everything but reports ------------------------------------------------------------------------------------------


class _Endpoint:
    """All methods of one path. Not a function: Starlette hands it every method, and the raw request."""

    def __init__(self, state: State, path: str) -> None:
        self.state = state
        self.routes = [route for route in ROUTES if route.path == path]
        self.shared = any(route.shared for route in self.routes)
        methods = [route.method for route in self.routes]
        self.methods = [*methods, *["HEAD"] * ("GET" in methods), *["OPTIONS"] * self.shared]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._response(scope, receive)
        scope[_STATUS] = response.status
        media = ((b"content-type", response.media.encode()),) if response.media else ()
        await respond(send, response.status, (*media, *response.headers), response.body)

    async def _response(self, scope: Scope, receive: Receive) -> Response:
        """Find the route, call its handler, and put the answer or the refusal into words."""
        state, method, parts = self.state, scope["method"], dict(scope["path_params"])
        survey = parts.pop("survey", "")
        scope[_ROUTE], scope[_SURVEY] = self.routes[0].path, survey if is_survey(survey) else None
        headers: Headers = _PLAIN
        try:
            if survey and not is_survey(survey):
                raise Refused(status=404, code="not-found", message="a survey's id has 64 hexadecimal digits")
            if self.shared:
                known = await state.known(survey)
                if method == "OPTIONS":
                    return Response(204, b"", (*_PLAIN, *preflight_headers(scope, self.routes, known)), media="")
                headers = (*_PLAIN, *cors_headers(scope, known))
            for route in self.routes:
                if method == route.method or (method == "HEAD" and route.method == "GET"):
                    call = Call(route=route, scope=scope, receive=receive, survey=survey, parts=parts)
                    response = await HANDLERS[route.name](state, call)
                    return replace(response, headers=(*headers, *response.headers))
            allowed = ", ".join(self.methods)
            message = "this path takes another method"
            headers = (*headers, (b"allow", allowed.encode()))
            raise Refused(status=405, code="method", message=message, expected=allowed)
        except Gone:
            raise
        except Exception as error:
            refusal = _refusal(state, error)
            uploads = any(route.name in UPLOADS for route in self.routes)
            state.refused(survey if uploads else "", refusal.code)
            return Response(refusal.status, refusal.body(), (*refusal.headers(), *headers), media="")


async def _unrouted(request: Request, error: Exception) -> StarletteResponse:
    """A path that no route has."""
    refusal = Refused(status=404, code="not-found", message="there is nothing here", do="read /openapi.json")
    request.scope[_STATUS] = refusal.status
    headers = {name.decode(): value.decode() for name, value in (*refusal.headers(), *_PLAIN)}
    return StarletteResponse(refusal.body(), status_code=refusal.status, headers=headers)


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
    stalled_logged = False
    while True:
        try:
            if not stalled_logged:
                for survey in await state.stalled():
                    edition, release = survey.manifest.edition, survey.manifest.software
                    state.log.event("other edition", survey=survey.row.id[:12], edition=edition, finish_with=release)
                stalled_logged = True
            for row in await state.tick():
                state.log.event("closed", survey=row.survey[:12], round=row.number, because=row.because)
        except Refused:  # the store does not answer: the next tick tries again
            state.log.event("tick refused")
        except Exception as error:
            state.log.failure(error)
        await asyncio.sleep(_TICK_SECONDS)
