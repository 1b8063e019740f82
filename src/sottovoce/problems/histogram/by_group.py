"""Shares of categories or bins in each group."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.messages import Categories, Floats, Integers, Interval
from sottovoce.methods import Ratio, SymbolCounts, to_simplex
from sottovoce.problems.group_support import (
    EXAMPLE_GROUPS,
    GroupNumbers,
    GroupSupport,
    interval_inside,
    weights_of_observations,
)
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.world import weights_by_category
from sottovoce.problems.method import Example


class SharesInGroup(GroupSupport):
    """A device sends the category of one of its observations."""

    takes = ("low", "high", "categories", "other", "edges", "bins")
    needs_range = False
    shares = True
    examples = (
        Example(
            method="joint",
            name="histogram",
            more=EXAMPLE_GROUPS | {"of": "histogram", "categories": ("no", "yes"), "memberships": 1},
        ),
    )

    def settings_of_problem(self, settings: Any, shared: dict[str, Any]) -> Histogram:
        declared = {name: getattr(settings, name) for name in ("categories", "other", "edges", "bins")}
        return Histogram(**shared, **declared)

    def size(self, settings: Any) -> int:
        size: int = settings.asked.size
        return size

    def declared(self, settings: Any) -> Interval:
        return 0.0, 1.0

    def names(self, settings: Any) -> tuple[str, ...]:
        return tuple(settings.asked.labels)

    def categories(self, settings: Any) -> Categories:
        categories: Categories = settings.asked.vector
        return categories

    def numbers_in_group(
        self, settings: Any, symbols: SymbolCounts, places: Integers, members: Floats, errors: float
    ) -> GroupNumbers:
        ratios = []
        for place in places:
            weights = np.zeros_like(members)
            weights[place] = 1.0
            ratios.append(Ratio.of(symbols, weights, members))
        value = to_simplex(np.array([ratio.value for ratio in ratios]))
        ends = tuple(interval_inside(ratio.interval(errors), 0.0, 1.0) for ratio in ratios)
        return tuple(value.tolist()), ends, tuple(ratio.standard_error for ratio in ratios)

    def contrast(self, size: int) -> Floats:
        return np.asarray(np.eye(size)[0] - 1 / size)

    def truth_of_made_up(self, settings: Any, begins: float, wide: float) -> list[float]:
        edges = np.linspace(0.0, 1.0, settings.size + 1)
        return [float(share) for share in np.diff(np.clip((edges - begins) / wide, 0.0, 1.0))]

    def place_observations(self, settings: Any, unit: Floats) -> Floats:
        number = np.minimum(np.floor(unit * settings.size), settings.size - 1).astype(np.int64)
        if settings.asked.bounds is None:
            return np.asarray(number, dtype=np.float64)
        edges = np.asarray(settings.asked.bounds)
        return np.asarray(edges[number] + (edges[number + 1] - edges[number]) * 0.5)

    def truth_of_data(self, settings: Any, values: Floats, whose: Integers, per_user: Integers) -> list[float]:
        shares = weights_by_category(settings.asked, values, weights_of_observations(whose, per_user))
        return [float(share) for share in shares]
