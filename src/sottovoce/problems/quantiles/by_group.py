"""Quantiles in each group, by the bin that an observation lies in."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.messages import Categories, Fact, Floats, Grid, Integers, Interval, InvalidInput
from sottovoce.methods import MOST_BINS, Ratio, SymbolCounts, check_size, default_bins, isotonic
from sottovoce.problems.group_support import EXAMPLE_GROUPS, EXAMPLE_RANGE, ROUNDING, GroupNumbers, GroupSupport
from sottovoce.problems.method import Example
from sottovoce.problems.quantiles.answer import level_name
from sottovoce.problems.quantiles.settings import Quantiles
from sottovoce.problems.quantiles.world import on_steps, quantiles_of_numbers

MOST_STEPS = 256


class QuantilesInGroup(GroupSupport):
    """A device sends the bin, or the step, of one of its observations."""

    takes = ("low", "high", "q", "step", "bins")
    levels = True
    examples = (
        Example(
            method="dealt", name="quantiles", more=EXAMPLE_GROUPS | EXAMPLE_RANGE | {"of": "quantiles", "step": 1.0}
        ),
    )

    def settings_of_problem(self, settings: Any, shared: dict[str, Any]) -> Quantiles:
        enough = {"users": max(settings.users, MOST_BINS)}  # its own questions, which are not asked, need so many
        return Quantiles(**shared | enough, q=settings.q or (0.5,), step=settings.step)

    def check(self, settings: Any, asked: Any) -> None:
        if settings.bins is not None:
            if settings.step is not None:
                raise InvalidInput("step and bins say the same thing: with a step every value has a bin of its own")
            check_size("bins", settings.bins, MOST_STEPS, least=2)
        steps = asked.axis.steps
        if steps is not None and steps >= MOST_STEPS:
            raise InvalidInput(rule=f"a step makes at most {MOST_STEPS} values here", wrong=f"got {steps + 1:,}")

    def size(self, settings: Any) -> int:
        steps = settings.asked.axis.steps
        if steps is not None:
            return int(steps) + 1
        return settings.bins or default_bins(settings.epsilon, settings.reports, settings.assumed_share)

    def written_out(self, settings: Any) -> dict[str, Any]:
        return {"bins": settings.size} if settings.step is None else {}

    def names(self, settings: Any) -> tuple[str | Fact, ...]:
        return tuple(map(level_name, settings.asked.levels))

    def categories(self, settings: Any) -> Categories:
        """Bins between the thresholds."""
        axis = settings.asked.axis
        around = 0.0 if axis.step is None else axis.step / 2
        return Categories(places=Grid(low=(axis.low - around,), high=(axis.high + around,), count=settings.size))

    def numbers_in_group(
        self, settings: Any, symbols: SymbolCounts, places: Integers, members: Floats, errors: float
    ) -> GroupNumbers:
        """By the test of F = q at every threshold: a bin is left out where F is surely reached before it, or after it.

        The quantile lies in the first bin at whose end F is at least q. At the end of that bin the test that F is below
        q errs with half of what may go wrong, and so does at its beginning the test that F is at least q.
        """
        ratios = []
        for last in range(len(places) - 1):
            weights = np.zeros_like(members)
            weights[places[: last + 1]] = 1.0
            ratios.append(Ratio.of(symbols, weights, members))
        variance = np.array([max(ratio.standard_error**2, 1e-12) for ratio in ratios])
        below = np.clip(isotonic(np.array([ratio.value for ratio in ratios]), 1 / variance), 0.0, 1.0)
        value, intervals, error = [], [], []
        for q in settings.asked.levels:
            away = np.array([one.away(q) for one in ratios])  # above 0: F is above q
            reached, before = np.append(away, np.inf) >= -errors, np.concatenate(([-np.inf], away)) <= errors
            first, last = int(np.argmax(reached)), int(np.flatnonzero(before)[-1])
            first, last = min(first, last), max(first, last)
            value.append(_read(settings, below, q))
            intervals.append(_span(settings, first, last))
            error.append(ratios[min(len(ratios) - 1, int(np.searchsorted(below, q)))].standard_error)
        return tuple(value), tuple(intervals), tuple(error)

    def contrast(self, size: int) -> Floats:
        return np.where(np.arange(size) < size / 2, 0.5, -0.5)

    def truth_of_made_up(self, settings: Any, begins: float, wide: float) -> list[float]:
        axis = settings.asked.axis
        if axis.steps is None:
            return [axis.low + axis.width * (begins + wide * q) for q in settings.asked.levels]
        below = np.clip(((np.arange(axis.steps + 1) + 0.5) / axis.steps - begins) / wide, 0.0, 1.0)
        below[-1] = 1.0
        return [float(axis.value_at(int(np.argmax(below >= q - ROUNDING)))) for q in settings.asked.levels]

    def place_observations(self, settings: Any, unit: Floats) -> Floats:
        return on_steps(super().place_observations(settings, unit), settings.low, settings.step)

    def truth_of_data(self, settings: Any, values: Floats, whose: Integers, per_user: Integers) -> list[float]:
        return quantiles_of_numbers(settings.asked, values, whose, per_user)


def _span(settings: Any, first: int, last: int) -> Interval:
    """From the beginning of one bin to the end of another; with steps, from one value to the other."""
    axis, size = settings.asked.axis, settings.size
    if axis.step is not None:
        return axis.value_at(first), axis.value_at(last)
    return axis.low + axis.width * first / size, axis.low + axis.width * (last + 1) / size


def _read(settings: Any, below: Floats, q: float) -> float:
    """Where a function that rises reaches q: the step, or a place inside a bin by a straight line."""
    axis, size = settings.asked.axis, settings.size
    if axis.step is not None:
        return float(axis.value_at(int(np.searchsorted(np.append(below, 1.0), q - 1e-12))))
    heights, at = np.concatenate(([0.0], below, [1.0])), np.linspace(axis.low, axis.high, size + 1)
    right = int(np.clip(np.searchsorted(heights, q), 1, size))
    rise = heights[right] - heights[right - 1]
    part = (q - heights[right - 1]) / rise if rise > 0 else 0.5
    return float(at[right - 1] + (at[right] - at[right - 1]) * min(1.0, max(0.0, part)))
