"""A device on the network, as a program uses it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from sottovoce.client.outbox import Outbox
from sottovoce.client.transport import CollectorLine, CollectorRefusal, Https, Transport, VisitEnded
from sottovoce.client.visit import Outcome, Visit, read_manifest
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Declined, Fact, InvalidInput, Invitation, Manifest

PATIENCE = 60.0
"""Seconds for which a device tries, where nobody says otherwise."""
Observations = Collections | Sequence[Any] | Any
_GIVEN_UP = frozenset({"missed", "over", "refused"})
_entropy = SystemEntropy
Found = TypeVar("Found", Manifest, Outcome)


class Device:
    """Answers surveys about one `source` of data, within the budget of its `ledger`.

    Privacy
    -------
    What is sent is made by `device.respond`, with the operating system's entropy and no other, and stored before it is
    sent; tried again, the stored bytes are sent again, and nothing once the survey has closed by the device's own
    clock. Which requests are made, and whether, does not depend on the observations; a decline is silence.

    A collector sees when requests come. Observations are looked at between question and report only, where the time
    it takes grows with their number. With `spread_seconds` the report goes at a moment between half of it and all of it
    after the question came, drawn at random before anything is looked at: take more than twice what reading and
    computing take, else what they take beyond half of it shows. 0, the default, sends at once and hides nothing of it;
    it is for programs that choose the moment themselves. A survey that closes within `spread_seconds` is not answered.

    Accuracy
    --------
    None promised here: the survey that asked knows what the tally is worth.
    """

    def __init__(
        self,
        *,
        ledger: Ledger,
        source: str,
        spread_seconds: float = 0.0,
        transport: Transport | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not 0 <= spread_seconds < float("inf"):
            raise InvalidInput(rule="spread_seconds: 0 or more", got=spread_seconds)
        self.ledger = ledger
        self.source = source
        self.outbox = Outbox(ledger)
        self._spread = spread_seconds
        self._transport = transport or Https()
        self._clock = clock
        self._sleep = sleep
        self._manifests: dict[str, Manifest] = {}

    def look(self, invitation: str | Invitation, *, patience_seconds: float = PATIENCE) -> Manifest | Outcome:
        """What a survey announces, checked against the invitation: who asks, what for, and at what cost.

        Or, where there is nothing to decide upon, what `answer` would come to: it was answered before (which the ledger
        knows, without the network), the collector cannot be reached, or what it shows is not what the invitation names.
        """
        return self._outcome(self._visit(invitation, (), patience_seconds), self._announced)

    def answer(
        self,
        invitation: str | Invitation,
        observations: Observations | Callable[[], Observations],
        *,
        patience_seconds: float = PATIENCE,
    ) -> Outcome:
        """Answer a survey, or go on with what was begun before; at most one report is ever made for it.

        `observations` are one user's: numbers, or rows of them; categories by their numbers. Whatever they are, there
        is an answer. They may be a function that gives them, if reading them takes time that nobody should see: it is
        called once, after the question has come, or not at all, and must not fail. With state ``waiting`` the same call
        goes on later, also after a restart.
        """
        if isinstance(observations, Collections) and observations.users != 1:
            raise InvalidInput(
                rule="a device answers for one user", wrong=f"got the collections of {observations.users}"
            )
        visit = self._visit(invitation, observations, patience_seconds)
        outcome = self._outcome(visit, self._answered)
        if outcome.state in _GIVEN_UP:
            with suppress(Declined):  # a ledger that is busy forgets another time
                self.outbox.given_up(visit.invitation.survey, over=outcome.state == "over")
        return outcome

    def _visit(self, invitation: str | Invitation, observations: Any, patience_seconds: float) -> Visit:
        invited = invitation if isinstance(invitation, Invitation) else Invitation.read(invitation)

        def answers(question: bytes, **more: Any) -> bytes:
            own = observations() if callable(observations) else observations
            collection = own if isinstance(own, Collections) else Collections.of_one(own)
            return respond(question, collection, source=self.source, ledger=self.ledger, entropy=_entropy(), **more)

        if not 0 <= patience_seconds < float("inf"):
            raise InvalidInput(rule="patience_seconds: 0 or more", got=patience_seconds)
        line = CollectorLine(
            base=invited.base,
            transport=self._transport,
            clock=self._clock,
            sleep=self._sleep,
            end=self._clock() + patience_seconds,
        )
        return Visit(invitation=invited, line=line, outbox=self.outbox, respond=answers, spread_seconds=self._spread)

    def _outcome(self, visit: Visit, step: Callable[[Visit], Found]) -> Found | Outcome:
        try:
            visit.stored = self.outbox.of(visit.invitation.survey)
            if visit.stored is not None and visit.stored.acknowledged is not None:
                return visit.outcome("answered", "before", Fact("outcome-before"))
            return step(visit)
        except Declined as declined:
            return visit.outcome("declined", declined.code, Fact("outcome-error", message=declined.detail))
        except VisitEnded as ended:
            return visit.outcome(ended.state, ended.code, ended.why, again_at=ended.again_at)
        except CollectorRefusal as refusal:
            state = "over" if refusal.status == 410 else "refused"
            return visit.outcome(state, refusal.code, refusal.why)

    def _answered(self, visit: Visit) -> Outcome:
        """From wherever an earlier visit ended."""
        before = visit.stored
        if before is not None and before.address == visit.invitation.base and before.capability:
            return visit.send(before)
        return visit.answer(self._announced(visit))

    def _announced(self, visit: Visit) -> Manifest:
        survey = visit.invitation.survey
        if survey not in self._manifests:  # its name is its digest: it cannot change
            self._manifests[survey] = read_manifest(visit.line, survey)
        return self._manifests[survey]

    def __repr__(self) -> str:
        return f"<Device: {self.ledger!r}>"
