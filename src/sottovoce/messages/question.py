"""A question: who is asked, what a device computes, and the channel through which it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

import numpy as np

from sottovoce.messages import canonical
from sottovoce.messages.array_types import Integers
from sottovoce.messages.canonical import LEFT_OUT, from_plain, to_plain
from sottovoce.messages.channels import Channel, Subset
from sottovoce.messages.errors import Malformed
from sottovoce.messages.exact_arithmetic import exact
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import (
    MAX_EPSILON,
    MAX_GROUPS,
    MAX_QUESTION,
    MAX_SIMULATED_REPORT_BYTES,
    MAX_TEXT,
    MAX_USERS,
    MAX_USES,
    MAX_WAVES,
    MAX_WORK,
    check,
    check_price,
    report_bytes,
)
from sottovoce.messages.observation_filter import Within
from sottovoce.messages.placements import Grid, Knots, Placement, Position
from sottovoce.messages.statistics import Basis, Direction, Each, Share, Statistic, on_column
from sottovoce.messages.vectors import Needs

EMPTY = ("middle", "random", "last")


@dataclass(frozen=True, kw_only=True)
class Slots:
    """The users who are asked: slots ``first … first + count − 1``. Slots are dealt before anyone looks at data."""

    first: int
    count: int

    def __post_init__(self) -> None:
        check(self.first >= 0 and self.count >= 1, "slots: first counts from 0, count from 1")
        check(self.first + self.count <= MAX_USERS, f"at most {MAX_USERS} slots")

    def __contains__(self, slot: int) -> bool:
        return self.first <= slot < self.first + self.count


@dataclass(frozen=True, kw_only=True)
class Encoder:
    """A statistic of the whole collection, or of what lies `within` a group, then the place where it falls.

    `empty` says where a statistic falls that has nothing to speak of (NaN): in the middle, or where knots say; at a
    ``"random"`` input of the channel, all alike likely; at the ``"last"``, a place of its own where no statistic
    reaches it.
    """

    statistic: Statistic
    placement: Placement
    empty: str = field(default="middle", metadata=LEFT_OUT)
    within: Within | None = field(default=None, metadata=LEFT_OUT)

    def __post_init__(self) -> None:
        statistic, placement = self.statistic, self.placement
        check(self.empty in EMPTY, f"empty: {', '.join(EMPTY)}")
        if not statistic.silent and (self.empty != "middle" or self.within is not None):
            own = f"a {statistic.kind} has an answer of its own where nothing was observed ({statistic.nothing})"
            raise Malformed(f"{'within' if self.empty == 'middle' else 'empty'}: {own}")
        check(self.empty != "last" or placement.count is not None, "empty: a position has no last place, bins have")
        if self.within is None:
            return
        check(
            statistic.fits_within, "within: a statistic of one column, with one part, not one observation after another"
        )
        check(placement.parts == 1, "within: the placement has one range for all groups")
        check(not self.within.is_drawn or placement.count is not None, "within: a group that is drawn falls in bins")

    def on_column(self, column: int) -> Encoder:
        """The encoder, looking at the columns from `column` on."""
        within = None if self.within is None else replace(self.within, column=self.within.column + column)
        return replace(self, statistic=on_column(self.statistic, column), within=within)

    @property
    def needs(self) -> Needs:
        """What it needs of a collection: see `statistics`."""
        return self.statistic.needs if self.within is None else "rows"

    @property
    def draws(self) -> bool:
        """Whether the device draws lots to compute it."""
        drawn = self.within is not None and self.within.is_drawn
        return self.statistic.draws or self.empty == "random" or drawn

    @property
    def breadth(self) -> int:
        """How many numbers a user it needs at once."""
        return max(self.statistic.breadth, 1 if self.within is None else self.within.count + 1)

    @property
    def dimension(self) -> int:
        """How many columns of a collection it looks at, counted from the first."""
        return max(self.statistic.dimension, 0 if self.within is None else self.within.column + 1)

    @property
    def parts(self) -> int:
        """For how many groups of slots it has a definition of its own."""
        dealt = 1 if self.within is None or self.within.is_drawn else self.within.count
        return max(self.statistic.parts, self.placement.parts, dealt)

    @property
    def fact(self) -> Fact:
        """What is computed, for the owner of a device."""
        what = self.statistic.fact
        return what if self.within is None else Fact("computes-within", what=what, within=self.within.fact)

    @property
    def nothing(self) -> Fact:
        """What becomes of what was not observed, for the owner of a device."""
        code = self.statistic.nothing.code if self.empty == "middle" else f"nothing-{self.empty}"
        if code.startswith("nothing-middle") and isinstance(self.placement, Knots):
            return Fact("nothing-at", place=self.placement.nothing, group=self.within is not None)
        return Fact(code, group=self.within is not None)


@dataclass(frozen=True, kw_only=True)
class Question:
    """One round of a survey, as data.

    A user in slot s answers `uses` times, for groups ``(s − first + u) mod groups``, u = 0 … uses − 1. Privacy adds
    up over the uses: `epsilon` is what the whole report costs the whole collection.
    """

    VERSION: ClassVar[int] = 1

    survey: str
    round: int
    role: str
    slots: Slots
    encoder: Encoder
    channel: Channel
    epsilon: float
    groups: int = 1
    uses: int = 1
    version: int = 1

    def __post_init__(self) -> None:
        check(self.version == self.VERSION, f"version {self.VERSION} is the one this device speaks")
        check(0 < len(self.survey) <= MAX_TEXT and self.survey.isprintable(), "survey: a short printable name")
        check(0 < len(self.role) <= MAX_TEXT and self.role.isprintable(), "role: a short printable name")
        check(0 <= self.round <= 1000, "round: 0 to 1000")
        check(1 <= self.groups <= MAX_GROUPS, f"groups: 1 to {MAX_GROUPS}")
        check(1 <= self.uses <= MAX_USES, f"uses: 1 to {MAX_USES}")
        check(0 < self.epsilon <= MAX_EPSILON, f"epsilon: above 0, at most {MAX_EPSILON:g}")
        statistic, placement = self.encoder.statistic, self.encoder.placement
        check(statistic.parts in (1, self.groups), "the statistic has one part for all groups, or one for each")
        check(placement.parts in (1, self.groups), "the placement has one range for all groups, or one for each")
        check(self.uses <= self.groups or isinstance(statistic, Each), "a user answers at most once for each group")
        within = self.encoder.within
        dealt = within is None or self.groups == (1 if within.is_drawn else within.count)
        check(dealt, "within: users are dealt the groups of the column, or into one group where each draws its own")
        self._check_work()
        places = None if self.channel.kind == "laplace" else self.channel.span // self.channel.unit + 1
        if placement.count is not None:
            check(placement.count == places, "the bins and the channel's inputs differ in number")
        elif isinstance(placement, Knots):
            check(
                self.channel.kind == "table" and places == len(placement.places), "knots need a table of as many nodes"
            )
        else:
            check(self.channel.kind in ("table", "laplace"), "a position needs a table or laplace channel")
        if isinstance(statistic, Direction):
            check(self.groups == 1, "a direction has one group")
            check(
                isinstance(placement, Grid) and (placement.low, placement.high) == ((0.0,), (2.0 * statistic.rows,)),
                "a direction falls on a grid of its own symbols",
            )
            check(
                isinstance(self.channel, Subset) and (self.channel.items, self.channel.size) == (2 * statistic.rows, 1),
                "a direction needs a subset channel that sends one of its own symbols",
            )
        if statistic.signed:
            check(
                self.channel.kind == "laplace" and self.groups == 1, "signed sums need a laplace channel and one group"
            )
            check(
                isinstance(placement, Position) and placement.low[0] == -placement.high[0],
                "signed sums need a range that is symmetric about zero",
            )

    def _check_work(self) -> None:
        channel, statistic = self.channel, self.encoder.statistic
        held = max(channel.cells, channel.width, self.encoder.breadth)
        check(self.uses * held <= MAX_WORK, f"a device holds at most {MAX_WORK} numbers for one answer")
        check(self.groups * self.cells <= MAX_WORK, f"a tally has at most {MAX_WORK} cells")
        check(report_bytes(self.payload_bytes) <= MAX_SIMULATED_REPORT_BYTES, "a report fits its size limit")
        walks = self.uses if isinstance(statistic, (Share, Basis)) or self.encoder.within is not None else 1
        check(walks <= MAX_WAVES, f"a device walks through its observations at most {MAX_WAVES} times")

    @property
    def payload_bytes(self) -> int:
        """What a report to this question carries."""
        return self.uses * self.channel.payload_bytes

    @property
    def cells(self) -> int:
        """Cells of the tally for each group: the channel's, or the statistic's own sums and sums of squares."""
        own = self.encoder.statistic.cells
        return self.channel.cells if own is None else own

    def epsilon_bound(self) -> Fraction:
        """What the report costs at most, proven from the channel's integers; the declared ε is not used."""
        return self.uses * self.channel.epsilon_bound()

    def check_price(self, epsilon: Fraction) -> None:
        """Refuse a question whose report would be too large, or cost too little for its room in a ledger."""
        check_price(payload=self.payload_bytes, epsilon=epsilon)

    def keeps_declared_epsilon(self) -> bool:
        return self.epsilon_bound() <= exact(self.epsilon)

    def group_of(self, slots: Integers) -> Integers:
        """The groups each slot answers for: ``(n, uses)``."""
        if self.groups == 1:
            return np.zeros((len(slots), self.uses), dtype=np.int64)
        return (slots[:, None] - self.slots.first + np.arange(self.uses)[None, :]) % self.groups

    def most_answers(self) -> Integers:
        """How many answers each group gets when everybody asked reports."""
        rounds, rest = divmod(self.slots.count, self.groups)
        cycles, more = divmod(self.uses, self.groups)
        every = rounds * self.uses + cycles * rest
        if not (rest and more):
            return np.full(self.groups, every, dtype=np.int64)
        place = np.arange(rest + more - 1)  # slot number plus use, over those that fill no whole cycle
        pairs = np.minimum(np.minimum(place + 1, place[::-1] + 1), min(rest, more))
        answers = np.full(self.groups, every, dtype=np.int64)
        np.add.at(answers, place % self.groups, pairs)
        return answers

    def silent_groups(self, reports: Sequence[int]) -> int:
        """How many groups are missing before anything can be decided: groups that are asked the same are one."""
        silent = sum(1 for count in reports if count < 1)
        return silent if self.encoder.parts > 1 or silent == self.groups else 0

    def to_bytes(self) -> bytes:
        return canonical.dumps(to_plain(self))

    @classmethod
    def from_bytes(cls, data: bytes, *, digest: str | None = None) -> Question:
        """Read a question; anything but the canonical form of a valid one that a device may answer is `Malformed`.

        `digest` is that of `data`, from a caller who has just computed it.
        """
        asked = from_plain(cls, canonical.loads(data, size=MAX_QUESTION))
        asked.check_price(exact(asked.epsilon))
        vars(asked)["digest"] = canonical.digest(data) if digest is None else digest  # these are its bytes
        return asked

    @cached_property
    def digest(self) -> str:
        """The content address that reports and tallies carry."""
        return canonical.digest(self.to_bytes())
