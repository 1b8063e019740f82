"""The rules of a survey: who may be asked what, in which way, and through which tables.

They stand in the manifest, so a device can hold every question against them, whoever sends it. A rule is plain data
(see `ways`). A device in another language checks the same fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sottovoce.messages.channels import Table
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_EPSILON, MAX_RUNS, MAX_TEXT, MAX_USERS, MAX_WAYS, check
from sottovoce.messages.question import Question, Slots
from sottovoce.messages.ways import Asked, Way


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
        check(1 <= len(self.ways) <= MAX_WAYS, f"1 to {MAX_WAYS} ways to ask")
        check(len(set(self.ways)) == len(self.ways), "ways: each once")
        known = {way.role for way in self.ways}
        check(all(set(wave.roles) <= known for wave in self.waves), "every role of a wave has a way to ask")
        opening = [way for way in self.ways if way.opening]
        check(len(opening) == 1 and not opening[0].free, "one way opens the survey, and nothing of it is left open")

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

    def departure(self, question: Question) -> Malformed | None:
        """Where a question leaves these rules, as an error; None where it keeps to them."""
        slots, waves = question.slots, self.waves_of(question.slots)
        if not waves:
            last = slots.first + slots.count - 1
            return Malformed(f"it asks slots {slots.first} to {last}, which are no whole waves")
        if any(question.role not in wave.roles for wave in waves):
            return Malformed(f"it asks in the role {question.role!r}, which these slots were not announced for")
        if (least := min(wave.epsilon for wave in waves)) < question.epsilon:
            return Malformed(f"it spends {question.epsilon:g}; announced: {least:g}")
        if isinstance(question.channel, Table) and question.channel.rows not in self._tables:
            return Malformed("its table is none of those announced")
        before = self.waves.index(waves[0])
        if not min(1, before) <= question.round <= before:
            return Malformed(f"it calls itself round {question.round + 1}; at most {before} were asked before")
        if question.groups != (parts := question.encoder.parts):
            return Malformed(f"it deals users into {question.groups:,} groups; what it asks has {parts:,} parts")
        ways = [way for way in self.ways if way.role == question.role and way.opening == (question.round == 0)]
        asked = Asked(question.encoder, question.uses)
        found = [way.departure(question, asked) for way in ways]
        if not found:
            return Malformed(f"it asks in the role {question.role!r}, which this round was not announced for")
        return None if None in found else found[0]

    @cached_property
    def _tables(self) -> frozenset[tuple[tuple[int, ...], ...]]:
        """By their integers: how symbols are decoded is no matter of privacy, and floats differ between machines."""
        return frozenset(table.rows for table in self.tables)
