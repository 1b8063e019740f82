"""What the collector shows to whoever plans or follows a survey, as types; and what is asked of the planner."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from sottovoce.service.messages import Count, Digest, Document, Moment


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
