"""The rules of a survey: who may be asked what, in which way, and through which tables.

They stand in the manifest, so a device can hold every question against them, whoever sends it. A rule is plain data.
A way to ask says what a question may be, all of it fixed but what is named: a device in another language compares
names, looks whether numbers lie in their ranges, and computes one digest of the rest.

In that digest numbers that are not whole count to ten digits. Far from zero that can be coarser than a range is wide,
or a bin: another place would have the same digest. No device answers a question like that (`closeness_error`), and no
survey is announced with one: observations are then given less a constant.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import cycle, pairwise
from typing import Any, get_args, get_type_hints

from sottovoce.messages import canonical
from sottovoce.messages.canonical import LEFT_OUT, to_plain
from sottovoce.messages.channels import Channel, Table
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import (
    MAX_EPSILON,
    MAX_GROUPS,
    MAX_ITEMS,
    MAX_RUNS,
    MAX_TEXT,
    MAX_USERS,
    MAX_WAYS,
    check,
    check_digest,
)
from sottovoce.messages.placements import Bins, Knots, Placement
from sottovoce.messages.question import Encoder, Question, Slots
from sottovoce.messages.statistics import Statistic

WIDTH = 2.0**-20
"""A range is wide at least this part of its larger end: ten digits are then a thousandth of it, or finer."""
STEP = 2.0**-24
"""The same for a bin, and for neighbouring thresholds, of which ten digits are then a fiftieth, or finer."""

Pair = tuple[float, float, float]
"""Two numbers, and the part of the larger one that they are apart at least."""


def closeness_error(plain: Any) -> Malformed | None:
    """What cannot be told apart; None where all can. `plain` is what a question fixes, as it is written."""
    if not isinstance(plain, dict):
        return None
    for left, right, least in _pairs_to_tell_apart(plain):
        if right - left < least * max(abs(left), abs(right)):
            pair = f"{left!r} and {right!r}"
            return Malformed(f"{pair} cannot be told apart by ten digits; ask for observations less a constant")
    return next(filter(None, map(closeness_error, plain.values())), None)


def _pairs_to_tell_apart(plain: dict[str, Any]) -> Iterator[Pair]:
    """What must be told apart; two whole numbers can be, always."""
    if "low" in plain and "high" in plain:
        least = max(WIDTH, STEP * plain.get("count", 1))
        for low, high in zip(_listed(plain["low"]), _listed(plain["high"]), strict=True):
            yield from _unless_whole(low, high, least)
    for name in ("edges", "inner", "thresholds", "centres"):
        columns = [*zip(*map(_listed, plain.get(name, ())), strict=True)]
        for column in columns:
            if len(columns) > 1:  # of points in space no two are neighbours: they lie somewhere in a box
                yield from _unless_whole(min(column), max(column), WIDTH if min(column) < max(column) else 0.0)
            else:
                for left, right in pairwise(sorted(set(column))):
                    yield from _unless_whole(left, right, STEP)
    for middle, half in (("centre", "radius"), ("middle", "half")):
        if middle in plain and half in plain:
            places, widths = _listed(plain[middle]), _listed(plain[half])
            turns = range(max(len(places), len(widths)))
            for _, at, width in zip(turns, cycle(places), cycle(widths), strict=False):
                yield at - width, at + width, 0.0 if float(at).is_integer() else WIDTH


def _unless_whole(left: float, right: float, least: float) -> Iterator[Pair]:
    if not (float(left).is_integer() and float(right).is_integer()):
        yield left, right, least


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


MAX_FREE = 16
COLUMNS = "statistic.columns"
_FIELD = re.compile(r"[a-z]{1,32}(\.[a-z]{1,32}){0,3}")
_ENDS = ("placement.low", "placement.high", "placement.edges")


@dataclass(frozen=True, kw_only=True)
class Free:
    """A field of a question that is chosen on the way: at most `most` numbers, each of them from `low` to `high`.

    `field` is where it stands: ``"statistic.vector.thresholds"``, ``"placement.edges"``, ``"uses"``. Columns that are
    chosen differ from each other: nobody's slot decides between two questions about the same one.
    """

    field: str
    low: float
    high: float
    most: int = 1

    def __post_init__(self) -> None:
        check(_FIELD.fullmatch(self.field) is not None, "a free field: names with dots between them")
        check(math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high, "a range is finite")
        check(1 <= self.most <= MAX_ITEMS, f"at most 1 to {MAX_ITEMS} numbers")

    def allows(self, value: Any) -> bool:
        """Whether a value is one, or some, of those that may be chosen."""
        numbers = value if isinstance(value, list) else [value]
        if len(numbers) > self.most or not all(type(number) in (int, float) for number in numbers):
            return False
        twice = self.field == COLUMNS and len(set(numbers)) < len(numbers)
        return not twice and all(self.low <= number <= self.high for number in numbers)


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way to ask: in this role, by a statistic, a placement and a channel of these kinds, from `low` to `high`.

    `statistic` is ``"average"`` or ``"norm of categories"``; `columns` is how many columns of a collection may be
    looked at. Nothing is left open but what `free` lists: `definition` is the digest of all the rest (see
    `WrittenQuestion`). An `opening` way is for the first round, which is known beforehand, the others for later ones.
    Users are dealt into as many groups as what is asked has parts; where it has one, into `groups`, all asked the same.
    """

    role: str
    statistic: str
    placement: str
    channel: str
    low: float
    high: float
    definition: str
    free: tuple[Free, ...] = ()
    columns: int = 1
    opening: bool = False
    groups: int = field(default=1, metadata=LEFT_OUT)

    def __post_init__(self) -> None:
        check(0 < len(self.role) <= MAX_TEXT and self.role.isprintable(), "role: a short printable name")
        check(self.statistic in STATISTICS, "statistic: one that devices know")
        check(self.placement in PLACEMENTS, f"placement: {', '.join(sorted(PLACEMENTS))}")
        check(self.channel in CHANNELS, f"channel: {', '.join(sorted(CHANNELS))}")
        check(math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high, "a range is finite")
        check(1 <= self.columns <= MAX_ITEMS, f"columns: 1 to {MAX_ITEMS}")
        check(1 <= self.groups <= MAX_GROUPS, f"groups: 1 to {MAX_GROUPS}")
        check_digest("definition", self.definition)
        check(len({free.field for free in self.free}) == len(self.free) <= MAX_FREE, "free: each field once, a few")

    @classmethod
    def of(cls, question: Question, *free: Free, opening: bool = False) -> Way:
        """The way in which a question asks, all of it known beforehand but what is `free`."""
        made = cls.by(question.encoder, *free, role=question.role, channel=question.channel.kind, uses=question.uses)
        return replace(made, opening=opening, groups=question.groups if question.encoder.parts == 1 else 1)

    @classmethod
    def by(cls, encoder: Encoder, *free: Free, role: str, channel: str, uses: int = 1) -> Way:
        """A way to ask by such an encoder: what is `free` in it stands for whatever is chosen instead."""
        statistic, placement = encoder.statistic, encoder.placement
        low, high = placement_range(placement)
        placed = [one for one in free if one.field in _ENDS]
        asked = WrittenQuestion(encoder, uses)
        definition, trouble = asked.definition_without(free)
        check(definition is not None, "a free field is one that the question has")
        if trouble is not None:
            raise trouble
        _remember(str(definition), encoder, uses)
        return cls(
            role=role,
            statistic=statistic_name(statistic),
            placement=placement.kind,
            channel=channel,
            low=min((one.low for one in placed), default=low),
            high=max((one.high for one in placed), default=high),
            definition=str(definition),
            free=free,
            columns=_column_count(encoder, free),
        )

    def where_empty(self, empty: str) -> Way:
        """The same way for questions that say where a user with nothing falls; as it is where they have a place.

        A digest does not tell what it is of: the way was made in this process, by `of` or `by`.
        """
        encoder, uses = _MADE[self.definition]
        if not encoder.statistic.silent:
            return self
        definition, _ = WrittenQuestion(replace(encoder, empty=empty), uses).definition_without(self.free)
        return replace(self, definition=str(definition))

    def departure(self, question: Question, asked: WrittenQuestion | None = None) -> Malformed | None:
        """What of a question in this role stands nowhere in this line; None where all of it does.

        `asked` is the question as it is written, where several ways are held against it.
        """
        asked = WrittenQuestion(question.encoder, question.uses) if asked is None else asked
        statistic, placement = question.encoder.statistic, question.encoder.placement
        asked_for = (statistic_name(statistic), placement.kind, question.channel.kind)
        announced = (self.statistic, self.placement, self.channel)
        if asked_for != announced:
            return Malformed(f"it asks for {', '.join(asked_for)}; announced: {', '.join(announced)}")
        parts = question.encoder.parts
        if question.groups != (groups := self.groups if parts == 1 else parts):
            return Malformed(f"it deals users into {question.groups:,} groups; announced: {groups:,}")
        if (width := question.encoder.dimension) > self.columns:
            return Malformed(f"it looks at {width} columns; announced: {self.columns}")
        low, high = placement_range(placement)
        if not self.low <= low <= high <= self.high:
            return Malformed(f"it asks from {low:g} to {high:g}; announced: {self.low:g} to {self.high:g}")
        for free in self.free:
            if not free.allows(_field_value(asked.plain, free.field)):
                most = f"{free.most:,} from {free.low:g} to {free.high:g} at most"
                return Malformed(f"its {free.field} is not as announced: {most}")
        definition, trouble = asked.definition_without(self.free)
        other = Malformed("it computes something else than what was announced")
        return other if definition != self.definition else trouble


_MADE: OrderedDict[str, tuple[Encoder, int]] = OrderedDict()
"""What the latest definitions are digests of."""
_MOST_MADE = 4096


def _remember(definition: str, encoder: Encoder, uses: int) -> None:
    _MADE[definition] = encoder, uses
    _MADE.move_to_end(definition)
    while len(_MADE) > _MOST_MADE:
        _MADE.popitem(last=False)


class WrittenQuestion:
    """What a question asks as it is written: statistic, placement and uses. Each digest of it is computed once."""

    def __init__(self, encoder: Encoder, uses: int) -> None:
        self.plain: dict[str, Any] = to_plain(encoder) | {"uses": uses}
        self._known: dict[frozenset[str], tuple[str | None, Malformed | None]] = {}

    def definition_without(self, free: tuple[Free, ...]) -> tuple[str | None, Malformed | None]:
        """The digest of what a device computes, the free fields left out, and which of its numbers are too close.

        There is none where one of the fields is not there. Numbers that are not whole count to ten digits: machines
        differ in the last of them.
        """
        fields = frozenset(one.field for one in free)
        if fields not in self._known:
            left = _without_fields(self.plain, fields)
            digest = None if left is None else canonical.digest(canonical.dumps(_round_floats(left)))
            self._known[fields] = digest, closeness_error(left)
        return self._known[fields]


def _without_fields(plain: dict[str, Any], free: frozenset[str]) -> dict[str, Any] | None:
    """All but the free fields; None where one of them is not there."""
    left = dict(plain)
    for place in sorted(free):
        *path, name = place.split(".")
        inner = left
        for part in path:
            if not isinstance(inner.get(part), dict):
                return None
            inner[part] = dict(inner[part])
            inner = inner[part]
        if name not in inner:
            return None
        del inner[name]
    return left


def _field_value(plain: Any, field: str) -> Any:
    """What stands in a field; None where there is no such field."""
    for part in field.split("."):
        plain = plain.get(part) if isinstance(plain, dict) else None
    return plain


def _round_floats(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _round_floats(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_round_floats(held) for held in value]
    return float(f"{value:.10g}") if isinstance(value, float) and not value.is_integer() else value


def _column_count(encoder: Encoder, free: tuple[Free, ...]) -> int:
    """How many columns are looked at, wherever they may be chosen."""
    chosen = [int(one.high) + 1 for one in free if one.field == COLUMNS]
    group = 0 if encoder.within is None else encoder.within.column + 1
    return max(chosen[0] if chosen else encoder.statistic.dimension, group)


def statistic_name(statistic: Statistic) -> str:
    """The name of a statistic, and of the vector that it is of: ``"norm of categories"``."""
    vector = getattr(statistic, "vector", None)
    return statistic.kind if vector is None else f"{statistic.kind} of {vector.kind}"


def _statistic_names() -> frozenset[str]:
    """The names of all statistics that there are."""
    names: set[str] = set()
    for statistic in get_args(Statistic):
        vectors = get_type_hints(statistic).get("vector")
        kinds_of_vector = () if vectors is None else get_args(vectors) or (vectors,)
        names |= {f"{statistic.kind} of {vector.kind}" for vector in kinds_of_vector} or {statistic.kind}
    return frozenset(names)


STATISTICS = _statistic_names()
PLACEMENTS = frozenset(placement.kind for placement in get_args(Placement))
CHANNELS = frozenset(channel.kind for channel in get_args(Channel))


def placement_range(placement: Placement) -> tuple[float, float]:
    """The lowest and the highest number that a placement tells from its neighbours."""
    if isinstance(placement, Bins):
        return (placement.edges[0], placement.edges[-1]) if placement.edges else (0.0, 0.0)
    if isinstance(placement, Knots):
        return placement.low, placement.high
    return min(placement.low), max(placement.high)


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
        ways = [way for way in self.ways if way.role == question.role and way.opening == (question.round == 0)]
        asked = WrittenQuestion(question.encoder, question.uses)
        found = [way.departure(question, asked) for way in ways]
        if not found:
            return Malformed(f"it asks in the role {question.role!r}, which this round was not announced for")
        return None if None in found else found[0]

    @cached_property
    def _tables(self) -> frozenset[tuple[tuple[int, ...], ...]]:
        """By their integers: how symbols are decoded is no matter of privacy, and floats differ between machines."""
        return frozenset(table.rows for table in self.tables)
