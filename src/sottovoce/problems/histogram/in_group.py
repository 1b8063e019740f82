"""Shares of categories or bins in each group."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.messages import Categories, Floats, Integers, Interval
from sottovoce.methods import Ratio, Symbols, to_simplex
from sottovoce.problems.group_support import EXAMPLE_GROUPS, Found, GroupSupport, clipped, shares_of_users
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

    def asked(self, settings: Any, shared: dict[str, Any]) -> Histogram:
        own = {name: getattr(settings, name) for name in ("categories", "other", "edges", "bins")}
        return Histogram(**shared, **own)

    def size(self, settings: Any) -> int:
        size: int = settings.asked.size
        return size

    def declared(self, settings: Any) -> Interval:
        return 0.0, 1.0

    def names(self, settings: Any) -> tuple[str, ...]:
        return tuple(settings.asked.labels)

    def categories(self, settings: Any) -> Categories:
        found: Categories = settings.asked.vector
        return found

    def found(self, settings: Any, symbols: Symbols, places: Integers, own: Floats, errors: float) -> Found:
        ratios = []
        for place in places:
            weights = np.zeros_like(own)
            weights[place] = 1.0
            ratios.append(Ratio.of(symbols, weights, own))
        value = to_simplex(np.array([ratio.value for ratio in ratios]))
        ends = tuple(clipped(ratio.interval(errors), 0.0, 1.0) for ratio in ratios)
        return tuple(value.tolist()), ends, tuple(ratio.standard_error for ratio in ratios)

    def contrast(self, size: int) -> Floats:
        return np.asarray(np.eye(size)[0] - 1 / size)

    def truth_of_made_up(self, settings: Any, begins: float, wide: float) -> list[float]:
        edges = np.linspace(0.0, 1.0, settings.size + 1)
        return [float(share) for share in np.diff(np.clip((edges - begins) / wide, 0.0, 1.0))]

    def placed(self, settings: Any, unit: Floats) -> Floats:
        number = np.minimum(np.floor(unit * settings.size), settings.size - 1).astype(np.int64)
        if settings.asked.bounds is None:
            return np.asarray(number, dtype=np.float64)
        edges = np.asarray(settings.asked.bounds)
        return np.asarray(edges[number] + (edges[number + 1] - edges[number]) * 0.5)

    def truth_of_data(self, settings: Any, values: Floats, whose: Integers, held: Integers) -> list[float]:
        shares = weights_by_category(settings.asked, values, shares_of_users(whose, held))
        return [float(share) for share in shares]
