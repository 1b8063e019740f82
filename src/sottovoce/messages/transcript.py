"""A transcript: what a survey asked and what came of it, for everybody to check.

Every part stands in its own canonical bytes, as text, so that digests are of what was really sent. Tallies are sums of
private reports: to publish them costs nobody anything. A round that fewer users answered than the manifest's minimum
has none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from sottovoce.messages import canonical
from sottovoce.messages.canonical import LEFT_OUT, from_plain, to_plain
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import MAX_SEED, MAX_TEXT, MAX_TRANSCRIPT, MAX_USERS, MAX_WORDS, check

REASONS = ("quota", "deadline", "hand")


@dataclass(frozen=True, kw_only=True)
class ClosedRound:
    """One round: the question's text, the tally's, and who closed it why."""

    question: str
    tally: str
    """Empty where fewer answered than the minimum."""
    answered: int
    """How many users."""
    because: str
    """``"quota"``, ``"deadline"`` or ``"hand"``."""
    by: str
    """Who, as the collector knows them: ``"the collector"``, or the name of an administrator's token."""
    closed: int
    """When, in seconds since 1970."""

    def __post_init__(self) -> None:
        check(self.because in REASONS, f"because: {', '.join(REASONS)}")
        check(0 <= self.answered <= MAX_USERS, "answered: how many users")
        check(len(self.by) <= MAX_TEXT and self.by.isprintable(), "by: a short printable name")
        check(0 <= self.closed <= MAX_SEED, "closed: seconds since 1970")


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """Manifest, closed rounds in order, and what came of them: an answer, or why there is none, or nothing yet."""

    VERSION: ClassVar[int] = 1

    manifest: str
    rounds: tuple[ClosedRound, ...]
    answer: str
    """The answer as JSON; empty while the survey runs, and where it was abandoned."""
    abandoned: str
    """Why the survey ended without an answer, in words, as earlier releases wrote it; empty since there is `ended`."""
    version: int = 1
    ended: dict[str, Any] | None = field(default=None, metadata=LEFT_OUT)
    """Why the survey ended without an answer: the code and the numbers of a fact; None where it did not."""

    def __post_init__(self) -> None:
        check(self.version == self.VERSION, f"version {self.VERSION} is the one this software speaks")
        check(not (self.answer and self.ended_without_answer), "a survey has an answer or was abandoned, not both")
        check(not (self.abandoned and self.ended), "why a survey ended stands there in one form")
        if self.ended is not None:
            Fact.from_plain(self.ended)
        told = len(self.abandoned) <= MAX_WORDS and self.abandoned.isprintable()
        check(told, f"abandoned: at most {MAX_WORDS} printable letters")

    @property
    def ended_without_answer(self) -> bool:
        """Whether the survey ended, and there is no answer."""
        return bool(self.abandoned) or self.ended is not None

    @property
    def why_ended(self) -> Fact | None:
        """Why there is no answer; in transcripts of an earlier form a sentence is all that is known."""
        if self.ended is not None:
            return Fact.from_plain(self.ended)
        return Fact("as-written", text=self.abandoned) if self.abandoned else None

    @property
    def survey(self) -> str:
        """The survey's name."""
        return canonical.digest(self.manifest.encode())

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Transcript:
        """Read a transcript; anything but the canonical form of one is `Malformed`."""
        return from_plain(cls, canonical.loads(data, size=MAX_TRANSCRIPT))
