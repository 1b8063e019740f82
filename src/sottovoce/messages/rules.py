"""The rules of a survey: who may be asked what, in which way, and through which tables.

They stand in the manifest, so a device can hold every question against them, whoever sends it. A rule is plain data:
the names of a statistic, a placement and a channel, and a range. A device in another language checks the same fields.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from sottovoce.messages import canonical
from sottovoce.messages.channels import Table
from sottovoce.messages.codec import to_plain
from sottovoce.messages.limits import MAX_EPSILON, MAX_RUNS, MAX_TEXT, MAX_USERS, check
from sottovoce.messages.placements import Bins, Placement
from sottovoce.messages.question import Question, Slots
from sottovoce.messages.statistics import Statistic


@dataclass(frozen=True, kw_only=True)
class Wave:
    """Slots ``first … first + count − 1``: asked together, once, in one of these roles and for at most this ε."""

    first: int
    count: int
    epsilon: float
    roles: tuple[str, ...]

    def __post_init__(self) -> None:
        check(self.first >= 0 and 1 <= self.count <= MAX_USERS, "a wave: first counts from 0, count from 1")
        check(0 < self.epsilon <= MAX_EPSILON, f"epsilon: above 0, at most {MAX_EPSILON:g}")
        check(all(0 < len(role) <= MAX_TEXT and role.isprintable() for role in self.roles), "roles: short names")
        check(0 < len(self.roles) == len(set(self.roles)), "roles: each once, at least one")

    @property
    def end(self) -> int:
        return self.first + self.count


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to ask: in this role, by a statistic, a placement and a channel of these kinds, from `low` to `high`.

    `statistic` is ``"average"`` or ``"norm of categories"``; `vector` is the digest of that vector's definition where
    it is known beforehand, else empty; `columns` is how many columns of a collection may be looked at.
    """

    role: str
    statistic: str
    placement: str
    channel: str
    low: float
    high: float
    columns: int = 1
    vector: str = ""

    def __post_init__(self) -> None:
        check(math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high, "a range is finite")
        check(self.columns >= 1, "columns count from 1")

    @classmethod
    def of(cls, question: Question) -> Way:
        """The way in which a question asks that is known beforehand, to the number."""
        statistic, placement = question.encoder.statistic, question.encoder.placement
        low, high = reach_of(placement)
        return cls(
            role=question.role,
            statistic=kind_of(statistic),
            placement=placement.kind,
            channel=question.channel.kind,
            low=low,
            high=high,
            columns=statistic.dimension,
            vector=vector_digest(statistic),
        )

    def departure(self, question: Question) -> str | None:
        """What of a question in this role stands nowhere in this line, in words; None where all of it does."""
        statistic, placement = question.encoder.statistic, question.encoder.placement
        found = (kind_of(statistic), placement.kind, question.channel.kind)
        announced = (self.statistic, self.placement, self.channel)
        if found != announced:
            return f"it asks for {', '.join(found)}; announced: {', '.join(announced)}"
        if statistic.dimension > self.columns:
            return f"it looks at {statistic.dimension} columns; announced: {self.columns}"
        if self.vector and vector_digest(statistic) != self.vector:
            return "it computes another vector than the one announced"
        low, high = reach_of(placement)
        if not self.low <= low <= high <= self.high:
            return f"it asks from {low:g} to {high:g}; announced: {self.low:g} to {self.high:g}"
        return None


def kind_of(statistic: Statistic) -> str:
    """The name of a statistic, and of the vector that it is of: ``"norm of categories"``."""
    vector = getattr(statistic, "vector", None)
    return statistic.kind if vector is None else f"{statistic.kind} of {vector.kind}"


def vector_digest(statistic: Statistic) -> str:
    """Of the definition of the vector that a statistic is of; empty where there is none."""
    vector = getattr(statistic, "vector", None)
    return "" if vector is None else canonical.digest(canonical.dumps(to_plain(vector)))


def reach_of(placement: Placement) -> tuple[float, float]:
    """The lowest and the highest number that a placement tells from its neighbours."""
    if isinstance(placement, Bins):
        return (placement.edges[0], placement.edges[-1]) if placement.edges else (0.0, 0.0)
    return min(placement.low), max(placement.high)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Waves of slots, ways to ask, and every table by its integers."""

    waves: tuple[Wave, ...]
    ways: tuple[Way, ...]
    tables: tuple[Table, ...] = ()
    """Every channel of kind table is one of these, integer by integer."""

    def __post_init__(self) -> None:
        check(1 <= len(self.waves) <= MAX_RUNS, f"1 to {MAX_RUNS} waves")
        used = 0
        for wave in self.waves:
            check(wave.first == used, "waves follow each other without a gap")
            used = wave.end
        check(used <= MAX_USERS, f"at most {MAX_USERS} slots")
        check(len(self.ways) >= 1 and len(set(self.ways)) == len(self.ways), "ways: each once, at least one")
        known = {way.role for way in self.ways}
        check(all(set(wave.roles) <= known for wave in self.waves), "every role of a wave has a way to ask")

    @property
    def users(self) -> int:
        """How many slots there are."""
        return self.waves[-1].end

    @property
    def epsilon(self) -> float:
        """What a user spends at most."""
        return max(wave.epsilon for wave in self.waves)

    def waves_of(self, slots: Slots) -> tuple[Wave, ...]:
        """The waves that these slots are made of; none where they are no whole number of waves."""
        end = slots.first + slots.count
        inside = tuple(wave for wave in self.waves if slots.first <= wave.first and wave.end <= end)
        return inside if sum(wave.count for wave in inside) == slots.count else ()

    def departure(self, question: Question) -> str | None:
        """Where a question leaves these rules, in words; None where it keeps to them."""
        slots, waves = question.slots, self.waves_of(question.slots)
        if not waves:
            return f"it asks slots {slots.first} to {slots.first + slots.count - 1}, which are no whole waves"
        if any(question.role not in wave.roles for wave in waves):
            return f"it asks in the role {question.role!r}, which these slots were not announced for"
        if (least := min(wave.epsilon for wave in waves)) < question.epsilon:
            return f"it spends {question.epsilon:g}; announced: {least:g}"
        if isinstance(question.channel, Table) and question.channel.rows not in self._tables:
            return "its table is none of those announced"
        found = [way.departure(question) for way in self.ways if way.role == question.role]
        return None if None in found else found[0]

    @cached_property
    def _tables(self) -> frozenset[tuple[tuple[int, ...], ...]]:
        """By their integers: how symbols are decoded is no matter of privacy, and floats differ between machines."""
        return frozenset(table.rows for table in self.tables)
