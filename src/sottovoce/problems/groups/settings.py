"""What a survey declares that estimates in each group, or among those who have something."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import MAX_ITEMS, InvalidInput, canonical, digest
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import LOWEST, QUANTILES, Help, Observations, Other
from sottovoce.problems.groups.estimate import EVERYBODY
from sottovoce.problems.groups.levels import LEVELS, MOST_BINS, best_levels, default_bins
from sottovoce.problems.histogram import Histogram, check_labels
from sottovoce.problems.mean import Mean
from sottovoce.problems.quantiles import Quantiles
from sottovoce.schemes import check_choice, check_observations, check_size, is_whole

OF = ("mean", "histogram", "quantiles")
TAKES = {
    "mean": ("low", "high", "levels"),
    "histogram": ("low", "high", "categories", "other", "edges", "bins"),
    "quantiles": ("low", "high", "q", "step", "bins"),
}
"""What of the settings each of them takes."""
MOST_GROUPS = 1000
MOST_LEVELS = 64
MOST_STEPS = 256
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

    of: Annotated[Literal["mean", "histogram", "quantiles"], Help(text="what is estimated in each group")] = "mean"
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
        check_choice("of", self.of, OF)
        check_observations(self.observations)
        every = dict.fromkeys(name for names in TAKES.values() for name in names)
        for name in every:
            if name not in TAKES[self.of] and getattr(self, name) is not None:
                raise InvalidInput(f"{name} is not for a {self.of}: it takes {', '.join(TAKES[self.of])}")
        if self.groups:
            check_labels(self.groups, None, what="groups")
        if len(self.groups) > MOST_GROUPS:
            raise InvalidInput(rule=f"at most {MOST_GROUPS:,} groups", wrong=f"got {len(self.groups):,}")
        most = max(1, len(self.groups))
        if self.memberships is not None and not (is_whole(self.memberships) and 1 <= self.memberships <= most):
            raise InvalidInput(
                rule=f"memberships must be a whole number from 1 to {most}, the number of groups", got=self.memberships
            )
        if self.levels is not None:
            check_size("levels", self.levels, MOST_LEVELS, least=2)
        if self.of == "quantiles" and self.bins is not None:
            if self.step is not None:
                raise InvalidInput("step and bins say the same thing: with a step every value has a bin of its own")
            check_size("bins", self.bins, MOST_STEPS, least=2)
        self._check_asked()

    def _check_asked(self) -> None:
        """By the settings of the problem itself: what it refuses is refused here."""
        asked = self.asked
        if isinstance(asked, Quantiles) and asked.axis.steps is not None and asked.axis.steps >= MOST_STEPS:
            raise InvalidInput(
                rule=f"a step makes at most {MOST_STEPS} values here", wrong=f"got {asked.axis.steps + 1:,}"
            )
        if max(1, len(self.groups)) * self.size + 1 > MAX_ITEMS:
            raise InvalidInput(f"groups times categories are more than {MAX_ITEMS:,}:", fix="declare fewer of either")

    @cached_property
    def asked(self) -> Any:
        """The settings of the problem that is asked in each group."""
        if self.of != "histogram" and (self.low is None or self.high is None):
            missing = "low and high are needed: the range in which observations are declared to lie"
            raise InvalidInput(missing, code="missing-range")
        shared: dict[str, Any] = {
            "epsilon": self.epsilon,
            "users": self.users,
            "observations": self.observations,
            "confidence": self.confidence,
            "method": "one-round",
            "low": self.low,
            "high": self.high,
        }
        if self.of == "mean":
            return Mean(**shared)
        if self.of == "quantiles":
            few = {"users": max(self.users, MOST_BINS)}  # its own questions, which are not asked, need so many
            return Quantiles(**shared | few, q=self.q or (0.5,), step=self.step)
        return Histogram(**shared, categories=self.categories, other=self.other, edges=self.edges, bins=self.bins)

    def beyond(self, points: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        """By the first column: the other holds groups."""
        return super().beyond(points[:, :1])

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
    def copies(self) -> int:
        """How many groups share one alphabet of symbols."""
        return self.count if self.method == "joint" else 1

    @property
    def reports(self) -> float:
        """How many users answer for a group, or might."""
        return self.users if self.method == "joint" else self.users / self.count

    @cached_property
    def size(self) -> int:
        """How many symbols a group has, that for nothing not counted."""
        if self.of == "mean":
            return self.levels or best_levels(self.epsilon, self.copies, self.assumed_share)
        if self.of == "histogram":
            size: int = self.asked.size
            return size
        steps = self.asked.axis.steps
        return steps + 1 if steps is not None else self.bins or self._bins()

    def _bins(self) -> int:
        return default_bins(self.epsilon, self.reports, self.assumed_share)

    def with_table(self) -> ByGroup:
        """The same survey with its levels or bins written out: machines that replay it agree."""
        if self.of == "mean":
            return replace(self, levels=self.size)
        return replace(self, bins=self.size) if self.of == "quantiles" and self.step is None else self

    @cached_property
    def digest(self) -> str | None:
        """What a question calls the list of groups."""
        return digest(canonical.dumps(list(self.groups))) if self.groups else None


__all__ = ["EVERYBODY", "LEVELS", "ByGroup"]
