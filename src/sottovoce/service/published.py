"""What everybody may see of a survey: where it stands, its answer, its transcript."""

from __future__ import annotations

from typing import Any

from sottovoce.messages import ClosedRound, Fact, Transcript
from sottovoce.service.messages import Progress, RoundProgress
from sottovoce.service.survey import Survey


def progress(held: Survey, *, now: float) -> Progress:
    """Where a survey stands. Numbers of reports are no secret: who answered is not told."""
    manifest, last, slots = held.manifest, held.last, held.question.slots
    return Progress(
        survey=held.row.id,
        state=held.state(now),
        now=int(now),
        opens=manifest.opens,
        closes=manifest.closes,
        enrolled=held.row.enrolled,
        users=manifest.users,
        minimum=manifest.minimum,
        round=RoundProgress(
            number=last.number,
            role=last.role,
            question=last.digest,
            first=slots.first,
            count=slots.count,
            answered=held.answered,
            opened=last.opened,
            closes=held.deadline,
            closed=last.closed is not None,
        ),
    )


def estimate(held: Survey, *, now: float) -> str:
    """The answer as JSON."""
    if held.row.state == "abandoned":
        raise held.refusal(410, "abandoned", f"the survey ended without an answer: {held.ended}")
    if held.running:
        raise held.refusal(425, "early", "the survey is not over", do="come back later", retry_after=held.wait(now))
    return held.row.answer


def transcript(held: Survey, *, now: float) -> bytes:
    """What was asked and what came of it, for everybody to check."""
    closed = [row for row in held.rounds if row.closed is not None]
    if not closed:
        raise held.refusal(425, "early", "no round has closed yet", do="come back later", retry_after=held.wait(now))
    return Transcript(
        manifest=held.row.manifest.decode(),
        rounds=tuple(
            ClosedRound(
                question=row.question.decode(),
                tally=row.tally.decode(),
                answered=row.answered or 0,
                because=row.because,
                by=row.by,
                closed=row.closed or 0,
            )
            for row in closed
        ),
        answer=held.row.answer,
        **_ended(held.row.abandoned),
    ).to_bytes()


def _ended(kept: str) -> dict[str, Any]:
    """Why a survey ended, as a transcript has it: a fact, or the sentence that an earlier release has kept."""
    ended = Fact.from_text(kept) if kept else None
    if ended is None or ended.code == "as-written":
        return {"abandoned": kept}
    return {"abandoned": "", "ended": ended.to_plain()}
