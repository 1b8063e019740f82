"""Pages of other origins: those that a survey lists may use its public routes, without credentials."""

from __future__ import annotations

from sottovoce.service.asgi import Headers, Scope, header
from sottovoce.service.errors import Refused
from sottovoce.service.route import Route
from sottovoce.service.survey import Survey

_EXPOSED = b"ETag, Retry-After"
_SECONDS = b"600"


def allowed(scope: Scope, survey: Survey | None) -> Headers:
    """What lets the page read the answer: nothing, unless the survey lists its origin."""
    origin = header(scope, b"origin")
    if origin is None or survey is None or origin.decode("latin-1") not in survey.row.origins:
        return [(b"vary", b"Origin")]
    return [
        (b"vary", b"Origin"),
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", _EXPOSED),
    ]


def preflight(scope: Scope, routes: list[Route], survey: Survey) -> Headers:
    """The answer to a browser that asks first."""
    methods = ", ".join(["OPTIONS", *(route.method for route in routes)]).encode()
    headers = [(b"allow", methods), *allowed(scope, survey)]
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
