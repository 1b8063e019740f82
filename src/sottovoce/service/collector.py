"""A collector: surveys in a store, their rounds, and who may do what. No HTTP here, and no clock of its own.

Everything that is decided is a pure function of the manifest and the tallies; everything that is remembered is in the
store, so that workers meet there and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from sottovoce.service.messages import Enrolled, Progress, RoundProgress
from sottovoce.service.store import Full, NotInvited, RoundRow, Store, SurveyRow

from sottovoce.messages import ClosedRound, InvalidInput, Invitation, Malformed, Manifest, Question, Transcript
from sottovoce.problems import Announced
from sottovoce.service import access
from sottovoce.service.errors import Refused
from sottovoce.service.seating import MAX_SEATS, dealt_ahead
from sottovoce.service.settling import settle

Clock = Callable[[], float]
FRESH_SECONDS = 1.0
"""How long a worker relies on what it last read of a survey; what another worker closed shows after that."""
COLLECTOR = "the collector"
MAX_INVITATIONS = 10_000


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A survey as it stands: what was announced, and the round that is open, or was last."""

    row: SurveyRow
    announced: Announced
    rounds: tuple[RoundRow, ...]
    question: Question
    """Of the last round."""
    answered: int
    """In the last round, when this was read."""
    read: float

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
    def deadline(self) -> int:
        """When the last round closes at the latest."""
        own = self.manifest.round_seconds
        return self.manifest.closes if own is None else min(self.manifest.closes, self.last.opened + own)

    @property
    def quota(self) -> int:
        """After so many answers the last round closes."""
        return max(self.manifest.minimum, math.ceil(self.manifest.quota * self.question.slots.count))


class Collector:
    """All surveys of one store. Safe to call from several threads; `clock` gives seconds since 1970."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self._held: dict[str, Survey] = {}

    # ---- surveys ----------------------------------------------------------------------------------------------------

    def create(self, manifest: Manifest, *, origins: tuple[str, ...] = ()) -> str:
        """Announce a survey and open its first round; returns the survey's token, which is shown this once."""
        survey = Announced(manifest)
        survey.check()
        if manifest.users > MAX_SEATS:
            raise InvalidInput(f"a collector deals at most {MAX_SEATS:,} slots; the survey has {manifest.users:,}")
        now, token = int(self.clock()), access.new_token()
        if manifest.closes <= now:
            raise InvalidInput("the survey would be over before it began: closes lies in the past")
        if self.store.survey(manifest.digest) is not None:
            raise Refused(status=409, code="exists", message="this very survey is there", survey=manifest.digest)
        first = survey.decide(())
        assert isinstance(first, Question)
        row = SurveyRow(
            id=manifest.digest,
            manifest=manifest.to_bytes(),
            secret=access.new_secret(),
            token=access.hashed(token),
            origins=origins,
            created=now,
        )
        self.store.create(
            row, question=first.to_bytes(), role=first.role, digest=first.digest, now=max(now, manifest.opens)
        )
        return token

    def surveys(self) -> list[Survey]:
        """All of them."""
        return [self.survey(row.id) for row in self.store.surveys()]

    def survey(self, survey: str, *, fresh: bool = False) -> Survey:
        """A survey as it stood at most `FRESH_SECONDS` ago."""
        held = self._held.get(survey)
        if held is not None and not fresh and 0 <= self.clock() - held.read < FRESH_SECONDS:
            return held
        row = self.store.survey(survey)
        if row is None:
            self._held.pop(survey, None)
            raise Refused(status=404, code="not-found", message="there is no such survey here", survey=survey[:64])
        rounds = tuple(self.store.rounds(survey))
        last = rounds[-1]
        answered = self.store.count(last.key) if last.answered is None else last.answered
        found = Survey(
            row=row,
            announced=_announced(row.manifest),
            rounds=rounds,
            question=_question(last.question),
            answered=answered,
            read=self.clock(),
        )
        self._held[survey] = found
        return found

    # ---- people -----------------------------------------------------------------------------------------------------

    def invite(self, survey: str, *, count: int, base: str) -> list[str]:
        """So many URLs, each for one device, shown this once."""
        held = self.survey(survey)
        if held.manifest.access == "open":
            self._refuse(
                held, 409, "open", "anybody may answer this survey: its invitation is one for all", do="share it"
            )
        if not 1 <= count <= MAX_INVITATIONS:
            self._refuse(held, 400, "malformed", f"count: 1 to {MAX_INVITATIONS:,} at a time", got=str(count))
        if not held.running:
            self._over(held)
        tokens = [access.new_token() for _ in range(count)]
        self.store.invite(survey, [access.hashed(token) for token in tokens])
        return [Invitation(base=base, survey=survey, token=token).url for token in tokens]

    def enrol(self, survey: str, token: str) -> Enrolled:
        """A slot for the holder of a token: the same one however often it is asked for."""
        held = self.survey(survey)
        if not held.running:
            self._over(held)
        ahead = held.manifest.enrolment == "ahead"
        if not ahead and held.state(self.clock()) == "early":
            self._early(held)

        def seat(number: int) -> int | None:
            if ahead:
                return int(dealt_ahead(held.manifest.rules)[number]) if number < held.manifest.users else None
            slots = held.question.slots
            return slots.first + number if number < slots.count else None

        try:
            found = self.store.enrol(
                survey, access.hashed(token), open_access=held.manifest.access == "open", ahead=ahead, seat=seat
            )
        except NotInvited:
            self._refuse(
                held, 401, "unauthorised", "this token was not given out for this survey", do="use the invitation's URL"
            )
        except Full:
            slots = held.question.slots
            if not ahead and slots.first + slots.count < held.manifest.users:
                self._refuse(
                    held, 425, "early", "the open round is full", do="come back when the next one opens", retry_after=60
                )
            self._refuse(held, 409, "full", f"all {held.manifest.users:,} slots are taken", do="nothing: thank you")
        return Enrolled(
            survey=survey,
            slot=found.slot,
            capability=access.capability(held.row.secret, found.slot),
            before=found.before,
        )

    # ---- what everybody may see ---------------------------------------------------------------------------------------

    def progress(self, survey: str) -> Progress:
        """Where a survey stands."""
        now, held = self.clock(), self.survey(survey)
        last, slots = held.last, held.question.slots
        return Progress(
            survey=survey,
            state=held.state(now),
            now=int(now),
            opens=held.manifest.opens,
            closes=held.manifest.closes,
            enrolled=held.row.enrolled,
            users=held.manifest.users,
            minimum=held.manifest.minimum,
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

    def question(self, survey: str, number: int, role: str) -> tuple[bytes, str]:
        """The bytes of a question, the same for everybody, and their digest."""
        held = self.survey(survey)
        for row in held.rounds:
            if (row.number, row.role) == (number, role):
                if held.state(self.clock()) == "early":
                    self._early(held)
                return row.question, row.digest
        self._refuse(held, 404, "not-found", f"round {number} has not been asked in the role {role[:40]!r}")

    def estimate(self, survey: str) -> str:
        """The answer as JSON."""
        held = self.survey(survey)
        if held.row.state == "abandoned":
            self._refuse(held, 410, "abandoned", f"the survey ended without an answer: {held.row.abandoned}")
        if held.running:
            self._refuse(
                held, 425, "early", "the survey is not over", do="come back later", retry_after=self._left(held)
            )
        return held.row.answer

    def transcript(self, survey: str) -> bytes:
        """What was asked and what came of it, for everybody to check."""
        held = self.survey(survey)
        closed = [row for row in held.rounds if row.closed is not None]
        if not closed:
            self._refuse(
                held, 425, "early", "no round has closed yet", do="come back later", retry_after=self._left(held)
            )
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
            abandoned=held.row.abandoned,
        ).to_bytes()

    # ---- closing ------------------------------------------------------------------------------------------------------

    def close(self, survey: str, number: int, *, because: str = "hand", by: str = COLLECTOR) -> RoundRow:
        """Close a round: one transaction, one result, however many try. A round that is closed stays as it is."""
        held = self.survey(survey, fresh=True)
        if not 0 <= number < len(held.rounds):
            self._refuse(held, 404, "not-found", f"there is no round {number} yet", expected=f"0 to {held.last.number}")
        if held.state(self.clock()) == "early":
            self._early(held)
        before = held.rounds[:number]
        closed = self.store.close(
            survey,
            number,
            because=because,
            by=by,
            now=int(self.clock()),
            settle=lambda row, reports: settle(held.announced, before, row, reports, because),
        )
        self._held.pop(survey, None)
        return closed

    def tick(self) -> list[RoundRow]:
        """Close what is due, at a quota or a deadline, and delete what is no longer kept. Any worker, any number of times."""
        now, closed = self.clock(), []
        for row in self.store.surveys():
            if row.state != "running":
                continue
            held = self.survey(row.id, fresh=True)
            if held.last.closed is not None or held.state(now) == "early":
                continue
            because = "deadline" if now >= held.deadline else "quota" if held.answered >= held.quota else None
            if because is None:
                continue
            try:
                closed.append(self.close(row.id, held.last.number, because=because))
            except Refused:  # a group is silent: the round goes on until its deadline
                continue
        self.store.expire(int(now))
        return closed

    # ---- refusals -----------------------------------------------------------------------------------------------------

    def _refuse(self, held: Survey, status: int, code: str, message: str, **more: object) -> NoReturn:
        raise Refused(status=status, code=code, message=message, survey=held.row.id, round=held.last.number, **more)  # type: ignore[arg-type]

    def _left(self, held: Survey) -> int:
        return max(1, min(3600, held.deadline - int(self.clock())))

    def _early(self, held: Survey) -> NoReturn:
        wait = max(1, math.ceil(held.manifest.opens - self.clock()))
        self._refuse(
            held, 425, "early", "the survey has not opened", expected=f"from {held.manifest.opens} on", retry_after=wait
        )

    def _over(self, held: Survey) -> NoReturn:
        self._refuse(held, 410, "expired", "the survey is over", do="nothing: it takes no more answers")


@lru_cache(maxsize=64)
def _announced(manifest: bytes) -> Announced:
    return Announced(Manifest.from_bytes(manifest))


@lru_cache(maxsize=256)
def _question(data: bytes) -> Question:
    return Question.from_bytes(data)


__all__ = ["Collector", "Malformed", "Survey"]
