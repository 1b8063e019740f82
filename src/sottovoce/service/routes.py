"""Every route of the collector, once: what serves it, what OpenAPI says of it and what the docs list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import msgspec

from sottovoce.messages import MAX_MANIFEST_BYTES, MAX_REPORT_BYTES, MAX_ROUNDS
from sottovoce.service.documents import (
    DIGEST,
    JSON,
    MAX_ROWS,
    NDJSON,
    BatchResult,
    Close,
    Created,
    Enrol,
    Enrolled,
    Failure,
    Health,
    Invitations,
    Invite,
    NewPlan,
    NewSurvey,
    Planned,
    Problems,
    Progress,
    Received,
    Surveys,
    SurveySeen,
)
from sottovoce.service.limits import MAX_BATCH_BYTES, PLAN_BODY, SMALL_BODY
from sottovoce.service.pages import MEDIA, assets
from sottovoce.version import VERSION

TEXT = "text/plain; version=0.0.4; charset=utf-8"
HTML = "text/html; charset=utf-8"

Who = Literal["public", "administrator", "owner", "invitation", "capability", "rows"]
WHO = {
    "public": "everybody",
    "administrator": "the administrator's token",
    "owner": "the survey's token, or the administrator's",
    "invitation": "the token of an invitation; where access is open, one that the device made",
    "capability": "the capability that enrolment gave for the slot",
    "rows": "everybody; each row carries its capability",
}
_ALWAYS = (404, 405, 500, 503)
_ID = re.compile(DIGEST)


@dataclass(frozen=True, kw_only=True)
class Body:
    """What a request carries: a media type, at most so many bytes, and a type of ours, or words for exact bytes."""

    limit: int
    media: str = JSON
    kind: Any = None
    words: str = ""
    required: bool = True


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a request is answered with where nothing is wrong."""

    words: str
    status: int = 200
    media: str = JSON
    kind: Any = None


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path. `name` is that of the function that serves it."""

    name: str
    method: Literal["GET", "POST"]
    path: str
    who: Who
    does: str
    replies: tuple[Reply, ...]
    refuses: tuple[int, ...] = ()
    """Statuses with which it refuses, besides those of every route."""
    body: Body | None = None
    shared: bool = False
    """Whether pages of other origins, those that the survey lists, may call it."""


def is_survey(text: str) -> bool:
    """Whether this can be a survey's id."""
    return _ID.fullmatch(text) is not None


_SAME = Reply(status=304, words="as you have it", media="")
_WRITES = (400, 408, 413, 415)
REPORT = Body(limit=MAX_REPORT_BYTES, words="a report, in canonical form (RFC 8785)")
BATCH = Body(
    media=NDJSON,
    limit=MAX_BATCH_BYTES,
    words='first {"question":DIGEST,"version":1}, then a row for each report: [slot,"payload","capability"]',
)

ROUTES = (
    Route(
        name="surveys",
        method="GET",
        path="/surveys",
        who="administrator",
        does="list all surveys",
        replies=(Reply(words="all surveys", kind=Surveys),),
        refuses=(401, 403),
    ),
    Route(
        name="create",
        method="POST",
        path="/surveys",
        who="administrator",
        does="announce a survey and open its first round",
        body=Body(limit=MAX_MANIFEST_BYTES, kind=NewSurvey),
        replies=(Reply(status=201, words="announced", kind=Created),),
        refuses=(401, 403, 409, *_WRITES),
    ),
    Route(
        name="problems",
        method="GET",
        path="/problems",
        who="public",
        does="what can be asked about, and with which settings",
        replies=(Reply(words="all of them", kind=Problems), _SAME),
    ),
    Route(
        name="plan",
        method="POST",
        path="/plan",
        who="administrator",
        does="what a survey would be worth, or what it takes to reach a half-width; nothing is made",
        body=Body(limit=PLAN_BODY, kind=NewPlan),
        replies=(Reply(words="the plan", kind=Planned),),
        refuses=(401, 403, *_WRITES),
    ),
    Route(
        name="invite",
        method="POST",
        path="/surveys/{survey}/invitations",
        who="owner",
        does="make invitations, one URL for each person",
        body=Body(limit=SMALL_BODY, kind=Invite),
        replies=(Reply(status=201, words="made", kind=Invitations),),
        refuses=(401, 403, 409, 410, *_WRITES),
    ),
    Route(
        name="manifest",
        method="GET",
        path="/surveys/{survey}/manifest",
        who="public",
        does="what the survey promises; its SHA-256 is the survey's id",
        replies=(Reply(words="the exact bytes"), _SAME),
        shared=True,
    ),
    Route(
        name="enrol",
        method="POST",
        path="/surveys/{survey}/enrol",
        who="invitation",
        does="get a slot; again and again the same one. With a visit number, it says whether that very one took it",
        body=Body(limit=SMALL_BODY, kind=Enrol, required=False),
        replies=(
            Reply(status=201, words="enrolled", kind=Enrolled),
            Reply(words="enrolled before", kind=Enrolled),
        ),
        refuses=(400, 401, 408, 409, 410, 413, 415, 425, 429),
        shared=True,
    ),
    Route(
        name="progress",
        method="GET",
        path="/surveys/{survey}/progress",
        who="public",
        does="where the survey stands; Retry-After says when to look again",
        replies=(Reply(words="now", kind=Progress), _SAME),
        shared=True,
    ),
    Route(
        name="rounds",
        method="GET",
        path="/surveys/{survey}/rounds",
        who="public",
        does="the survey round by round: against its plan, what was refused, and what closed rounds say",
        replies=(Reply(words="now", kind=SurveySeen), _SAME),
        shared=True,
    ),
    Route(
        name="question",
        method="GET",
        path="/surveys/{survey}/rounds/{round}/{role}/question",
        who="public",
        does="what is asked in a round and role: the same bytes for everybody",
        replies=(Reply(words="the exact bytes"), _SAME),
        refuses=(425,),
        shared=True,
    ),
    Route(
        name="reports",
        method="POST",
        path="/surveys/{survey}/reports",
        who="capability",
        does="hand in a report; it is durable when this is answered",
        body=REPORT,
        replies=(
            Reply(status=201, words="stored", kind=Received),
            Reply(words="these very bytes are stored", kind=Received),
        ),
        refuses=(401, 403, 409, 410, 425, *_WRITES),
        shared=True,
    ),
    Route(
        name="batches",
        method="POST",
        path="/surveys/{survey}/batches",
        who="rows",
        does=f"hand in up to {MAX_ROWS:,} reports; one bad row does not fail the rest",
        body=BATCH,
        replies=(Reply(words="what became of each row", kind=BatchResult),),
        refuses=_WRITES,
        shared=True,
    ),
    Route(
        name="close",
        method="POST",
        path="/surveys/{survey}/rounds/{round}/close",
        who="owner",
        does="close a round by hand, perhaps with a reason; a closed one stays as it is",
        body=Body(limit=SMALL_BODY, kind=Close, required=False),
        replies=(Reply(words="where the survey stands", kind=Progress),),
        refuses=(400, 401, 403, 408, 409, 413, 415, 425),
    ),
    Route(
        name="estimate",
        method="GET",
        path="/surveys/{survey}/estimate",
        who="public",
        does="the answer, once the survey is over",
        replies=(Reply(words="the answer"),),
        refuses=(410, 425),
        shared=True,
    ),
    Route(
        name="transcript",
        method="GET",
        path="/surveys/{survey}/transcript",
        who="public",
        does="all that was asked and what came of it, for anyone to replay",
        replies=(Reply(words="the exact bytes"),),
        refuses=(425,),
        shared=True,
    ),
    Route(
        name="participate",
        method="GET",
        path="/surveys/{survey}/participate",
        who="public",
        does="a page for people: what is asked and how to answer",
        replies=(Reply(words="a page", media=HTML),),
    ),
    Route(
        name="index",
        method="GET",
        path="/",
        who="public",
        does="a page for people: what is running here",
        replies=(Reply(words="a page", media=HTML),),
    ),
    Route(
        name="web",
        method="GET",
        path="/web/{path}",
        who="public",
        does="a file of the pages: a module, how they look, or what they say",
        replies=(
            *(Reply(words="the exact bytes", media=media) for media in MEDIA.values()),
            _SAME,
        ),
    ),
    Route(
        name="health",
        method="GET",
        path="/healthz",
        who="public",
        does="whether reports can be stored",
        replies=(Reply(words="they can", kind=Health),),
    ),
    Route(
        name="metrics",
        method="GET",
        path="/metrics",
        who="public",
        does="counts for Prometheus",
        replies=(Reply(words="counts", media=TEXT),),
    ),
    Route(
        name="openapi",
        method="GET",
        path="/openapi.json",
        who="public",
        does="this list, as OpenAPI 3.1",
        replies=(Reply(words="the document"),),
    ),
)


# The table of routes as an OpenAPI 3.1 document, with the schemas of our own types.

_PARTS: dict[str, dict[str, Any]] = {
    "survey": {"type": "string", "pattern": DIGEST},
    "round": {"type": "integer", "minimum": 0, "maximum": MAX_ROUNDS - 1},
    "role": {"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[^/]+$"},
    "path": {"type": "string", "enum": list(assets())},
}
_REPORT = {
    "type": "object",
    "description": "In canonical form (RFC 8785): names in this order, no space.",
    "properties": {
        "payload": {"type": "string", "pattern": "^([0-9a-f]{2})*$"},
        "question": {"type": "string", "pattern": DIGEST},
        "slot": {"type": "integer", "minimum": 0},
        "version": {"const": 1},
    },
    "required": ["payload", "question", "slot", "version"],
    "additionalProperties": False,
}


@cache
def openapi_document() -> bytes:
    """The whole document."""
    kinds = {body.kind for route in ROUTES if (body := route.body) is not None and body.kind is not None}
    kinds |= {reply.kind for route in ROUTES for reply in route.replies if reply.kind is not None}
    ordered = sorted([*kinds, Failure], key=lambda kind: str(kind.__name__))
    _, schemas = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Sottovoce collector",
            "version": VERSION,
            "description": "A survey of many users, each of whom sends one locally private report.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                who: {"type": "http", "scheme": "bearer", "description": words}
                for who, words in WHO.items()
                if who not in ("public", "rows")
            },
        },
    }
    return msgspec.json.encode(document)


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": route.does,
        "description": f"For {WHO[route.who]}.",
        "responses": {
            **{str(reply.status): _reply(route, reply) for reply in route.replies},
            **{str(status): _REFUSAL for status in sorted({*route.refuses, *_ALWAYS})},
        },
    }
    parts = re.findall(r"\{(\w+)\}", route.path)
    if parts:
        operation["parameters"] = [
            {"name": part, "in": "path", "required": True, "schema": _PARTS[part]} for part in parts
        ]
    if route.body is not None:
        untyped = _REPORT if route.body.media == JSON else {"type": "string", "description": route.body.words}
        operation["requestBody"] = {
            "required": route.body.required,
            "content": {route.body.media: {"schema": _schema(route.body.kind, untyped)}},
        }
    if route.who not in ("public", "rows"):
        operation["security"] = [{route.who: []}]
    return operation


def _reply(route: Route, reply: Reply) -> dict[str, Any]:
    if not reply.media:
        return {"description": reply.words}
    content = {
        alike.media: {"schema": _schema(alike.kind, {"type": "object" if alike.media == JSON else "string"})}
        for alike in route.replies
        if alike.status == reply.status
    }
    return {"description": reply.words, "content": content}


def _schema(kind: Any, untyped: dict[str, Any]) -> dict[str, Any]:
    """The schema of one of our types, by its name; `untyped` where there is none."""
    return untyped if kind is None else {"$ref": f"#/components/schemas/{kind.__name__}"}


_REFUSAL = {"description": "refused, and why", "content": {JSON: {"schema": _schema(Failure, {})}}}
