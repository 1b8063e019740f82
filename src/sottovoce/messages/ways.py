"""A way to ask: what a question may be, all of it fixed but what is named.

It is plain data. A device in another language compares names, looks whether numbers lie in their ranges, and computes
one digest of the rest.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, get_args, get_type_hints

from sottovoce.messages import canonical
from sottovoce.messages.apart import too_close
from sottovoce.messages.channels import Channel
from sottovoce.messages.codec import to_plain
from sottovoce.messages.errors import Malformed
from sottovoce.messages.limits import MAX_ITEMS, MAX_TEXT, check
from sottovoce.messages.placements import Bins, Placement
from sottovoce.messages.question import Encoder, Question
from sottovoce.messages.statistics import Statistic

MAX_FREE = 16
COLUMNS = "statistic.columns"
_FIELD = re.compile(r"[a-z]{1,32}(\.[a-z]{1,32}){0,3}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
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

    def holds(self, value: Any) -> bool:
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
    `Asked`). An `opening` way is for the first round, which is known beforehand, the others are for later ones.
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

    def __post_init__(self) -> None:
        check(0 < len(self.role) <= MAX_TEXT and self.role.isprintable(), "role: a short printable name")
        check(self.statistic in STATISTICS, "statistic: one that devices know")
        check(self.placement in PLACEMENTS, f"placement: {', '.join(sorted(PLACEMENTS))}")
        check(self.channel in CHANNELS, f"channel: {', '.join(sorted(CHANNELS))}")
        check(math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high, "a range is finite")
        check(1 <= self.columns <= MAX_ITEMS, f"columns: 1 to {MAX_ITEMS}")
        check(_DIGEST.fullmatch(self.definition) is not None, "definition: a SHA-256 digest")
        check(len({free.field for free in self.free}) == len(self.free) <= MAX_FREE, "free: each field once, a few")

    @classmethod
    def of(cls, question: Question, *free: Free, opening: bool = False) -> Way:
        """The way in which a question asks, all of it known beforehand but what is `free`."""
        made = cls.by(question.encoder, *free, role=question.role, channel=question.channel.kind, uses=question.uses)
        return replace(made, opening=opening)

    @classmethod
    def by(cls, encoder: Encoder, *free: Free, role: str, channel: str, uses: int = 1) -> Way:
        """A way to ask by such an encoder: what is `free` in it stands for whatever is chosen instead."""
        statistic, placement = encoder.statistic, encoder.placement
        low, high = reach_of(placement)
        placed = [one for one in free if one.field in _ENDS]
        asked = Asked(encoder, uses)
        definition, trouble = asked.without(free)
        check(definition is not None, "a free field is one that the question has")
        if trouble is not None:
            raise trouble
        _remember(str(definition), encoder, uses)
        return cls(
            role=role,
            statistic=kind_of(statistic),
            placement=placement.kind,
            channel=channel,
            low=min((one.low for one in placed), default=low),
            high=max((one.high for one in placed), default=high),
            definition=str(definition),
            free=free,
            columns=_columns(encoder, free),
        )

    def where_empty(self, empty: str) -> Way:
        """The same way for questions that say where a user with nothing falls; as it is where they have a place.

        A digest does not tell what it is of: the way was made in this process, by `of` or `by`.
        """
        encoder, uses = _MADE[self.definition]
        if not encoder.statistic.silent:
            return self
        definition, _ = Asked(replace(encoder, empty=empty), uses).without(self.free)
        return replace(self, definition=str(definition))

    def departure(self, question: Question, asked: Asked | None = None) -> Malformed | None:
        """What of a question in this role stands nowhere in this line; None where all of it does.

        `asked` is the question as it is written, where several ways are held against it.
        """
        asked = Asked(question.encoder, question.uses) if asked is None else asked
        statistic, placement = question.encoder.statistic, question.encoder.placement
        found = (kind_of(statistic), placement.kind, question.channel.kind)
        announced = (self.statistic, self.placement, self.channel)
        if found != announced:
            return Malformed(f"it asks for {', '.join(found)}; announced: {', '.join(announced)}")
        if (width := question.encoder.dimension) > self.columns:
            return Malformed(f"it looks at {width} columns; announced: {self.columns}")
        low, high = reach_of(placement)
        if not self.low <= low <= high <= self.high:
            return Malformed(f"it asks from {low:g} to {high:g}; announced: {self.low:g} to {self.high:g}")
        for free in self.free:
            if not free.holds(_at(asked.plain, free.field)):
                most = f"{free.most:,} from {free.low:g} to {free.high:g} at most"
                return Malformed(f"its {free.field} is not as announced: {most}")
        definition, trouble = asked.without(self.free)
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


class Asked:
    """What a question asks as it is written: statistic, placement and uses. Each digest of it is computed once."""

    def __init__(self, encoder: Encoder, uses: int) -> None:
        self.plain: dict[str, Any] = to_plain(encoder) | {"uses": uses}
        self._known: dict[frozenset[str], tuple[str | None, Malformed | None]] = {}

    def without(self, free: tuple[Free, ...]) -> tuple[str | None, Malformed | None]:
        """The digest of what a device computes, the free fields left out, and which of its numbers are too close.

        There is none where one of the fields is not there. Numbers that are not whole count to ten digits: machines
        differ in the last of them.
        """
        fields = frozenset(one.field for one in free)
        if fields not in self._known:
            kept = _kept(self.plain, fields)
            digest = None if kept is None else canonical.digest(canonical.dumps(_rounded(kept)))
            self._known[fields] = digest, too_close(kept)
        return self._known[fields]


def _kept(plain: dict[str, Any], free: frozenset[str]) -> dict[str, Any] | None:
    """All but the free fields; None where one of them is not there."""
    kept = dict(plain)
    for field in sorted(free):
        *path, name = field.split(".")
        inner = kept
        for part in path:
            if not isinstance(inner.get(part), dict):
                return None
            inner[part] = dict(inner[part])
            inner = inner[part]
        if name not in inner:
            return None
        del inner[name]
    return kept


def _at(plain: Any, field: str) -> Any:
    """What stands in a field; None where there is no such field."""
    for part in field.split("."):
        plain = plain.get(part) if isinstance(plain, dict) else None
    return plain


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_rounded(held) for held in value]
    return float(f"{value:.10g}") if isinstance(value, float) and not value.is_integer() else value


def _columns(encoder: Encoder, free: tuple[Free, ...]) -> int:
    """How many columns are looked at, wherever they may be chosen."""
    chosen = [int(one.high) + 1 for one in free if one.field == COLUMNS]
    group = 0 if encoder.within is None else encoder.within.column + 1
    return max(chosen[0] if chosen else encoder.statistic.dimension, group)


def kind_of(statistic: Statistic) -> str:
    """The name of a statistic, and of the vector that it is of: ``"norm of categories"``."""
    vector = getattr(statistic, "vector", None)
    return statistic.kind if vector is None else f"{statistic.kind} of {vector.kind}"


def _kinds() -> frozenset[str]:
    """The names of all statistics that there are."""
    found: set[str] = set()
    for statistic in get_args(Statistic):
        vectors = get_type_hints(statistic).get("vector")
        held = () if vectors is None else get_args(vectors) or (vectors,)
        found |= {f"{statistic.kind} of {vector.kind}" for vector in held} or {statistic.kind}
    return frozenset(found)


STATISTICS = _kinds()
PLACEMENTS = frozenset(placement.kind for placement in get_args(Placement))
CHANNELS = frozenset(channel.kind for channel in get_args(Channel))


def reach_of(placement: Placement) -> tuple[float, float]:
    """The lowest and the highest number that a placement tells from its neighbours."""
    if isinstance(placement, Bins):
        return (placement.edges[0], placement.edges[-1]) if placement.edges else (0.0, 0.0)
    return min(placement.low), max(placement.high)
