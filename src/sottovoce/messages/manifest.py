"""A manifest: what a survey promises before anybody is asked. Its digest is the survey's name.

It fixes what is estimated and how, who may be asked what in which order, when, by whom and what for. A device that
knows the digest, from its invitation, needs to trust nobody for the rest: what a question asks stands here, or is
declined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from sottovoce.messages import canonical
from sottovoce.messages.canonical import LEFT_OUT, from_plain, to_plain
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_GROUPS, MAX_MANIFEST, MAX_TEXT, MAX_WORDS, check
from sottovoce.messages.question import Question
from sottovoce.messages.rules import Rules

ENROLMENTS = ("ahead", "on-arrival")
ACCESS = ("invited", "open")
MAX_DAYS = 36_500
MAX_MOMENT = 253_402_300_799
"""The last second of the year 9999: calendars go no further."""
MAX_LABEL = 200


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Everything that a survey promises. Times are seconds since 1970 in UTC; the collector keeps to them."""

    VERSION: ClassVar[int] = 1

    problem: str
    settings: dict[str, Any]
    """All choices settled, the survey's name left out: it is the digest of this document."""
    reason: str
    """Why this method, in words: in manifests of an earlier form; empty since there is `chosen`."""
    rules: Rules
    labels: tuple[str, ...]
    """Of categories, in order; empty where numbers are asked for."""
    columns: tuple[str, ...]
    """What the columns are called that a device holds."""
    enrolment: str
    """``"ahead"``: every slot is dealt before its round; ``"on-arrival"``: a slot of the round that is open."""
    access: str
    """``"invited"``: one token for each; ``"open"``: whoever comes."""
    minimum: int
    """A round that fewer users answer is not decided upon, and nothing of it is shown."""
    opens: int
    closes: int
    """Nothing is accepted from then on."""
    round_seconds: int | None
    """How long a round stays open at most; None: until its quota, or until the survey closes."""
    quota: float
    """The part of those asked after whose answers a round closes."""
    retention_days: int
    """Reports are deleted so long after the survey ends; tallies stay."""
    collector: str
    """Who asks, in words."""
    purpose: str
    """What for, in words."""
    software: str
    version: int = 1
    groups: tuple[str, ...] = field(default=(), metadata=LEFT_OUT)
    """The names of groups, in order, in the last column that is looked at; empty where there are none, or numbers."""
    chosen: dict[str, Any] | None = field(default=None, metadata=LEFT_OUT)
    """Why this method, as facts: what it was compared with; None where the asker named it."""
    edition: int = field(default=1, metadata=LEFT_OUT)
    """Of the method's script: a changed script is a new edition."""

    def __post_init__(self) -> None:
        check(self.version == self.VERSION, f"version {self.VERSION} is the one this software speaks")
        check(0 < len(self.problem) <= MAX_TEXT and self.problem.isprintable(), "problem: a short printable name")
        for name, longest in (("labels", MAX_LABEL), ("columns", MAX_TEXT), ("groups", MAX_LABEL)):
            known = all(0 < len(text) <= longest and text.isprintable() for text in getattr(self, name))
            check(known, f"{name}: 1 to {longest} printable letters each")
        check(len(set(self.labels)) == len(self.labels), "labels differ from each other")
        check(len(set(self.groups)) == len(self.groups) <= MAX_GROUPS, f"groups differ, {MAX_GROUPS} at most")
        check(self.enrolment in ENROLMENTS, f"enrolment: {' or '.join(ENROLMENTS)}")
        check(self.access in ACCESS, f"access: {' or '.join(ACCESS)}")
        check(1 <= self.minimum <= self.users, "minimum: at least one user, at most all")
        check(0 <= self.opens < self.closes <= MAX_MOMENT, "a survey opens before it closes, before the year 10000")
        check(self.round_seconds is None or self.round_seconds >= 1, "a round lasts at least a second")
        check(0 < self.quota <= 1, "quota: a part of those asked, above 0, at most 1")
        check(0 <= self.retention_days <= MAX_DAYS, f"retention: 0 to {MAX_DAYS:,} days")
        check(self.edition >= 1, "edition: counted from 1")
        for name in ("reason", "collector", "purpose", "software"):
            text = getattr(self, name)
            check(len(text) <= MAX_WORDS and text.isprintable(), f"{name}: at most {MAX_WORDS} printable letters")

    @property
    def users(self) -> int:
        """How many slots there are."""
        return self.rules.users

    @property
    def epsilon(self) -> float:
        """What a user spends at most."""
        return self.rules.epsilon

    def enough_answers(self, asked: int) -> int:
        """After so many answers a round closes that asks so many users: its quota, but never less than the minimum."""
        return max(self.minimum, math.ceil(self.quota * asked))

    @cached_property
    def _labels(self) -> str:
        """What a question about categories with names calls the list of them."""
        return canonical.digest(canonical.dumps(list(self.labels)))

    @cached_property
    def _groups(self) -> str:
        """What a question within a group with a name calls the list of them."""
        return canonical.digest(canonical.dumps(list(self.groups)))

    def to_bytes(self) -> bytes:
        return self._bytes

    @cached_property
    def _bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @cached_property
    def digest(self) -> str:
        """The survey's name."""
        return canonical.digest(self._bytes)

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """Read a manifest; anything but the canonical form of a valid one is `Malformed`."""
        made = from_plain(cls, canonical.loads(data, size=MAX_MANIFEST))
        vars(made)["_bytes"], vars(made)["digest"] = data, canonical.digest(data)
        return made

    def departure(self, question: Question) -> Malformed | None:
        """Where a question leaves what was announced, as an error; None where it keeps to it."""
        if question.survey != self.digest:
            return Malformed("it names another survey")
        named = getattr(getattr(question.encoder.statistic, "vector", None), "labels", None)
        if named is not None and named != self._labels:
            return Malformed("it numbers other categories than those announced, or in another order")
        within = question.encoder.within
        if within is not None and within.labels not in (None, self._groups):
            return Malformed("it numbers other groups than those announced, or in another order")
        return self.rules.departure(question)

    def __hash__(self) -> int:
        return hash(self.digest)
