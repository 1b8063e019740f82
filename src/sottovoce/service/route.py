"""What a route is: what serves it, what OpenAPI says of it and what the docs list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from sottovoce.messages import MAX_ROUNDS
from sottovoce.service.limits import SMALL_BODY
from sottovoce.service.messages import DIGEST, JSON

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
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


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

    @property
    def limit(self) -> int:
        """Of the body, in bytes."""
        return SMALL_BODY if self.body is None else self.body.limit


def refusals(route: Route) -> tuple[int, ...]:
    """Every status with which a route refuses."""
    return tuple(sorted({*route.refuses, *_ALWAYS}))


def is_survey(text: str) -> bool:
    """Whether this can be a survey's id."""
    return _ID.fullmatch(text) is not None


def round_number(text: str) -> int | None:
    """A round's number; None where it is none."""
    return int(text) if _NUMBER.fullmatch(text) and int(text) < MAX_ROUNDS else None
