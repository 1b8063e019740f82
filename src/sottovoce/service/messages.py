"""What the collector itself says and hears, as types: its checks, its OpenAPI document and its answers come from them.

What devices sign off on (manifest, question, report, transcript) is not here: those travel as exact bytes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from sottovoce.messages import ACCESS, ENROLMENTS, MAX_DAYS, MAX_SEED

JSON = "application/json"
NDJSON = "application/x-ndjson"
DIGEST = "^[0-9a-f]{64}$"
"""Of a survey or a question: SHA-256."""
ORIGIN = r"^https?://[A-Za-z0-9.\[\]:-]+$"
"""As browsers write where a page is from: scheme, host and perhaps a port."""
MAX_ORIGIN = 256
MAX_INVITATIONS = 10_000
MAX_ROWS = 10_000
MAX_ORIGINS = 100
MAX_REASON = 80

Digest = Annotated[str, Meta(pattern=DIGEST)]
Count = Annotated[int, Meta(ge=0)]
Moment = Annotated[int, Meta(ge=0, le=MAX_SEED, description="seconds since 1970, UTC")]
Origin = Annotated[str, Meta(max_length=MAX_ORIGIN, pattern=ORIGIN)]


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said or heard, or a part of it: it holds nothing that is not named."""


class Error(Document, frozen=True):
    """Why a request was refused: what was expected, what came, what to do."""

    code: str
    message: str
    survey: str | None = None
    round: int | None = None
    expected: str = ""
    got: str = ""
    do: str = ""


class Failure(Document, frozen=True):
    """The one shape of every refusal."""

    error: Error


class NewSurvey(Document, frozen=True):
    """What an administrator asks for; the rest of the manifest follows from it."""

    problem: Annotated[str, Meta(min_length=1, max_length=128)]
    settings: dict[str, Any]
    purpose: Annotated[str, Meta(min_length=1, max_length=4096)]
    collector: Annotated[str, Meta(min_length=1, max_length=4096)]
    closes: Moment
    opens: Moment | None = None
    columns: Annotated[tuple[Annotated[str, Meta(max_length=128)], ...], Meta(max_length=1024)] = ()
    enrolment: Annotated[str, Meta(pattern=f"^({'|'.join(ENROLMENTS)})$")] = "ahead"
    access: Annotated[str, Meta(pattern=f"^({'|'.join(ACCESS)})$")] = "invited"
    minimum: Annotated[int, Meta(ge=1, le=MAX_SEED)] | None = None
    round_seconds: Annotated[int, Meta(ge=1, le=MAX_SEED)] | None = None
    quota: Annotated[float, Meta(gt=0, le=1)] = 1.0
    retention_days: Annotated[int, Meta(ge=0, le=MAX_DAYS)] = 30
    origins: Annotated[tuple[Origin, ...], Meta(max_length=MAX_ORIGINS)] = ()


class Created(Document, frozen=True):
    """A new survey. The token is shown once: only its hash is kept."""

    survey: Digest
    token: str
    manifest_url: str


class Listed(Document, frozen=True):
    """One survey of the collector."""

    survey: Digest
    problem: str
    purpose: str
    state: str
    opens: Moment
    closes: Moment
    users: Count
    enrolled: Count


class Surveys(Document, frozen=True):
    """All of them, the newest last."""

    surveys: list[Listed]


class Invite(Document, frozen=True):
    """How many invitations to make."""

    count: Annotated[int, Meta(ge=1, le=MAX_INVITATIONS)]


class Invitations(Document, frozen=True):
    """One URL for each person. They are shown once: only hashes of their tokens are kept."""

    invitations: list[str]


class Enrol(Document, frozen=True):
    """By what a device can find out later that it was itself that took the slot."""

    visit: Annotated[str, Meta(pattern=DIGEST)] | None = None
    """32 random bytes, made for this token of this survey and for nothing else. Only their SHA-256 is kept."""


class Enrolled(Document, frozen=True):
    """A slot, and what proves that a report comes from it."""

    survey: Digest
    slot: Count
    capability: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    before: bool
    """This token had enrolled already: the same slot."""
    yours: bool
    """This very visit number took the seat; false where none was given."""


class RoundProgress(Document, frozen=True):
    """One round: who is asked, and how many have answered."""

    number: Count
    role: str
    question: Digest
    first: Count
    count: Count
    answered: Count
    opened: Moment
    closes: Moment | None
    closed: bool


class Progress(Document, frozen=True):
    """Where a survey stands; `round` is the open one, or the last one."""

    survey: Digest
    state: Annotated[str, Meta(pattern="^(early|open|done|abandoned)$")]
    now: Moment
    opens: Moment
    closes: Moment
    enrolled: Count
    users: Count
    minimum: Count
    round: RoundProgress | None


class Close(Document, frozen=True):
    """Why a round is closed by hand, in a few words that everybody may read."""

    reason: Annotated[str, Meta(max_length=MAX_REASON)] = ""


class Received(Document, frozen=True):
    """A report is stored, durably; or these very bytes were."""

    report: Literal["stored", "same"]


class RowProblem(Document, frozen=True):
    """Why one row of a batch was refused; rows count from 0."""

    row: Count
    status: int
    code: str
    message: str


class BatchResult(Document, frozen=True):
    """What became of each row, in order: 201 stored, 200 the same again, 4xx refused, 503 send it again later."""

    stored: Count
    statuses: list[int]
    problems: list[RowProblem]


class Health(Document, frozen=True):
    """That reports can be stored. Where they cannot, the refusal says which of the two is down."""

    store: Literal["reachable"]
    writer: Literal["alive"]
