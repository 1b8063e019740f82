"""Where thresholds can lie: anywhere on the lattice of a range, or halfway between declared steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sottovoce.methods import rounded


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A range, and the steps in it if there are any.

    A *place* is a value whose F is asked about; the *threshold* of a question is the place itself, or half a step above
    it, so that observations that are not exactly on a step count as the nearest one. F is 1 at `high`: no place.
    """

    low: float
    high: float
    step: float | None = None

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def steps(self) -> int | None:
        """How many there are from end to end."""
        return None if self.step is None else round(self.width / self.step)

    def at(self, step: int) -> float:
        """The value so many steps above `low`."""
        assert self.steps is not None
        return self.low + self.width * (step / self.steps)

    def evenly(self, count: int) -> tuple[float, ...]:
        """About so many places, evenly spaced; every step where there are no more of them."""
        if self.steps is not None and self.steps <= count:
            return tuple(self.at(step) for step in range(self.steps))
        return self.nearest(self.low + self.width * part / (count + 1) for part in range(1, count + 1))

    def spanning(self, count: int) -> tuple[float, ...]:
        """The same for a first look, `low` among them: zeros are the commonest of all values that many share."""
        return tuple(sorted({self.low, *self.evenly(count - 1)}))

    def nearest(self, values: Iterable[float], *, below: bool = False) -> tuple[float, ...]:
        """The places at values, each once, in order; on steps the nearest, or the one `below`."""
        if self.steps is None:
            top = self.high - self.width * 2.0**-20
            return tuple(sorted({min(place, top) for place in rounded(values, self.low, self.high)}))
        found = set()
        for value in values:
            steps = (value - self.low) / self.width * self.steps
            step = math.floor(steps + 1e-6) if below else math.floor(steps + 0.5)
            found.add(min(self.steps - 1, max(0, step)))
        return tuple(self.at(step) for step in sorted(found))

    def step_of(self, value: float, *, up: bool = False) -> int:
        """How many whole steps a value is above `low`, rounded down or up."""
        assert self.steps is not None
        steps = (value - self.low) / self.width * self.steps
        return math.ceil(steps - 1e-6) if up else math.floor(steps + 1e-6)

    def thresholds(self, places: Sequence[float]) -> tuple[float, ...]:
        """What a question asks about these places."""
        if self.step is None:
            return tuple(places)
        return tuple(place + self.step / 2 for place in places)

    def above(self, value: float) -> float:
        """The least value at which a quantile can lie if it lies beyond a place."""
        return value if self.step is None else min(self.high, value + self.step)

    def on_step(self, value: float) -> float:
        """The step that a value has reached: itself where there are none."""
        if self.steps is None:
            return min(self.high, max(self.low, value))
        return self.at(min(self.steps, max(0, math.ceil((value - self.low) / self.width * self.steps - 1e-6))))
