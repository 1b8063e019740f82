"""A mean in each group, by levels from low to high."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.messages import Fact, Floats, Integers, Joint
from sottovoce.methods import Ratio, SymbolCounts, best_levels, check_size, mean_variance
from sottovoce.problems.group_support import (
    EXAMPLE_GROUPS,
    EXAMPLE_RANGE,
    GroupNumbers,
    GroupSupport,
    interval_inside,
    prediction_by_cause,
)
from sottovoce.problems.mean.settings import Mean
from sottovoce.problems.method import Example
from sottovoce.risk import ASSUMED_SPREAD, Crowd, Prediction

MOST_LEVELS = 64


class MeanInGroup(GroupSupport):
    """A device rounds its average to one of some levels, at random and without bias."""

    takes = ("low", "high", "levels")
    examples = (
        Example(method="dealt", name="mean", more=EXAMPLE_GROUPS | EXAMPLE_RANGE),
        Example(method="dealt", name="nobody", more=EXAMPLE_RANGE | {"observations": 6}),
    )

    def settings_of_problem(self, settings: Any, shared: dict[str, Any]) -> Mean:
        return Mean(**shared)

    def check(self, settings: Any, asked: Any) -> None:
        if settings.levels is not None:
            check_size("levels", settings.levels, MOST_LEVELS, least=2)

    def size(self, settings: Any) -> int:
        return settings.levels or best_levels(settings.epsilon, settings.copies, settings.assumed_share)

    def written_out(self, settings: Any) -> dict[str, Any]:
        return {"levels": settings.size}

    def names(self, settings: Any) -> tuple[Fact, ...]:
        return (Fact("name-mean"),)

    def statistic(self, settings: Any) -> Joint:
        half = (settings.high - settings.low) / 2
        return Joint(centres=(settings.low + half,), reach=half, levels=settings.size)

    def numbers_in_group(
        self, settings: Any, symbols: SymbolCounts, places: Integers, members: Floats, errors: float
    ) -> GroupNumbers:
        """From −1 at one end of the range to 1 at the other, and back."""
        low, high = self.declared(settings)
        half, middle = (high - low) / 2, (high + low) / 2
        weights = np.zeros_like(members)
        weights[places] = np.linspace(-1.0, 1.0, len(places))
        ratio = Ratio.of(symbols, weights, members)
        ends = interval_inside(ratio.interval(errors), -1.0, 1.0)
        value = min(1.0, max(-1.0, ratio.value))
        interval = (middle + half * ends[0], middle + half * ends[1])
        return (middle + half * value,), (interval,), (half * ratio.standard_error,)

    def prediction(self, settings: Any, crowd: Crowd) -> Prediction:
        share, width, reports = settings.assumed_share, settings.high - settings.low, settings.reports
        spread = ASSUMED_SPREAD if crowd.spread is None else min(0.5, crowd.spread / width)
        total = width**2 * mean_variance(settings.size, settings.epsilon, settings.copies, share, spread) / reports
        return prediction_by_cause(width**2 * spread**2 / share / reports, total)

    def truth_of_made_up(self, settings: Any, begins: float, wide: float) -> list[float]:
        return [settings.low + (settings.high - settings.low) * (begins + wide / 2)]

    def truth_of_data(self, settings: Any, values: Floats, whose: Integers, per_user: Integers) -> list[float]:
        averages = np.bincount(whose, weights=values) / np.maximum(1, np.bincount(whose))
        return [float(averages[per_user[: len(averages)] > 0].mean())]
