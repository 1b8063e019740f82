"""A collector: surveys in a store, their rounds, and who may do what. No HTTP here, and no clock of its own.

Everything that is decided is a pure function of the manifest and the tallies; everything that is remembered is in the
store, so that workers meet there and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NoReturn

from sottovoce.messages import ClosedRound, InvalidInput, Invitation, Manifest, Question, Transcript
from sottovoce.problems import Announced, cannot_be_asked, other_edition
from sottovoce.service.access import capability, check_origin, new_secret, new_token, token_hash
from sottovoce.service.documents import MAX_INVITATIONS, MAX_REASON, Enrolled, Progress, RoundProgress
from sottovoce.service.errors import Refused
from sottovoce.service.pages import device_digest
from sottovoce.service.round_closing import add_up, outcome_of_round
from sottovoce.service.slots import MAX_SEATS, order_ahead, order_on_arrival
from sottovoce.service.store import Exists, Full, Moved, NotInvited, Opening, Outcome, RoundRow, Store, SurveyRow
from sottovoce.service.survey import Survey

Clock = Callable[[], float]
FRESH_SECONDS = 1.0
"""How long a worker relies on what it last read of a survey; what another worker closed shows after that."""
COLLECTOR = "the collector"
FULL_WAIT = 60
IN_VAIN = 100
"""A quota that could not be decided is tried again when this part more have answered: a hundredth."""


class Collector:
    """All surveys of one store. Safe to call from several threads; `clock` gives seconds since 1970."""

    def __init__(self, store: Store, *, clock: Clock) -> None:
        self.store, self.clock = store, clock
        self._surveys: dict[str, Survey] = {}
        """As they were last read."""
        self._in_vain: dict[str, tuple[int, int]] = {}
        """Of surveys: the round and how many had answered when it could not be closed."""

    def create(self, manifest: Manifest, *, origins: tuple[str, ...] = ()) -> str:
        """Announce a survey and open its first round; returns the survey's token, which is shown this once."""
        announced = Announced(manifest)
        announced.check_edition()
        announced.check()
        if manifest.users > MAX_SEATS:
            raise InvalidInput(f"a collector deals at most {MAX_SEATS:,} slots; the survey has {manifest.users:,}")
        now, token = int(self.clock()), new_token()
        if manifest.closes <= now:
            raise InvalidInput("the survey would be over before it began: closes lies in the past")
        first = announced.decide(())
        assert isinstance(first, Question)
        if (short := cannot_be_asked(announced, first, now=now)) is not None:
            raise InvalidInput(f"{short}:", fix="lower the minimum, or plan for more users")
        for origin in origins:
            check_origin(origin)
        row = SurveyRow(
            id=manifest.digest,
            manifest=manifest.to_bytes(),
            secret=new_secret(),
            token=token_hash(token),
            retention_days=manifest.retention_days,
            origins=origins,
            created=now,
        )
        opening = Opening(question=first.to_bytes(), role=first.role, digest=first.digest, seed=_seed(manifest))
        try:
            self.store.create(row, opening, now=max(now, manifest.opens))
        except Exists:
            message = "this very survey is here already"
            raise Refused(status=409, code="exists", message=message, survey=manifest.digest) from None
        return token

    def surveys(self) -> list[Survey]:
        """All of them."""
        return [self.survey(row.id) for row in self.store.surveys()]

    def survey(self, id: str, *, fresh: bool = False) -> Survey:
        """A survey as it stood at most `FRESH_SECONDS` ago."""
        now, before = self.clock(), self._surveys.get(id)
        if before is not None and not fresh and 0 <= now - before.read < FRESH_SECONDS:
            return before
        try:
            survey = self._surveys[id] = Survey.of(self.store, id, clock=self.clock, before=before)
        except Refused:
            self._surveys.pop(id, None)
            raise
        return survey

    def known(self, id: str) -> Survey | None:
        """A survey as it was last read, however long ago: never waits for the store, which has the last word anyway."""
        return self._surveys.get(id)

    def invite(self, id: str, *, count: int, base: str) -> list[str]:
        """So many URLs, each for one device, shown this once."""
        survey = self.survey(id)
        if survey.manifest.access == "open":
            do = f"share {_invitation(base, id).url}"
            raise survey.refusal(409, "open", "anybody may answer this survey: one invitation is for all", do=do)
        if not 1 <= count <= MAX_INVITATIONS:
            expected = f"1 to {MAX_INVITATIONS:,} at a time"
            raise survey.refusal(400, "malformed", "count: how many invitations", expected=expected, got=str(count))
        if not survey.running:
            survey.refuse_over()
        tokens = [new_token() for _ in range(count)]
        urls = [_invitation(base, id, token).url for token in tokens]
        self.store.invite(id, [token_hash(token) for token in tokens])
        return urls

    def enrol(
        self, id: str, token: str, *, visit: str | None = None, charge: Callable[[], None] = lambda: None
    ) -> Enrolled:
        """A slot for the holder of a token: the same one however often it is asked for.

        With the number of a `visit`, it is said whether that one took it: a device whose first reply got lost knows it.
        `charge` is called before a new slot is given, never for one that was given before; what it raises prevents it.
        """
        now, survey = self.clock(), self.survey(id)
        manifest, slots = survey.manifest, survey.question.slots
        ahead = manifest.enrolment == "ahead"
        if not survey.running or now >= manifest.closes:
            survey.refuse_over()
        if not survey.announced.edition_held:
            survey.refuse_edition()
        if not ahead and survey.state(now) == "early":
            survey.refuse_early(now)

        if ahead:
            order = order_ahead(manifest.rules)
        elif survey.last.seed is not None:
            order = order_on_arrival(slots, survey.last.seed)
        else:  # the last round has closed while this was read
            survey.refuse_over()

        def slot_of(number: int) -> int | None:
            if number >= len(order):
                return None
            charge()
            return int(order[number])

        try:
            seat = self.store.enrol(
                id,
                token_hash(token),
                open_access=manifest.access == "open",
                seat=slot_of,
                number=None if ahead else survey.last.number,
                visit=None if visit is None else token_hash(visit),
            )
        except NotInvited:
            if not (fresh := self.survey(id, fresh=True)).running:  # its end forgot every token
                fresh.refuse_over()
            message = "this token was not given out for this survey"
            raise survey.refusal(401, "unauthorised", message, do="use the invitation's URL") from None
        except Full:
            if not ahead and slots.first + slots.count < manifest.users:
                do, wait = "come back when the next one opens", FULL_WAIT
                raise survey.refusal(425, "early", "the open round is full", do=do, retry_after=wait) from None
            raise survey.refusal(409, "full", f"all {manifest.users:,} slots are taken", do="nothing") from None
        except Moved:  # another worker has closed the round meanwhile
            self._surveys.pop(id, None)
            return self.enrol(id, token, visit=visit, charge=charge)
        slot, passed = seat.slot, "nothing: it has passed"
        if slot is None:
            raise survey.refusal(409, "closed", "the round of this token's slot has closed", do=passed)
        opens = capability(survey.row.secret, slot)
        return Enrolled(survey=id, slot=slot, capability=opens, before=seat.before, yours=seat.yours)

    def progress(self, id: str) -> Progress:
        """Where a survey stands. Numbers of reports are no secret: who answered is not told."""
        now, survey = self.clock(), self.survey(id)
        manifest, last, slots = survey.manifest, survey.last, survey.question.slots
        return Progress(
            survey=id,
            state=survey.state(now),
            now=int(now),
            opens=manifest.opens,
            closes=manifest.closes,
            enrolled=survey.row.enrolled,
            users=manifest.users,
            minimum=manifest.minimum,
            round=RoundProgress(
                number=last.number,
                role=last.role,
                question=last.digest,
                first=slots.first,
                count=slots.count,
                answered=survey.answered,
                opened=last.opened,
                closes=survey.deadline,
                closed=last.closed is not None,
            ),
        )

    def estimate(self, id: str) -> str:
        """The answer as JSON, once there is one."""
        survey = self.survey(id)
        if survey.row.state == "abandoned":
            raise survey.refusal(410, "abandoned", f"the survey ended without an answer: {survey.ended}")
        if survey.running:
            self._refuse_until_later(survey, "the survey is not over")
        return survey.row.answer

    def transcript(self, id: str) -> bytes:
        """What was asked and what came of it, for everybody to check."""
        survey = self.survey(id)
        closed = [row for row in survey.rounds if row.closed is not None]
        if not closed:
            self._refuse_until_later(survey, "no round has closed yet")
        rounds = tuple(
            ClosedRound(
                question=row.question.decode(),
                tally=row.tally.decode(),
                answered=row.answered or 0,
                because=row.because,
                by=row.by,
                closed=row.closed or 0,
            )
            for row in closed
        )
        ended: dict[str, Any] = {"abandoned": survey.row.abandoned}
        if survey.ended is not None and survey.ended.code != "as-written":  # else a sentence of an earlier release
            ended = {"abandoned": "", "ended": survey.ended.to_plain()}
        manifest = survey.row.manifest.decode()
        return Transcript(manifest=manifest, rounds=rounds, answer=survey.row.answer, **ended).to_bytes()

    def _refuse_until_later(self, survey: Survey, message: str) -> NoReturn:
        raise survey.refusal(425, "early", message, do="come back later", retry_after=survey.wait(self.clock()))

    def question(self, id: str, number: int, role: str) -> tuple[bytes, str]:
        """The bytes of a question, the same for everybody, and their digest."""
        now, survey = self.clock(), self.survey(id)
        if survey.state(now) == "early":
            survey.refuse_early(now)
        for row in survey.rounds:
            if (row.number, row.role) == (number, role):
                return row.question, row.digest
        raise survey.refusal(404, "not-found", f"round {number} has not been asked in this role")

    def close(self, id: str, number: int, *, because: str = "hand", by: str = COLLECTOR, reason: str = "") -> RoundRow:
        """Close a round: one transaction, one result, however many try. A round that is closed stays as it is.

        A `reason` is published beside who closed it.
        """
        reason = reason.strip()
        if len(reason) > MAX_REASON or not reason.isprintable():
            raise InvalidInput(f"reason: at most {MAX_REASON} printable letters, on one line")
        now, survey = self.clock(), self.survey(id, fresh=True)
        if not 0 <= number < len(survey.rounds):
            expected = f"0 to {survey.last.number}"
            raise survey.refusal(404, "not-found", "there is no such round yet", expected=expected, got=str(number))
        if number == survey.last.number and survey.due(now) == "deadline":
            because = "deadline"  # whoever closes it: a quota, or a hand, came too late
        if not survey.announced.edition_held:
            survey.refuse_edition()
        if survey.state(now) == "early":
            survey.refuse_early(now)
        before = survey.rounds[:number]

        def settled(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            outcome = outcome_of_round(survey.announced, before, row, reports, because=because, now=now)
            return replace(outcome, seed=_seed(survey.manifest))

        closed = self.store.close(
            id,
            number,
            because=because,
            by=f"{by}: {reason}" if reason else by,
            now=max(int(now), survey.rounds[number].opened),  # also where a clock was set back
            settle=settled,
        )
        self._surveys.pop(id, None)
        self._in_vain.pop(id, None)
        return closed

    def tick(self) -> list[RoundRow]:
        """Close what is due and delete what is no longer kept; any worker may, any number of times."""
        now, closed, failed = self.clock(), [], []
        running = self.store.running()
        for id in {id for id, survey in list(self._surveys.items()) if survey.running} - set(running):
            self._surveys.pop(id, None)  # another worker has ended it
        for id in running:
            try:
                row = self._close_if_due(id, now)
            except Exception as error:  # one survey holds up none of the others
                failed.append(error)
            else:
                closed += [] if row is None else [row]
        self.store.expire(now=int(now))
        if failed:
            raise failed[0]
        return closed

    def _close_if_due(self, id: str, now: float) -> RoundRow | None:
        survey = self.survey(id, fresh=True)
        if not survey.announced.edition_held:
            return self._give_up(survey, now)
        because = survey.due(now)
        if because is None:
            return None
        number, tried = self._in_vain.get(id, (-1, 0))
        if because == "quota" and number == survey.last.number:  # to look at many reports takes long: are there more?
            more, everybody = survey.answered - tried, survey.answered >= survey.question.slots.count
            if more <= 0 or (more < tried // IN_VAIN and not everybody):
                return None
        try:
            return self.close(id, survey.last.number, because=because)
        except Refused:  # a group is silent: the round goes on until more have answered, or its deadline
            self._in_vain[id] = survey.last.number, survey.answered
            return None

    def _give_up(self, survey: Survey, now: float) -> RoundRow | None:
        """End a survey that another release must finish: nothing is lost as long as its reports may be kept."""
        manifest, id = survey.manifest, survey.row.id
        if now < manifest.closes + 86_400 * manifest.retention_days or survey.last.closed is not None:
            return None

        def settled(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            tally, answered = add_up(Question.from_bytes(row.question), reports)
            why = other_edition(survey.announced).to_text()
            return Outcome(tally=tally.to_bytes(), answered=answered, abandoned=why)

        self._surveys.pop(id, None)
        number, closes = survey.last.number, manifest.closes
        return self.store.close(id, number, because="deadline", by=COLLECTOR, now=closes, settle=settled)

    def stalled(self) -> list[Survey]:
        """Surveys that another release must finish."""
        return [survey for survey in map(self.survey, self.store.running()) if not survey.announced.edition_held]


def _invitation(base: str, survey: str, token: str = "") -> Invitation:
    """With the digest of the device that this collector's page loads: whoever is invited can see whether it changed."""
    return Invitation(base=base, survey=survey, token=token, more=(("device", device_digest()),))


def _seed(manifest: Manifest) -> bytes | None:
    """The seed of a round that opens, where slots are dealt on arrival."""
    return new_secret() if manifest.enrolment == "on-arrival" else None
