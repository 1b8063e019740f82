"""One visit to a collector: from the manifest to the report. Which requests are made never depends on observations."""

from __future__ import annotations

import itertools
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import quote

from sottovoce.client.outbox import Entry, Outbox
from sottovoce.client.transport import CollectorLine, CollectorRefusal, VisitEnded, read_object
from sottovoce.messages import (
    MAX_MANIFEST_BYTES,
    MAX_QUESTION_BYTES,
    Declined,
    Fact,
    Invitation,
    Malformed,
    Manifest,
    Question,
    digest,
    limits,
)

_CAPABILITY = re.compile(r"[A-Za-z0-9_-]{16,128}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_STATES = ("early", "open", "done", "abandoned")
Value = TypeVar("Value", int, str, bool)


@dataclass(frozen=True, kw_only=True)
class EnrolReply:
    """A slot, and what opens it."""

    slot: int
    capability: str = field(repr=False)
    before: bool

    @classmethod
    def read(cls, body: bytes, manifest: Manifest) -> EnrolReply:
        """From the reply to an enrolment."""
        reply = read_object(body)
        slot, capability = _read_field(reply, "slot", int), _read_field(reply, "capability", str)
        if _read_field(reply, "survey", str) != manifest.digest or not 0 <= slot < manifest.users:
            raise Declined("malformed", "the collector's seat is of another survey, or of a slot that there is not")
        if not _CAPABILITY.fullmatch(capability):
            raise Declined("malformed", "the collector's capability is not of 16 to 128 letters, digits, '-' or '_'")
        return cls(slot=slot, capability=capability, before=_read_field(reply, "before", bool))


@dataclass(frozen=True, kw_only=True)
class RoundReply:
    """A round: who is asked in it, and by which question."""

    number: int
    role: str
    question: str
    first: int
    count: int
    closes: int | None
    """When it closes at the latest, where the collector says something that can be."""
    closed: bool

    @property
    def end(self) -> int:
        """The first slot beyond it."""
        return self.first + self.count


def read_progress(body: bytes, manifest: Manifest) -> tuple[str, RoundReply | None]:
    """How far a survey is, one of `_STATES`, and the open round, or the last one."""
    reply = read_object(body)
    state, inner = _read_field(reply, "state", str), reply.get("round")
    if state not in _STATES:
        raise Declined("malformed", f"the collector's progress is none of {', '.join(_STATES)}")
    if inner is None:
        return state, None
    if not isinstance(inner, dict):
        raise Declined("malformed", "the collector's progress has no round that can be read")
    closes = inner.get("closes")
    possible = type(closes) is int and manifest.opens <= closes <= manifest.closes
    round = RoundReply(
        number=_read_field(inner, "number", int),
        role=_read_field(inner, "role", str),
        question=_read_field(inner, "question", str),
        first=_read_field(inner, "first", int),
        count=_read_field(inner, "count", int),
        closes=closes if possible else None,
        closed=_read_field(inner, "closed", bool),
    )
    if not (0 < len(round.role) <= limits.MAX_TEXT and round.role.isprintable()):
        raise Declined("malformed", "the collector's progress has a role that is no short printable name")
    if not (0 <= round.number <= 1000 and round.first >= 0 and round.count >= 1 and _DIGEST.fullmatch(round.question)):
        raise Declined("malformed", "the collector's progress has a round that cannot be")
    return state, round


def _read_field(reply: dict[str, Any], name: str, kind: type[Value]) -> Value:
    value = reply.get(name)
    if type(value) is not kind:
        raise Declined("malformed", f"the collector's reply has no {name!r} that can be read")
    return value


STATES = (
    "answered",  # the collector has the report
    "waiting",  # not yet: come back later, with the same invitation
    "declined",  # the device does not answer; nothing was sent this time
    "missed",  # the round that asked this device is over
    "full",  # every slot of the survey is taken
    "over",  # the survey has ended
    "refused",  # the collector does not take it
)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of it. `state` is one of `STATES`, `code` a short word for why, `why` the same as a fact.

    It is for the device's owner: a decline is silence to the collector.
    """

    state: str
    code: str
    why: Fact
    survey: str
    epsilon: float | None = None
    """What the report cost, proven, whatever became of it; None where none was made."""
    again_at: float | None = None
    """When it is worth coming back, in seconds since 1970; None where that is no use."""
    latest_at: float | None = None
    """Where another round is open: when it will have closed at the latest, as the collector says; else None."""
    slot: int | None = None
    """The slot of the report, or of the seat where none was made yet."""
    before: bool = False
    """The collector said, when this device first took its seat, that the invitation had been used before."""

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise ValueError(f"state: one of {', '.join(STATES)}")


Respond = Callable[..., bytes]
"""`device.respond` with everything that a visit does not know: observations, source, ledger, entropy."""
_chance = secrets.SystemRandom()
Message = TypeVar("Message", Manifest, Question)


def read_manifest(line: CollectorLine, survey: str) -> Manifest:
    """The manifest, if it is the one that the invitation names."""
    body = line.ask("GET", f"/surveys/{survey}/manifest", limit=MAX_MANIFEST_BYTES).body
    if digest(body) != survey:
        raise Declined("wrong-digest", "the manifest is not the one that the invitation names")
    return _read_message(Manifest.from_bytes, body, what="manifest")


def _read_message(read: Callable[[bytes], Message], body: bytes, *, what: str) -> Message:
    """A message from a collector; whatever goes wrong while it is read is a decline, in letters that can be shown."""
    try:
        return read(body)
    except Malformed as error:
        told = "".join(letter if letter.isprintable() else "?" for letter in str(error)[:200])
    except Exception as error:
        told = f"it cannot be read ({type(error).__name__})"
    raise Declined("malformed", f"the {what}: {told}")


@dataclass(kw_only=True)
class Visit:
    """One device, one invitation, and how far it came."""

    invitation: Invitation
    line: CollectorLine
    outbox: Outbox
    respond: Respond
    spread_seconds: float
    stored: Entry | None = None
    """The report, once there is one."""
    slot: int | None = None
    used: bool | None = None
    """Of the seat, once it is taken: the invitation had been used before this device first came."""
    latest_at: float | None = None

    @property
    def _path(self) -> str:
        return f"/surveys/{self.invitation.survey}"

    def answer(self, manifest: Manifest) -> Outcome:
        """Take a seat, wait for its round, answer, and send at a moment of the device's own choosing.

        The moment is drawn when the question has come, before any observation is looked at: how long that takes, and
        what is computed of them, is not part of it, as long as it takes less than half of `spread_seconds`.
        """
        self.line = replace(self.line, until=manifest.closes)
        self._in_time(manifest)
        seat = self._enrol(manifest)
        now_open = self._open_round(seat.slot, manifest)
        self._in_time(manifest)
        question = self._question(now_open)
        moment = self.line.clock() + _chance.uniform(self.spread_seconds / 2, self.spread_seconds)
        base, capability = self.invitation.base, seat.capability
        posting = self.outbox.posting(question, manifest=manifest, address=base, capability=capability)
        self.respond(
            question,
            slot=seat.slot,
            digest=now_open.question,
            collector=manifest.digest,
            manifest=manifest,
            beside=posting,
        )
        self.stored = self.outbox.of(manifest.digest)
        if self.stored is None:
            raise Declined("ledger-unavailable", "the answer is not in the outbox")
        if (left := moment - self.line.clock()) > 0:
            self.line.sleep(left)
        return self.send(self.stored)

    def send(self, stored: Entry) -> Outcome:
        """Hand in the bytes that the ledger holds, until the collector says that it has them, or the survey closes."""
        line = replace(self.line, until=stored.closes)
        if line.open:
            self.outbox.sent(stored.survey, now=line.clock())
        try:
            reply = line.ask("POST", f"{self._path}/reports", token=stored.capability, body=stored.report)
        except Declined:
            raise VisitEnded("refused", "too-long", Fact("outcome-too-long")) from None
        except CollectorRefusal as refusal:
            if refusal.code == "closed":
                raise VisitEnded("missed", "closed", Fact("outcome-closed-before-report")) from None
            raise
        self.outbox.acknowledged(stored.survey, now=self.line.clock())
        code = "stored" if reply.status == 201 else "same"
        return self.outcome("answered", code, Fact(f"outcome-{code}"))

    def outcome(self, state: str, code: str, why: Fact, *, again_at: float | None = None) -> Outcome:
        """An outcome of this survey: with its seat and its report, if there are any, whatever became of them."""
        stored = self.stored
        used = self.used if self.used is not None else stored is not None and stored.used
        return Outcome(
            state=state,
            code=code,
            why=why,
            survey=self.invitation.survey,
            epsilon=None if stored is None else float(stored.epsilon),
            again_at=again_at,
            latest_at=self.latest_at if state == "waiting" else None,
            slot=self.slot if stored is None else stored.slot,
            before=used,
        )

    def _in_time(self, manifest: Manifest) -> None:
        """Whatever moment is drawn must lie before the survey closes: else no report is made.

        The spread is not made shorter for it: a survey that closes soon would learn how long its devices compute.
        """
        if self.line.open and self.line.clock() + self.spread_seconds >= manifest.closes:
            raise VisitEnded("declined", "too-late", Fact("outcome-too-late", seconds=self.spread_seconds))

    def _enrol(self, manifest: Manifest) -> EnrolReply:
        token = self.invitation.token
        if not token and manifest.access == "open":
            token = self.outbox.token(manifest.digest, make=lambda: secrets.token_urlsafe(32))
        if not token:
            raise VisitEnded("refused", "no-token", Fact("outcome-no-token"))
        try:
            reply = self.line.ask("POST", f"{self._path}/enrol", token=token, body=b"")
        except CollectorRefusal as refusal:
            if refusal.code == "full":
                raise VisitEnded("full", "full", Fact("outcome-full")) from None
            if refusal.code == "closed":
                raise VisitEnded("over", "closed", Fact("outcome-nobody-any-more")) from None
            raise
        seat = EnrolReply.read(reply.body, manifest)
        self.slot, self.used = seat.slot, self.outbox.seated(manifest.digest, seat.slot, used=seat.before)
        return seat

    def _open_round(self, slot: int, manifest: Manifest) -> RoundReply:
        """The round that asks this slot, once it is open."""
        for tries in itertools.count():
            reply = self.line.ask("GET", f"{self._path}/progress")
            state, now = read_progress(reply.body, manifest)
            if state in ("done", "abandoned"):
                raise VisitEnded("over", state, Fact(f"outcome-{state}"))
            wanted, why = reply.wait_seconds, Fact("outcome-round-not-open")
            if now is not None:
                if slot < now.first or (now.closed and slot < now.end):
                    raise VisitEnded("missed", "closed", Fact("outcome-round-over"))
                if not now.closed and slot < now.end and state == "open":
                    self.latest_at = None
                    return now
            if state == "early":
                wanted, why = max(wanted or 0.0, manifest.opens - self.line.clock()), Fact("outcome-early")
            elif now is not None and not now.closed:
                why = Fact("outcome-asks-others", round=now.number + 1)
                self.latest_at = now.closes
            self.line.wait("early", why, tries=tries, wanted=wanted)
        raise AssertionError("counting never ends")

    def _question(self, now: RoundReply) -> bytes:
        path = f"{self._path}/rounds/{now.number}/{quote(now.role, safe='')}/question"
        body = self.line.ask("GET", path, limit=MAX_QUESTION_BYTES).body
        if digest(body) != now.question:
            raise Declined("wrong-digest", "the question is not the one that the collector's progress names")
        asked = _read_message(Question.from_bytes, body, what="question")
        if (asked.round, asked.role) != (now.number, now.role):
            raise Declined("not-announced", "the question is of another round or role than the one that is open")
        return body
