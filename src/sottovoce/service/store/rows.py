"""Surveys, rounds and seats as both databases give them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sottovoce.service.store.base import RoundRow, Seat, SurveyRow

SURVEY = """
SELECT id, manifest, secret, token, retention_days, origins, state, answer, abandoned, created, ended, scrubbed,
       (SELECT sum(number) FROM enrolment WHERE enrolment.survey = survey.id) FROM survey"""
ROUND = """
SELECT survey, number, role, key, question, digest, opened, closed, because, "by", answered, tally, seed FROM round"""
SEAT = "SELECT slot, visit FROM seat WHERE survey = ? AND token = ?"


def survey_of(row: Sequence[Any]) -> SurveyRow:
    """What `SURVEY` selects."""
    id, manifest, secret, token, days, origins, state, answer, abandoned, created, ended, scrubbed, enrolled = row
    return SurveyRow(
        id=id,
        manifest=bytes(manifest),
        secret=bytes(secret),
        token=bytes(token),
        retention_days=days,
        origins=tuple(json.loads(origins)),
        state=state,
        answer=answer,
        abandoned=abandoned,
        created=created,
        ended=ended,
        enrolled=int(enrolled or 0),
        scrubbed=scrubbed,
    )


def round_of(row: Sequence[Any]) -> RoundRow:
    """What `ROUND` selects."""
    survey, number, role, key, question, digest, opened, closed, because, by, answered, tally, seed = row
    return RoundRow(
        survey=survey,
        number=number,
        role=role,
        key=key,
        question=bytes(question),
        digest=digest,
        opened=opened,
        closed=closed,
        because=because,
        by=by,
        answered=answered,
        tally=bytes(tally),
        seed=None if seed is None else bytes(seed),
    )


def seat_of(row: Sequence[Any] | None, visit: bytes | None) -> Seat | None:
    """What `SEAT` selects, if it is taken, for whoever shows `visit` now."""
    if row is None:
        return None
    slot, kept = row
    return Seat(slot=slot, before=True, yours=visit is not None and kept is not None and bytes(kept) == visit)
