"""A transcript: what a survey asked and what came of it, for everybody to check.

Every part stands in its own canonical bytes, as text, so that digests are of what was really sent. Tallies are sums of
private reports: to publish them costs nobody anything. A round that fewer users answered than the manifest's minimum
has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sottovoce.messages import canonical
from sottovoce.messages.codec import from_plain, to_plain
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
    """Why the survey ended without an answer; empty otherwise."""
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == self.VERSION, f"version {self.VERSION} is the one this software speaks")
        check(not (self.answer and self.abandoned), "a survey has an answer or was abandoned, not both")
        told = len(self.abandoned) <= MAX_WORDS and self.abandoned.isprintable()
        check(told, f"abandoned: at most {MAX_WORDS} printable letters")

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
