"""A survey round by round, for whoever follows it: against its plan, what was refused, and what came of it.

Of a round that is open, how many have answered, and nothing else; of a closed one that enough answered, what its
published tally says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from sottovoce.answers import Answer, Estimate, told
from sottovoce.messages import Fact, Manifest, Question, Tally
from sottovoce.problems import read
from sottovoce.service.assets import device_digest
from sottovoce.service.drawing import asked_range, drawn
from sottovoce.service.store import RoundRow
from sottovoce.service.survey import Survey
from sottovoce.service.views import AnswerSeen, Bar, Cause, PlanSeen, RefusedSeen, RoundSeen, SurveySeen

NO_PLAN = PlanSeen(halfwidth=None, lines=[])
_CAUSES = ("sampling", "privacy", "localisation", "clipping")
_Read = tuple[Question, tuple[float | None, float | None], list[Bar] | None, str]


def survey_seen(held: Survey, refused: Mapping[str, int], plan: PlanSeen, *, now: float) -> SurveySeen:
    """Where a survey stands, round by round."""
    manifest = held.manifest
    return SurveySeen(
        survey=held.row.id,
        state=held.state(now),
        problem=manifest.problem,
        estimates=str(held.announced.settings.problem.estimates),
        method=held.announced.settings.method,
        purpose=manifest.purpose,
        collector=manifest.collector,
        epsilon=manifest.epsilon,
        users=manifest.users,
        enrolled=held.row.enrolled,
        minimum=manifest.minimum,
        opens=manifest.opens,
        closes=manifest.closes,
        columns=list(manifest.columns),
        access=manifest.access,
        enrolment=manifest.enrolment,
        device=device_digest(),
        plan=plan,
        rounds=[_round(held, row) for row in held.rounds],
        refused=[_refused(code, refused[code]) for code in sorted(refused)],
        answer=_answer(held.row.answer),
        abandoned="" if held.ended is None else str(held.ended),
        finish_with=None if held.announced.edition_held or not held.running else manifest.software,
    )


def _refused(code: str, count: int) -> RefusedSeen:
    return RefusedSeen(code=code, words=str(Fact("page-refused", code=code)), count=count)


def _round(held: Survey, row: RoundRow) -> RoundSeen:
    manifest = held.manifest
    looked_at = row.closed is not None and (row.answered or 0) >= manifest.minimum
    question, (low, high), bars, words = _read(held.row.manifest, row.question, row.tally if looked_at else b"")
    return RoundSeen(
        number=row.number,
        role=row.role,
        question=row.digest,
        first=question.slots.first,
        asked=question.slots.count,
        answered=held.answered if row.answered is None else row.answered,
        quota=manifest.enough(question.slots.count),
        opened=row.opened,
        closes=held.deadline_of(row),
        closed=row.closed,
        because=row.because,
        by=row.by,
        low=low,
        high=high,
        unit_words=str(question.encoder.fact),
        bars=bars,
        bars_words=words,
    )


@lru_cache(maxsize=64)
def _read(manifest: bytes, question: bytes, tally: bytes) -> _Read:
    """Parsed and drawn once for each round: it never changes after that."""
    announced, asked = Manifest.from_bytes(manifest), Question.from_bytes(question)
    found, ends = drawn(asked, Tally.from_bytes(tally), announced) if tally else None, asked_range(asked, announced)
    if found is None:
        return asked, ends, None, ""
    bars = [
        Bar(low=mark.ends[0], high=mark.ends[1], label=str(mark.name), share=mark.value or 0.0, error=mark.error or 0.0)
        for mark in found.marks
    ]
    return asked, ends, bars, str(found.title)


@lru_cache(maxsize=64)
def _answer(text: str) -> AnswerSeen | None:
    found = read(text) if text else None
    if not isinstance(found, Answer):
        return None
    lines = [list(line) for line in told(found.lines())]
    if not isinstance(found, Estimate):
        return AnswerSeen(kind=found.kind, lines=lines, warnings=list(found.warnings))
    model = found.model_interval or (None, None)
    errors = [Cause(name=name, value=getattr(found.standard_error, name)) for name in _CAUSES]
    return AnswerSeen(
        kind=found.kind,
        lines=lines,
        warnings=list(found.warnings),
        value=found.value,
        low=found.interval[0],
        high=found.interval[1],
        model_low=model[0],
        model_high=model[1],
        causes=[cause for cause in errors if cause.value],
        confidence=found.confidence,
    )
