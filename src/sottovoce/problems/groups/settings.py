"""What a survey declares that estimates in each group, or among those who have something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_ITEMS, InvalidInput, canonical, digest
from sottovoce.methods import MOST_BINS, check_labels, is_whole
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import LOWEST, QUANTILES, Help, Observations, Other
from sottovoce.problems.group_support import GROUP_SUPPORTS, GroupSupport, asked_in_groups
from sottovoce.problems.groups.answer import EVERYBODY

MOST_GROUPS = 1000
JOINT = "joint"
"""The method whose groups share one alphabet."""
COLUMN = 1
"""Where the number of the group stands; the number that is observed stands first."""
UNKNOWN_SHARE = 0.5
"""The share of the users who have something in a group, for predictions, where nobody says in how many they have."""


@dataclass(frozen=True, kw_only=True)
class ByGroup(Settings):
    """A mean, histogram or quantiles in each of some groups, or, without any, among the users who have something.

    Every observation is in one of the declared `groups`, or in none. The estimand of a group is the average over the
    users who have an observation in it of their own mean (or shares, or distribution) within it: everybody counts
    once in every group that they have something in, however much that is. Who has what in which group stays private:
    no slot, wave or question depends on it, and "I have nothing there" is a symbol like any other.

    `method`: ``"dealt"`` deals every slot a group beforehand, and its device answers for that group only, with a level
    or the symbol for nothing. ``"joint"`` asks everybody at once for a symbol that says group and level together; a
    user who has something in several groups draws one of them, so that it is for `memberships` = 1 only, where that
    makes no difference. ``"auto"`` takes what is predicted to be better.

    `memberships` is the public guess of how many groups a user has something in. A mean is asked for with `levels`
    levels from low to high, to which a device rounds its average at random and without bias; left out, as many as
    promise the least error. Quantiles are asked for by `bins` between low and high, or by every `step`.

    Without groups this is the estimate with ``empty="symbol"``: users who have nothing say so, and count nowhere.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP for the whole collection: its length, and in which
    groups it has something, included.

    Accuracy
    --------
    Dealt: a group has n/G of the users, and of those the share W who have something in it: error of order
    1/(εW√(n/G)). Joint: of order 1/(εW√n). Intervals are Fieller's: they hold whatever the users are, once a few
    dozen reports add up; where a group is too small to be told from nothing, they are the whole range, and it is said.
    """

    of: Annotated[str, Help(text="what is estimated in each group", choices=asked_in_groups)] = "mean"
    observations: Observations
    groups: Annotated[
        tuple[str, ...],
        Help(
            text="labels of the groups, or @FILE with a label to a line",
            metavar="A,B,…",
            free=True,
            default="none: everybody who has something",
        ),
    ] = ()
    memberships: Annotated[
        int | None,
        Help(
            text="in how many groups a user has something, as the survey declares it",
            metavar="M",
            default="not known",
        ),
    ] = None
    low: Annotated[float | None, LOWEST] = None
    high: Annotated[float | None, Help(text="highest declared value; what lies beyond is clamped", metavar="H")] = None
    levels: Annotated[
        int | None,
        Help(text="levels that a mean is rounded to, ends included", metavar="K", default="by predicted error"),
    ] = None
    categories: Annotated[
        tuple[str, ...] | None,
        Help(text="for a histogram: labels of the categories, or @FILE", metavar="A,B,…", free=True),
    ] = None
    other: Other = None
    edges: Annotated[
        tuple[float, ...] | None,
        Help(text="for a histogram: edges of bins, ends included", metavar="X,X,…", free=True),
    ] = None
    bins: Annotated[
        int | None,
        Help(
            text="how many equal bins from low to high",
            metavar="K",
            default=f"for quantiles, up to {MOST_BINS} by the number of users",
        ),
    ] = None
    q: Annotated[float | tuple[float, ...] | None, QUANTILES] = None
    step: Annotated[
        float | None,
        Help(text="for quantiles: observations are low, low + step, …, high", metavar="S", default="any number"),
    ] = None

    def __post_init__(self) -> None:
        if isinstance(self.q, (int, float)):
            object.__setattr__(self, "q", (float(self.q),))
        super().__post_init__()

    def check(self) -> None:
        super().check()
        takes = self.in_group.takes
        for name in dict.fromkeys(name for one in GROUP_SUPPORTS.values() for name in one.takes):
            if name not in takes and getattr(self, name) is not None:
                raise InvalidInput(f"{name} is not for a {self.of}: it takes {', '.join(takes)}")
        if self.groups:
            check_labels("groups", self.groups)
        if len(self.groups) > MOST_GROUPS:
            raise InvalidInput(rule=f"at most {MOST_GROUPS:,} groups", wrong=f"got {len(self.groups):,}")
        most = self.count
        if self.memberships is not None and not (is_whole(self.memberships) and 1 <= self.memberships <= most):
            raise InvalidInput(
                rule=f"memberships must be a whole number from 1 to {most}, the number of groups", got=self.memberships
            )
        self.in_group.check(self, self.asked)
        if most * self.size + 1 > MAX_ITEMS:
            raise InvalidInput(f"groups times categories are more than {MAX_ITEMS:,}:", fix="declare fewer of either")

    @property
    def in_group(self) -> GroupSupport:
        """How it is asked for in one group."""
        return GROUP_SUPPORTS[self.of]

    @cached_property
    def asked(self) -> Any:
        """The settings of the problem that is asked in each group."""
        if self.in_group.needs_range and (self.low is None or self.high is None):
            missing = "low and high are needed: the range in which observations are declared to lie"
            raise InvalidInput(missing, code="missing-range")
        names = ("epsilon", "users", "observations", "confidence", "low", "high")
        return self.in_group.settings_of_problem(
            self, {name: getattr(self, name) for name in names} | {"method": "one-round"}
        )

    def points_outside(self, points: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        """By the first column: the other holds groups."""
        return super().points_outside(points[:, :1])

    @property
    def count(self) -> int:
        """How many groups there are to speak of: one, everybody, where none is declared."""
        return max(1, len(self.groups))

    @property
    def labels(self) -> tuple[str, ...]:
        """What to call each group."""
        return self.groups or (EVERYBODY,)

    @property
    def assumed_share(self) -> float:
        """The share of the users who have something in a group, for predictions."""
        if not self.groups:
            return 1.0
        return UNKNOWN_SHARE if self.memberships is None else min(1.0, self.memberships / self.count)

    @property
    def joint(self) -> bool:
        """Whether all groups share one alphabet of symbols; else each has its own, and its own part of the users."""
        return self.method == JOINT

    @property
    def copies(self) -> int:
        """How many groups share one alphabet of symbols."""
        return self.count if self.joint else 1

    @property
    def symbols(self) -> int:
        """How many symbols an alphabet has, that for nothing counted."""
        return self.copies * self.size + 1

    @property
    def reports(self) -> float:
        """How many users answer for a group, or might."""
        return self.users if self.joint else self.users / self.count

    @cached_property
    def size(self) -> int:
        """How many symbols a group has, that for nothing not counted."""
        return self.in_group.size(self)

    @property
    def width(self) -> float:
        """Between the ends that a number of a group can lie at."""
        low, high = self.in_group.declared(self)
        return high - low

    def with_table(self) -> ByGroup:
        """The same survey with its levels or bins written out: machines that replay it agree."""
        return replace(self, **self.in_group.written_out(self))

    @cached_property
    def digest(self) -> str | None:
        """What a question calls the list of groups."""
        return digest(canonical.dumps(list(self.groups))) if self.groups else None
