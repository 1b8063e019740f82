"""Surveys and rounds as both databases give them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sottovoce.service.store.base import RoundRow, SurveyRow

SURVEY = """
SELECT id, manifest, secret, token, retention_days, origins, state, answer, abandoned, created, ended, scrubbed,
       (SELECT sum(number) FROM enrolment WHERE enrolment.survey = survey.id) FROM survey"""
ROUND = """
SELECT survey, number, role, key, question, digest, opened, closed, because, "by", answered, tally, seed FROM round"""


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
