"""A survey as a worker sees it: what was announced, the rounds so far, and what may be asked of it now."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from sottovoce.messages import Fact, Manifest, Question
from sottovoce.problems import Announced
from sottovoce.service.errors import Refused
from sottovoce.service.store import RoundRow, Store, SurveyRow

SPARING = 20.0
"""Counting takes a twentieth of the time at most."""
LONGEST_WAIT = 3600
"""Seconds: nobody is told to come back later than that."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """What was announced, and the round that is open, or was last."""

    row: SurveyRow
    announced: Announced
    rounds: tuple[RoundRow, ...]
    question: Question
    """Of the last round."""
    answered: int
    """In the last round, when this was read."""
    read: float
    counting: float = 0.0
    """How many seconds it took to count."""
    counted: float = 0.0
    """When."""

    @classmethod
    def of(cls, store: Store, survey: str, *, clock: Callable[[], float], before: Survey | None = None) -> Survey:
        """As it stands in the store. Many answers take long to count: so they are not counted each time."""
        now, row = clock(), store.survey(survey)
        if row is None:
            raise Refused(status=404, code="not-found", message="there is no such survey here", survey=survey[:64])
        rounds = tuple(store.rounds(survey))
        last = rounds[-1]
        answered, counting, counted = last.answered or 0, 0.0, 0.0
        if last.answered is None:
            if before and before.last.key == last.key and 0 <= now - before.counted < SPARING * before.counting:
                answered, counting, counted = before.answered, before.counting, before.counted
            else:
                answered, counted = store.count(last.key), clock()
                counting = max(0.0, counted - now)
        same = before is not None and before.row.manifest == row.manifest
        return cls(
            row=row,
            announced=before.announced if same and before else Announced(Manifest.from_bytes(row.manifest)),
            rounds=rounds,
            question=_question(last.question),
            answered=answered,
            read=now,
            counting=counting,
            counted=counted,
        )

    @property
    def manifest(self) -> Manifest:
        return self.announced.manifest

    @property
    def last(self) -> RoundRow:
        return self.rounds[-1]

    @property
    def running(self) -> bool:
        return self.row.state == "running"

    def state(self, now: float) -> str:
        """``"early"``, ``"open"``, ``"done"`` or ``"abandoned"``."""
        if not self.running:
            return self.row.state
        return "early" if now < self.manifest.opens else "open"

    @property
    def ended(self) -> Fact | None:
        """Why it ended without an answer; None where it did not."""
        return Fact.from_text(self.row.abandoned) if self.row.abandoned else None

    def answered_in(self, row: RoundRow) -> int:
        """How many answered in one of its rounds, open or closed."""
        return self.answered if row.answered is None else row.answered

    @property
    def deadline(self) -> int:
        """When the last round closes at the latest."""
        return self.deadline_of(self.last)

    def deadline_of(self, row: RoundRow) -> int:
        """When a round closes, or would have closed, at the latest."""
        lasts = self.manifest.round_seconds
        return self.manifest.closes if lasts is None else min(self.manifest.closes, row.opened + lasts)

    def due(self, now: float) -> str | None:
        """Why the last round closes now: ``"quota"`` or ``"deadline"``; None while it goes on."""
        if not self.running or self.last.closed is not None or self.state(now) == "early":
            return None
        if now >= self.deadline:  # also where a quota could not be decided upon
            return "deadline"
        return "quota" if self.answered >= self.manifest.enough_answers(self.question.slots.count) else None

    def wait(self, now: float) -> int:
        """Seconds after which it is worth asking again."""
        until = self.manifest.opens if self.state(now) == "early" else self.deadline
        return max(1, min(LONGEST_WAIT, math.ceil(until - now)))

    def refusal(self, status: int, code: str, message: str, **more: Any) -> Refused:
        """A refusal that names the survey and the round; `more` are other fields of it."""
        survey, number = self.row.id, self.last.number
        return Refused(status=status, code=code, message=message, survey=survey, round=number, **more)

    def refuse_early(self, now: float) -> NoReturn:
        """It has not opened."""
        expected = f"from {self.manifest.opens} on, in seconds since 1970"
        message = "the survey has not opened"
        raise self.refusal(425, "early", message, expected=expected, do="come back then", retry_after=self.wait(now))

    def refuse_edition(self) -> NoReturn:
        """Its method has changed since it was announced: what it asks next, only an earlier release knows."""
        release = self.manifest.software or "the release that announced it"
        raise self.refusal(
            409,
            "other-edition",
            "the survey runs by an edition of its method that this release does not hold",
            expected=str(self.manifest.edition),
            do=f"go on with {release}, on this very store: nothing is lost",
        )

    def refuse_over(self) -> NoReturn:
        """It takes no more answers."""
        raise self.refusal(410, "expired", "the survey is over", do="nothing: it takes no more answers")


@lru_cache(maxsize=256)
def _question(data: bytes) -> Question:
    return Question.from_bytes(data)
