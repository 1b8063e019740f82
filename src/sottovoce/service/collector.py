"""A collector: surveys in a store, their rounds, and who may do what. No HTTP here, and no clock of its own.

Everything that is decided is a pure function of the manifest and the tallies; everything that is remembered is in the
store, so that workers meet there and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sottovoce.messages import InvalidInput, Invitation, Manifest, Question
from sottovoce.problems import Announced, cannot_be_asked, other_edition
from sottovoce.service import access
from sottovoce.service.documents import MAX_INVITATIONS, MAX_REASON, Enrolled, Progress
from sottovoce.service.errors import Refused
from sottovoce.service.pages import device_digest
from sottovoce.service.round_closing import added_up, settle
from sottovoce.service.slots import MAX_SEATS, dealt_ahead, dealt_on_arrival
from sottovoce.service.store import Exists, Full, Moved, NotInvited, Opening, Outcome, RoundRow, Store, SurveyRow
from sottovoce.service.survey import Survey
from sottovoce.service.survey_views import estimate, progress, transcript

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
        self._held: dict[str, Survey] = {}
        self._in_vain: dict[str, tuple[int, int]] = {}
        """Of surveys: the round and how many had answered when it could not be closed."""

    def create(self, manifest: Manifest, *, origins: tuple[str, ...] = ()) -> str:
        """Announce a survey and open its first round; returns the survey's token, which is shown this once."""
        survey = Announced(manifest)
        survey.check_edition()
        survey.check()
        if manifest.users > MAX_SEATS:
            raise InvalidInput(f"a collector deals at most {MAX_SEATS:,} slots; the survey has {manifest.users:,}")
        now, token = int(self.clock()), access.new_token()
        if manifest.closes <= now:
            raise InvalidInput("the survey would be over before it began: closes lies in the past")
        first = survey.decide(())
        assert isinstance(first, Question)
        if (short := cannot_be_asked(survey, first, now=now)) is not None:
            raise InvalidInput(f"{short}:", fix="lower the minimum, or plan for more users")
        for origin in origins:
            access.check_origin(origin)
        row = SurveyRow(
            id=manifest.digest,
            manifest=manifest.to_bytes(),
            secret=access.new_secret(),
            token=access.hashed(token),
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

    def survey(self, survey: str, *, fresh: bool = False) -> Survey:
        """A survey as it stood at most `FRESH_SECONDS` ago."""
        now, held = self.clock(), self._held.get(survey)
        if held is not None and not fresh and 0 <= now - held.read < FRESH_SECONDS:
            return held
        try:
            found = self._held[survey] = Survey.of(self.store, survey, clock=self.clock, before=held)
        except Refused:
            self._held.pop(survey, None)
            raise
        return found

    def known(self, survey: str) -> Survey | None:
        """A survey as it was last read, however long ago: never waits for the store, which has the last word anyway."""
        return self._held.get(survey)

    def invite(self, survey: str, *, count: int, base: str) -> list[str]:
        """So many URLs, each for one device, shown this once."""
        held = self.survey(survey)
        if held.manifest.access == "open":
            do = f"share {_invitation(base, survey).url}"
            raise held.refusal(409, "open", "anybody may answer this survey: one invitation is for all", do=do)
        if not 1 <= count <= MAX_INVITATIONS:
            expected = f"1 to {MAX_INVITATIONS:,} at a time"
            raise held.refusal(400, "malformed", "count: how many invitations", expected=expected, got=str(count))
        if not held.running:
            held.refuse_over()
        tokens = [access.new_token() for _ in range(count)]
        urls = [_invitation(base, survey, token).url for token in tokens]
        self.store.invite(survey, [access.hashed(token) for token in tokens])
        return urls

    def enrol(
        self, survey: str, token: str, *, visit: str | None = None, charge: Callable[[], None] = lambda: None
    ) -> Enrolled:
        """A slot for the holder of a token: the same one however often it is asked for.

        With the number of a `visit`, it is said whether that one took it: a device whose first reply got lost knows it.
        `charge` is called before a new slot is given, never for one that was given before; what it raises prevents it.
        """
        now, held = self.clock(), self.survey(survey)
        manifest, slots = held.manifest, held.question.slots
        ahead = manifest.enrolment == "ahead"
        if not held.running or now >= manifest.closes:
            held.refuse_over()
        if not held.announced.edition_held:
            held.refuse_edition()
        if not ahead and held.state(now) == "early":
            held.refuse_early(now)

        if ahead:
            order = dealt_ahead(manifest.rules)
        elif held.last.seed is not None:
            order = dealt_on_arrival(slots, held.last.seed)
        else:  # the last round has closed while this was read
            held.refuse_over()

        def seat(number: int) -> int | None:
            if number >= len(order):
                return None
            charge()
            return int(order[number])

        try:
            found = self.store.enrol(
                survey,
                access.hashed(token),
                open_access=manifest.access == "open",
                seat=seat,
                number=None if ahead else held.last.number,
                visit=None if visit is None else access.hashed(visit),
            )
        except NotInvited:
            if not (now_held := self.survey(survey, fresh=True)).running:  # its end forgot every token
                now_held.refuse_over()
            message = "this token was not given out for this survey"
            raise held.refusal(401, "unauthorised", message, do="use the invitation's URL") from None
        except Full:
            if not ahead and slots.first + slots.count < manifest.users:
                do, wait = "come back when the next one opens", FULL_WAIT
                raise held.refusal(425, "early", "the open round is full", do=do, retry_after=wait) from None
            raise held.refusal(409, "full", f"all {manifest.users:,} slots are taken", do="nothing") from None
        except Moved:  # another worker has closed the round meanwhile
            self._held.pop(survey, None)
            return self.enrol(survey, token, visit=visit, charge=charge)
        if found.slot is None:
            raise held.refusal(409, "closed", "the round of this token's slot has closed", do="nothing: it has passed")
        capability = access.capability(held.row.secret, found.slot)
        return Enrolled(survey=survey, slot=found.slot, capability=capability, before=found.before, yours=found.yours)

    def progress(self, survey: str) -> Progress:
        """Where a survey stands."""
        return progress(self.survey(survey), now=self.clock())

    def estimate(self, survey: str) -> str:
        """The answer as JSON, once there is one."""
        return estimate(self.survey(survey), now=self.clock())

    def transcript(self, survey: str) -> bytes:
        """What was asked and what came of it."""
        return transcript(self.survey(survey), now=self.clock())

    def question(self, survey: str, number: int, role: str) -> tuple[bytes, str]:
        """The bytes of a question, the same for everybody, and their digest."""
        now, held = self.clock(), self.survey(survey)
        if held.state(now) == "early":
            held.refuse_early(now)
        for row in held.rounds:
            if (row.number, row.role) == (number, role):
                return row.question, row.digest
        raise held.refusal(404, "not-found", f"round {number} has not been asked in this role")

    def close(
        self, survey: str, number: int, *, because: str = "hand", by: str = COLLECTOR, reason: str = ""
    ) -> RoundRow:
        """Close a round: one transaction, one result, however many try. A round that is closed stays as it is.

        A `reason` is published beside who closed it.
        """
        by = _with_reason(by, reason)
        now, held = self.clock(), self.survey(survey, fresh=True)
        if not 0 <= number < len(held.rounds):
            expected = f"0 to {held.last.number}"
            raise held.refusal(404, "not-found", "there is no such round yet", expected=expected, got=str(number))
        if number == held.last.number and held.due(now) == "deadline":
            because = "deadline"  # whoever closes it: a quota, or a hand, came too late
        if not held.announced.edition_held:
            held.refuse_edition()
        if held.state(now) == "early":
            held.refuse_early(now)
        before = held.rounds[:number]

        def decided(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            outcome = settle(held.announced, before, row, reports, because=because, now=now)
            return replace(outcome, seed=_seed(held.manifest))

        closed = self.store.close(
            survey,
            number,
            because=because,
            by=by,
            now=max(int(now), held.rounds[number].opened),  # also where a clock was set back
            settle=decided,
        )
        self._held.pop(survey, None)
        self._in_vain.pop(survey, None)
        return closed

    def tick(self) -> list[RoundRow]:
        """Close what is due and delete what is no longer kept; any worker may, any number of times."""
        now, closed, failed = self.clock(), [], []
        running = self.store.running()
        for survey in {survey for survey, held in list(self._held.items()) if held.running} - set(running):
            self._held.pop(survey, None)  # another worker has ended it
        for survey in running:
            try:
                row = self._close_if_due(survey, now)
            except Exception as error:  # one survey holds up none of the others
                failed.append(error)
            else:
                closed += [] if row is None else [row]
        self.store.expire(now=int(now))
        if failed:
            raise failed[0]
        return closed

    def _close_if_due(self, survey: str, now: float) -> RoundRow | None:
        held = self.survey(survey, fresh=True)
        if not held.announced.edition_held:
            return self._given_up(held, now)
        because = held.due(now)
        if because is None or (because == "quota" and self._is_vain(held)):
            return None
        try:
            return self.close(survey, held.last.number, because=because)
        except Refused:  # a group is silent: the round goes on until more have answered, or its deadline
            self._in_vain[survey] = held.last.number, held.answered
            return None

    def _given_up(self, held: Survey, now: float) -> RoundRow | None:
        """Of a survey that another release must finish: nothing is lost as long as its reports may be kept."""
        manifest = held.manifest
        if now < manifest.closes + 86_400 * manifest.retention_days or held.last.closed is not None:
            return None

        def decided(row: RoundRow, reports: Iterable[tuple[int, bytes]]) -> Outcome:
            tally, answered = added_up(Question.from_bytes(row.question), reports)
            return Outcome(tally=tally.to_bytes(), answered=answered, abandoned=other_edition(held.announced).to_text())

        self._held.pop(held.row.id, None)
        return self.store.close(
            held.row.id, held.last.number, because="deadline", by=COLLECTOR, now=manifest.closes, settle=decided
        )

    def stalled(self) -> list[Survey]:
        """Surveys that another release must finish."""
        held = [self.survey(name) for name in self.store.running()]
        return [one for one in held if not one.announced.edition_held]

    def _is_vain(self, held: Survey) -> bool:
        """Whether hardly more have answered than when it could not be decided: to look at many reports takes long."""
        number, tried = self._in_vain.get(held.row.id, (-1, 0))
        more, everybody = held.answered - tried, held.answered >= held.question.slots.count
        return number == held.last.number and (more <= 0 or (more < tried // IN_VAIN and not everybody))


def _with_reason(by: str, reason: str) -> str:
    given = reason.strip()
    if len(given) > MAX_REASON or not given.isprintable():
        raise InvalidInput(f"reason: at most {MAX_REASON} printable letters, on one line")
    return f"{by}: {given}" if given else by


def _invitation(base: str, survey: str, token: str = "") -> Invitation:
    """With the digest of the device that this collector's page loads: whoever is invited can see whether it changed."""
    return Invitation(base=base, survey=survey, token=token, more=(("device", device_digest()),))


def _seed(manifest: Manifest) -> bytes | None:
    """Of a round that opens, where slots are dealt on arrival."""
    return access.new_secret() if manifest.enrolment == "on-arrival" else None
