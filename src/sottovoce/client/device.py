"""A device on the network, as a program uses it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sottovoce.client.line import Later, Line, Refusal
from sottovoce.client.outbox import Outbox
from sottovoce.client.outcome import Outcome
from sottovoce.client.transport import Https, Transport, Unreachable
from sottovoce.client.visit import Ended, Visit, read_manifest
from sottovoce.device import Collections, Ledger, SystemEntropy, respond
from sottovoce.messages import Declined, InvalidInput, Invitation, Manifest

PATIENCE = 60.0
"""Seconds for which a device tries, where nobody says otherwise."""
_GIVEN_UP = frozenset({"missed", "over", "refused"})
_entropy = SystemEntropy


class Device:
    """Answers surveys about one `source` of data, within the budget of its `ledger`.

    Privacy
    -------
    What is sent is made by `device.respond`, with the operating system's entropy and no other, and stored before it is
    sent; tried again, the stored bytes are sent again. Which requests are made, and whether, does not depend on the
    observations; a decline is silence. A collector may see how long a device takes from question to report, which
    grows with the number of observations. With `spread_seconds` the report goes at a moment between half of it and all
    of it after the question came, drawn at random before anything is computed: take more than twice what computing
    takes. 0, the default, sends at once and hides nothing of it; it is for programs that choose the moment themselves.

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
            raise InvalidInput(f"spread_seconds: 0 or more; got {spread_seconds!r}")
        self.ledger = ledger
        self.source = source
        self.outbox = Outbox(ledger)
        self._spread = spread_seconds
        self._transport = transport or Https()
        self._clock = clock
        self._sleep = sleep
        self._manifests: dict[str, Manifest] = {}

    def manifest(self, invitation: str | Invitation, *, patience_seconds: float = PATIENCE) -> Manifest:
        """What a survey announces, checked against the invitation: who asks, what for, and at what cost.

        Raises
        ------
        Declined
            It is not what the invitation names, or cannot be read.
        Unreachable
            The collector cannot be reached, or is busy.
        """
        invited = _read(invitation)
        try:
            return self._manifest(self._line(invited, patience_seconds), invited.survey)
        except Later as later:
            raise Unreachable(f"{later}; try again later") from None
        except Refusal as refusal:
            raise InvalidInput(f"the collector does not show the survey ({refusal.code}): {refusal}") from None

    def answer(
        self,
        invitation: str | Invitation,
        observations: Collections | Sequence[Any] | Any,
        *,
        patience_seconds: float = PATIENCE,
    ) -> Outcome:
        """Answer a survey, or go on with what was begun before; at most one report is ever made for it.

        `observations` are one user's: numbers, or rows of them; categories by their numbers. Whatever they are, there
        is an answer. With state ``waiting`` the same call goes on later, also after a restart.
        """
        invited = _read(invitation)
        held = observations if isinstance(observations, Collections) else Collections.of_one(observations)
        if held.users != 1:
            raise InvalidInput(f"a device answers for one user; got the collections of {held.users}")
        answers = partial(respond, observations=held, source=self.source, ledger=self.ledger, entropy=_entropy())
        visit = Visit(
            invitation=invited,
            line=self._line(invited, patience_seconds),
            outbox=self.outbox,
            respond=answers,
            spread_seconds=self._spread,
        )
        outcome = self._outcome(visit)
        if outcome.state in _GIVEN_UP:
            with suppress(Declined):  # a ledger that is busy forgets another time
                self.outbox.given_up(invited.survey, over=outcome.state == "over")
        return outcome

    def _outcome(self, visit: Visit) -> Outcome:
        try:
            return self._visited(visit)
        except Declined as declined:
            return visit.told("declined", declined.code, str(declined).partition(": ")[2])
        except Later as later:
            return visit.told("waiting", later.code, str(later), again_at=later.at)
        except Ended as ended:
            return visit.told(ended.state, ended.code, str(ended))
        except Refusal as refusal:
            state = "over" if refusal.status == 410 else "refused"
            return visit.told(state, refusal.code, str(refusal))

    def _visited(self, visit: Visit) -> Outcome:
        """From wherever an earlier visit ended."""
        before = self.outbox.of(visit.invitation.survey)
        if before is not None and before.acknowledged is not None:
            cost, why = float(before.epsilon), "this device has answered the survey before"
            return visit.told("answered", "before", why, epsilon=cost, slot=before.slot)
        if before is not None and before.address == visit.invitation.base and before.capability:
            return visit.send(before)
        return visit.answer(self._manifest(visit.line, visit.invitation.survey))

    def _manifest(self, line: Line, survey: str) -> Manifest:
        if survey not in self._manifests:  # its name is its digest: it cannot change
            self._manifests[survey] = read_manifest(line, survey)
        return self._manifests[survey]

    def _line(self, invited: Invitation, patience_seconds: float) -> Line:
        if not 0 <= patience_seconds < float("inf"):
            raise InvalidInput(f"patience_seconds: 0 or more; got {patience_seconds!r}")
        end = self._clock() + patience_seconds
        return Line(base=invited.base, transport=self._transport, clock=self._clock, sleep=self._sleep, end=end)

    def __repr__(self) -> str:
        return f"<Device: {self.ledger!r}>"


def _read(invitation: str | Invitation) -> Invitation:
    return invitation if isinstance(invitation, Invitation) else Invitation.read(invitation)
