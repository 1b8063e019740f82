"""What a collector says besides its survey: a seat, and how far it is. Read with suspicion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sottovoce.client.line import read_object
from sottovoce.messages import Declined, Manifest, limits

_CAPABILITY = re.compile(r"[A-Za-z0-9_-]{16,128}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_STATES = ("early", "open", "done", "abandoned")
T = TypeVar("T", int, str, bool)


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A slot, and what opens it."""

    slot: int
    capability: str = field(repr=False)
    before: bool

    @classmethod
    def read(cls, body: bytes, manifest: Manifest) -> Seat:
        """From the reply to an enrolment."""
        found = read_object(body)
        slot, capability = _field(found, "slot", int), _field(found, "capability", str)
        if _field(found, "survey", str) != manifest.digest or not 0 <= slot < manifest.users:
            raise Declined("malformed", "the collector's seat is of another survey, or of a slot that there is not")
        if not _CAPABILITY.fullmatch(capability):
            raise Declined("malformed", "the collector's capability is not of 16 to 128 letters, digits, '-' or '_'")
        return cls(slot=slot, capability=capability, before=_field(found, "before", bool))


@dataclass(frozen=True, kw_only=True)
class Round:
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
        return self.first + self.count


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a survey is: ``early``, ``open``, ``done`` or ``abandoned``; the open round, or the last one."""

    state: str
    round: Round | None

    @classmethod
    def read(cls, body: bytes, manifest: Manifest) -> Progress:
        """From the reply to a look at it."""
        found = read_object(body)
        state, inner = _field(found, "state", str), found.get("round")
        if state not in _STATES:
            raise Declined("malformed", f"the collector's progress is none of {', '.join(_STATES)}")
        return cls(state=state, round=None if inner is None else _round(inner, manifest))


def _round(found: Any, manifest: Manifest) -> Round:
    if not isinstance(found, dict):
        raise Declined("malformed", "the collector's progress has no round that can be read")
    closes = found.get("closes")
    told = type(closes) is int and manifest.opens <= closes <= manifest.closes
    made = Round(
        number=_field(found, "number", int),
        role=_field(found, "role", str),
        question=_field(found, "question", str),
        first=_field(found, "first", int),
        count=_field(found, "count", int),
        closes=closes if told else None,
        closed=_field(found, "closed", bool),
    )
    if not (0 < len(made.role) <= limits.MAX_TEXT and made.role.isprintable()):
        raise Declined("malformed", "the collector's progress has a role that is no short printable name")
    if not (0 <= made.number <= 1000 and made.first >= 0 and made.count >= 1 and _DIGEST.fullmatch(made.question)):
        raise Declined("malformed", "the collector's progress has a round that cannot be")
    return made


def _field(found: dict[str, Any], name: str, kind: type[T]) -> T:
    value = found.get(name)
    if type(value) is not kind:
        raise Declined("malformed", f"the collector's reply has no {name!r} that can be read")
    return value
