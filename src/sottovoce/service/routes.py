"""Every route of the collector, once: what serves it, what OpenAPI says of it and what the docs list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from sottovoce.messages import MAX_MANIFEST_BYTES, MAX_REPORT_BYTES, MAX_ROUNDS
from sottovoce.service.assets import MEDIA
from sottovoce.service.limits import MAX_BATCH_BYTES, PLAN_BODY, SMALL_BODY
from sottovoce.service.messages import (
    DIGEST,
    JSON,
    MAX_ROWS,
    NDJSON,
    BatchResult,
    Close,
    Created,
    Enrolled,
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
_ID = re.compile(DIGEST)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


@dataclass(frozen=True, kw_only=True)
class Body:
    """What a request carries: a media type, at most so many bytes, and a type of ours, or words for exact bytes."""

    media: str
    limit: int
    kind: Any = None
    words: str = ""
    required: bool = True


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a request is answered with where nothing is wrong."""

    status: int
    words: str
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
    refuses: tuple[int, ...]
    body: Body | None = None
    shared: bool = False
    """Whether pages of other origins, those that the survey lists, may call it."""

    @property
    def limit(self) -> int:
        """Of the body, in bytes."""
        return SMALL_BODY if self.body is None else self.body.limit


_SURVEY = "/surveys/{survey}"
_SAME = "as you have it"
_ALWAYS = (404, 405, 500, 503)
_WRITES = (400, 408, 413, 415)
REPORT = Body(media=JSON, limit=MAX_REPORT_BYTES, words="a report, in canonical form (RFC 8785)")
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
        replies=(Reply(status=200, words="all surveys", kind=Surveys),),
        refuses=(401, 403),
    ),
    Route(
        name="create",
        method="POST",
        path="/surveys",
        who="administrator",
        does="announce a survey and open its first round",
        body=Body(media=JSON, limit=MAX_MANIFEST_BYTES, kind=NewSurvey),
        replies=(Reply(status=201, words="announced", kind=Created),),
        refuses=(401, 403, 409, *_WRITES),
    ),
    Route(
        name="problems",
        method="GET",
        path="/problems",
        who="public",
        does="what can be asked about, and with which settings",
        replies=(Reply(status=200, words="all of them", kind=Problems), Reply(status=304, words=_SAME, media="")),
        refuses=(),
    ),
    Route(
        name="plan",
        method="POST",
        path="/plan",
        who="administrator",
        does="what a survey would be worth, or what it takes to reach a half-width; nothing is made",
        body=Body(media=JSON, limit=PLAN_BODY, kind=NewPlan),
        replies=(Reply(status=200, words="the plan", kind=Planned),),
        refuses=(401, 403, *_WRITES),
    ),
    Route(
        name="invite",
        method="POST",
        path=f"{_SURVEY}/invitations",
        who="owner",
        does="make invitations, one URL for each person",
        body=Body(media=JSON, limit=SMALL_BODY, kind=Invite),
        replies=(Reply(status=201, words="made", kind=Invitations),),
        refuses=(401, 403, 409, 410, *_WRITES),
    ),
    Route(
        name="manifest",
        method="GET",
        path=f"{_SURVEY}/manifest",
        who="public",
        does="what the survey promises; its SHA-256 is the survey's id",
        replies=(Reply(status=200, words="the exact bytes"), Reply(status=304, words=_SAME, media="")),
        refuses=(),
        shared=True,
    ),
    Route(
        name="enrol",
        method="POST",
        path=f"{_SURVEY}/enrol",
        who="invitation",
        does="get a slot; again and again the same one",
        replies=(
            Reply(status=201, words="enrolled", kind=Enrolled),
            Reply(status=200, words="enrolled before", kind=Enrolled),
        ),
        refuses=(400, 401, 408, 409, 410, 413, 415, 425, 429),
        shared=True,
    ),
    Route(
        name="progress",
        method="GET",
        path=f"{_SURVEY}/progress",
        who="public",
        does="where the survey stands; Retry-After says when to look again",
        replies=(Reply(status=200, words="now", kind=Progress), Reply(status=304, words=_SAME, media="")),
        refuses=(),
        shared=True,
    ),
    Route(
        name="rounds",
        method="GET",
        path=f"{_SURVEY}/rounds",
        who="public",
        does="the survey round by round: against its plan, what was refused, and what closed rounds say",
        replies=(Reply(status=200, words="now", kind=SurveySeen), Reply(status=304, words=_SAME, media="")),
        refuses=(),
        shared=True,
    ),
    Route(
        name="question",
        method="GET",
        path=f"{_SURVEY}/rounds/{{round}}/{{role}}/question",
        who="public",
        does="what is asked in a round and role: the same bytes for everybody",
        replies=(Reply(status=200, words="the exact bytes"), Reply(status=304, words=_SAME, media="")),
        refuses=(425,),
        shared=True,
    ),
    Route(
        name="reports",
        method="POST",
        path=f"{_SURVEY}/reports",
        who="capability",
        does="hand in a report; it is durable when this is answered",
        body=REPORT,
        replies=(
            Reply(status=201, words="stored", kind=Received),
            Reply(status=200, words="these very bytes are stored", kind=Received),
        ),
        refuses=(401, 403, 409, 410, 425, *_WRITES),
        shared=True,
    ),
    Route(
        name="batches",
        method="POST",
        path=f"{_SURVEY}/batches",
        who="rows",
        does=f"hand in up to {MAX_ROWS:,} reports; one bad row does not fail the rest",
        body=BATCH,
        replies=(Reply(status=200, words="what became of each row", kind=BatchResult),),
        refuses=_WRITES,
        shared=True,
    ),
    Route(
        name="close",
        method="POST",
        path=f"{_SURVEY}/rounds/{{round}}/close",
        who="owner",
        does="close a round by hand, perhaps with a reason; a closed one stays as it is",
        body=Body(media=JSON, limit=SMALL_BODY, kind=Close, required=False),
        replies=(Reply(status=200, words="where the survey stands", kind=Progress),),
        refuses=(400, 401, 403, 408, 409, 413, 415, 425),
    ),
    Route(
        name="estimate",
        method="GET",
        path=f"{_SURVEY}/estimate",
        who="public",
        does="the answer, once the survey is over",
        replies=(Reply(status=200, words="the answer"),),
        refuses=(410, 425),
        shared=True,
    ),
    Route(
        name="transcript",
        method="GET",
        path=f"{_SURVEY}/transcript",
        who="public",
        does="all that was asked and what came of it, for anyone to replay",
        replies=(Reply(status=200, words="the exact bytes"),),
        refuses=(425,),
        shared=True,
    ),
    Route(
        name="participate",
        method="GET",
        path=f"{_SURVEY}/participate",
        who="public",
        does="a page for people: what is asked and how to answer",
        replies=(Reply(status=200, words="a page", media=HTML),),
        refuses=(),
    ),
    Route(
        name="index",
        method="GET",
        path="/",
        who="public",
        does="a page for people: what is running here",
        replies=(Reply(status=200, words="a page", media=HTML),),
        refuses=(),
    ),
    Route(
        name="web",
        method="GET",
        path="/web/{path}",
        who="public",
        does="a file of the pages: a module, or how they look",
        replies=(
            *(Reply(status=200, words="the exact bytes", media=media) for media in MEDIA.values()),
            Reply(status=304, words=_SAME, media=""),
        ),
        refuses=(),
    ),
    Route(
        name="health",
        method="GET",
        path="/healthz",
        who="public",
        does="whether reports can be stored",
        replies=(Reply(status=200, words="they can", kind=Health),),
        refuses=(),
    ),
    Route(
        name="metrics",
        method="GET",
        path="/metrics",
        who="public",
        does="counts for Prometheus",
        replies=(Reply(status=200, words="counts", media=TEXT),),
        refuses=(),
    ),
    Route(
        name="openapi",
        method="GET",
        path="/openapi.json",
        who="public",
        does="this list, as OpenAPI 3.1",
        replies=(Reply(status=200, words="the document"),),
        refuses=(),
    ),
)


def refusals(route: Route) -> tuple[int, ...]:
    """Every status with which a route refuses."""
    return tuple(sorted({*route.refuses, *_ALWAYS}))


def is_survey(text: str) -> bool:
    """Whether this can be a survey's id."""
    return _ID.fullmatch(text) is not None


def round_number(text: str) -> int | None:
    """A round's number; None where it is none."""
    return int(text) if _NUMBER.fullmatch(text) and int(text) < MAX_ROUNDS else None
