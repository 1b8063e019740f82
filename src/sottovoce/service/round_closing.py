"""What closing a round comes to: reports to a tally, the tally to the next question, an answer, or the survey's end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from sottovoce.answers import Answer, Collection
from sottovoce.messages import Batch, Fact, InvalidInput, Question, Tally, check
from sottovoce.problems import UNDECIDABLE, Announced, cannot_be_asked, silent_groups, too_few
from sottovoce.service.errors import Refused
from sottovoce.service.store import Outcome, RoundRow

_BLOCK = 2**14
_BYTES = 2**24


def outcome_of_round(
    survey: Announced,
    before: Sequence[RoundRow],
    closing: RoundRow,
    reports: Iterable[tuple[int, bytes]],
    *,
    because: str,
    now: float,
) -> Outcome:
    """Freeze, check, decide. Below the minimum nothing is looked at: by a deadline, that ends the survey.

    Raises
    ------
    Refused
        The round cannot be closed now, and no deadline asks for it: it stays open.
    """
    question = Question.from_bytes(closing.question)
    tally, answered = add_up(question, reports)
    if (why := too_few(survey, question, answered)) is not None:
        return _abandoned_or_refused(why, because, closing, Outcome(tally=b"", answered=answered))
    asked = (*(Question.from_bytes(row.question) for row in before), question)
    tallies = (*(Tally.from_bytes(row.tally) for row in before), tally)
    counted = Outcome(tally=tally.to_bytes(), answered=answered)
    if (why := silent_groups(question, tally)) is not None:
        return _abandoned_or_refused(why, because, closing, counted)
    try:
        step = survey.decide(tallies)
    except InvalidInput:
        return _abandoned_or_refused(UNDECIDABLE, because, closing, counted)
    if isinstance(step, Question):
        if (short := cannot_be_asked(survey, step, now=now)) is not None:
            return replace(counted, abandoned=short.to_text())
        return replace(counted, question=step.to_bytes(), role=step.role, digest=step.digest)
    assert isinstance(step, Answer)
    return replace(counted, answer=replace(step, collection=Collection.of(asked, tallies)).to_json())


def _abandoned_or_refused(why: Fact, because: str, closing: RoundRow, counted: Outcome) -> Outcome:
    if because != "deadline":
        raise Refused(
            status=409,
            code="too-few",
            message=str(why),
            survey=closing.survey,
            round=closing.number,
            do="keep the round open until more have answered, or until its deadline, which then ends the survey",
        )
    return replace(counted, abandoned=why.to_text())


def add_up(question: Question, reports: Iterable[tuple[int, bytes]]) -> tuple[Tally, int]:
    """The tally of stored reports, and how many there are. Each is looked at once more on the way."""
    total, answered = Tally.empty(question), 0
    size = question.payload_bytes
    block = max(1, min(_BLOCK, _BYTES // size))
    rows = iter(reports)
    while some := list(islice(rows, block)):
        slots = np.array([slot for slot, _ in some], dtype=np.int64)
        check(all(len(payload) == size for _, payload in some), f"a stored report has not {size} bytes")
        total += Tally.of(Batch.packed(question, slots, b"".join(payload for _, payload in some)))
        answered += len(some)
    return total, answered
