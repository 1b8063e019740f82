"""What the collector itself says and hears, as types: its checks, its OpenAPI document and its answers come from them.

What devices sign off on (manifest, question, report, transcript) is not here: those travel as exact bytes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

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


# What the collector shows to whoever plans or follows a survey, as types; and what is asked of the planner.


class Setting(Document, frozen=True):
    """One setting of a problem, as a form needs it."""

    name: str
    kind: Literal["float", "int", "str", "bool"]
    required: bool
    several: bool
    """Whether a list is taken: of one entry for each coordinate, or of any number."""
    scalar: bool
    """Whether one value is taken."""
    table: bool
    """Whether the list holds lists: rows of a table."""
    default: Any
    """null where a value must be given, or where nothing is the default."""
    default_words: str
    """The default in words, where null or a bare figure would say little."""
    help: str
    group: Literal["declared", "constants", "data"]
    """For everybody, for those who reproduce the paper, or following from the data."""
    choices: list[str] | None


class Problem(Document, frozen=True):
    """What can be estimated."""

    name: str
    estimates: str
    unknowns: list[str]
    """Settings of which one may be left out of a plan that has a half-width to reach."""
    settings: list[Setting]


class Problems(Document, frozen=True):
    """All that this collector can ask about."""

    problems: list[Problem]


class NewPlan(Document, frozen=True):
    """What an administrator thinks of asking. With a half-width to reach one of the unknowns is left out."""

    problem: Annotated[str, Meta(min_length=1, max_length=128)]
    settings: dict[str, Any]
    halfwidth: Annotated[float, Meta(gt=0, le=1e300)] | None = None


Lines = list[Annotated[list[str], Meta(min_length=2, max_length=2)]]
"""A name and a text each, as people read them; without a name, it goes on from the line before."""


class Planned(Document, frozen=True):
    """What a survey will be worth; `solved` names what was solved for."""

    problem: str
    method: str
    reason: str
    solved: str
    users: Count
    observations: int | None
    epsilon: float
    confidence: float
    halfwidth: float
    guarded_halfwidth: float | None
    """Of the interval that holds whatever users are, where it is another."""
    full_scale: float
    """Half the declared range: a wider half-width says nothing."""
    users_per_round: list[int]
    lines: Lines
    warnings: list[str]


class PlanSeen(Document, frozen=True):
    """What was to be expected; without lines it is still being worked out."""

    halfwidth: float | None
    lines: Lines
    guarded_halfwidth: float | None = None
    """Of the interval that holds whatever users are, where it is another."""


class Bar(Document, frozen=True):
    """A share with its standard error. `low` and `high` are alike for a point, null where a bin is open or a name."""

    low: float | None
    high: float | None
    label: str
    share: float
    error: float


class RoundSeen(Document, frozen=True):
    """One round, open or closed; bars only of a closed one that as many answered as must."""

    number: Count
    role: str
    question: Digest
    first: Count
    asked: Count
    answered: Count
    quota: Count
    opened: Moment
    closes: Moment
    closed: Moment | None
    because: str
    by: str
    low: float | None
    high: float | None
    unit_words: str
    """What a device places there, as its owner is told."""
    bars: list[Bar] | None
    bars_words: str


class RefusedSeen(Document, frozen=True):
    """Uploads (enrolments, reports, rows of batches) that were refused, by reason."""

    code: str
    words: str
    count: Count


class Cause(Document, frozen=True):
    """A part of the standard error; parts add up in squares."""

    name: str
    value: float


class AnswerSeen(Document, frozen=True):
    """What came of a survey; numbers only where it is one number."""

    kind: str
    lines: Lines
    warnings: list[str]
    value: float | None = None
    low: float | None = None
    high: float | None = None
    model_low: float | None = None
    model_high: float | None = None
    causes: list[Cause] = field(default_factory=list)
    confidence: float | None = None
    """Of the intervals."""


class SurveySeen(Document, frozen=True):
    """A survey round by round."""

    survey: Digest
    state: Annotated[str, Meta(pattern="^(early|open|done|abandoned)$")]
    problem: str
    estimates: str
    method: str
    purpose: str
    collector: str
    epsilon: float
    users: Count
    enrolled: Count
    minimum: Count
    opens: Moment
    closes: Moment
    columns: list[str]
    access: str
    enrolment: str
    device: Digest
    plan: PlanSeen
    rounds: list[RoundSeen]
    refused: list[RefusedSeen]
    answer: AnswerSeen | None
    abandoned: str
    finish_with: str | None
    """The release that finishes it, where this one cannot; as it calls itself."""
