"""What groups ask of a problem: how its numbers in one group are asked for, found, shown and made up.

A problem that may be asked in each group has an `GroupSupport` in its folder. `settings` are those of groups, with the
problem's own under `settings.asked`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from sottovoce.messages import Categories, Category, Fact, Floats, Integers, Interval, Statistic
from sottovoce.methods import SymbolCounts, contrast_variance
from sottovoce.problems.method import Example
from sottovoce.risk import Crowd, Prediction

GroupNumbers = tuple[tuple[float, ...], tuple[Interval, ...], tuple[float, ...]]
"""Numbers of a group, their intervals and standard errors; of a quantile, that of the share below it."""
ROUNDING = 1e-9
EXAMPLE_GROUPS = {"groups": ("arts", "law", "science"), "observations": 6}
EXAMPLE_RANGE = {"low": 1.0, "high": 5.0}


class GroupSupport(ABC):
    """A problem in one group of several: a value."""

    takes: ClassVar[tuple[str, ...]]
    """What of the settings of groups it takes."""
    examples: ClassVar[tuple[Example, ...]]
    """Small surveys of groups that ask for it."""
    needs_range: ClassVar[bool] = True
    shares: ClassVar[bool] = False
    """Whether its numbers are shares of categories."""
    levels: ClassVar[bool] = False
    """Whether its numbers are quantiles of some levels."""

    @abstractmethod
    def settings_of_problem(self, settings: Any, shared: dict[str, Any]) -> Any:
        """The settings of the problem itself; `shared` are those that every problem has."""

    def check(self, settings: Any, asked: Any) -> None:
        """Refuse what cannot be asked in groups; `asked` has been held to what the problem itself refuses."""
        return

    @abstractmethod
    def size(self, settings: Any) -> int:
        """How many symbols a group has, that for nothing not counted."""

    def written_out(self, settings: Any) -> dict[str, Any]:
        """Settings that were left out, as they are taken: machines that replay a survey agree."""
        return {}

    def declared(self, settings: Any) -> Interval:
        """Where the numbers of a group can lie."""
        return settings.low, settings.high

    @abstractmethod
    def names(self, settings: Any) -> tuple[str | Fact, ...]:
        """What the numbers of a group are called."""

    def categories(self, settings: Any) -> Categories:
        """The categories of an observation."""
        raise NotImplementedError("asked for where the statistic is a category")

    def statistic(self, settings: Any) -> Statistic:
        """What a device computes: j + ½ for symbol j of a group."""
        return Category(vector=self.categories(settings))

    @abstractmethod
    def numbers_in_group(
        self, settings: Any, symbols: SymbolCounts, places: Integers, members: Floats, errors: float
    ) -> GroupNumbers:
        """What the symbols of a group say, which stand at `places`; `members` has a 1 at each."""

    def contrast(self, size: int) -> Floats:
        """Weights of the symbols whose sum is the number that a prediction is of."""
        raise NotImplementedError("asked for where predictions are those of a contrast")

    def prediction(self, settings: Any, crowd: Crowd) -> Prediction:
        """The error to expect, for observations that are spread evenly."""
        share, size, (low, high) = settings.assumed_share, settings.size, self.declared(settings)
        law, weights, scale = np.full(size, 1 / size), self.contrast(size), (high - low) ** 2
        total = (
            scale
            * contrast_variance(weights, law, settings.epsilon, settings.copies, share)
            / share**2
            / settings.reports
        )
        return prediction_by_cause(scale * float(law @ weights**2) / share / settings.reports, total)

    @abstractmethod
    def truth_of_made_up(self, settings: Any, begins: float, wide: float) -> list[float]:
        """The numbers of made-up users, uniform over this part of the range."""

    def place_observations(self, settings: Any, unit: Floats) -> Floats:
        """Made-up observations, from [0, 1] to the declared range, bins or categories."""
        return np.asarray(settings.low + (settings.high - settings.low) * unit)

    @abstractmethod
    def truth_of_data(self, settings: Any, values: Floats, whose: Integers, per_user: Integers) -> list[float]:
        """The numbers of given observations in a group: `whose` each is, and how many each user has there."""


def prediction_by_cause(sampling: float, total: float) -> Prediction:
    """A variance by cause."""
    sampling = min(sampling, total)
    return Prediction(sampling=sampling, privacy=total - sampling)


def interval_inside(ends: Interval | None, low: float, high: float) -> Interval:
    """An interval inside a range, or all of it."""
    if ends is None:
        return low, high
    return min(high, max(low, ends[0])), max(low, min(high, ends[1]))


def weights_of_observations(whose: Integers, per_user: Integers) -> Floats:
    """What each observation counts: a user counts once, however many there are."""
    return np.asarray(1 / per_user[whose] / np.count_nonzero(per_user))


GROUP_SUPPORTS: dict[str, GroupSupport] = {}
"""By the name of the problem; `groups.by_group` fills it, which the registry calls."""


def asked_in_groups() -> tuple[str, ...]:
    """Names of the problems that may be asked in each group."""
    return tuple(GROUP_SUPPORTS)
