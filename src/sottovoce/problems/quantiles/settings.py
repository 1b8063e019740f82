"""What surveys of a distribution declare: its quantiles, or the function itself at given points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from sottovoce.messages import InvalidInput
from sottovoce.methods import (
    check_declared,
    check_positive,
    check_public_seed,
    check_size,
    on_lattice,
)
from sottovoce.problems.base import Settings
from sottovoce.problems.fields import (
    QUANTILES,
    Empty,
    EmptyAtMost,
    Help,
    Low,
    Observations,
    Spread,
    check_spread_in_range,
)


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

    def value_at(self, step: int) -> float:
        """The value so many steps above `low`."""
        assert self.steps is not None
        return self.low + self.width * (step / self.steps)

    def evenly(self, count: int) -> tuple[float, ...]:
        """About so many places, evenly spaced; every step where there are no more of them."""
        if self.steps is not None and self.steps <= count:
            return tuple(self.value_at(step) for step in range(self.steps))
        return self.nearest(self.low + self.width * part / (count + 1) for part in range(1, count + 1))

    def spanning(self, count: int) -> tuple[float, ...]:
        """Places for a first look, `low` among them: zeros are the commonest of all values that many share."""
        return tuple(sorted({self.low, *self.evenly(count - 1)}))

    def nearest(self, values: Iterable[float], *, below: bool = False) -> tuple[float, ...]:
        """The places at values, each once, in order; on steps the nearest, or the one `below`."""
        if self.steps is None:
            top = self.high - self.width * 2.0**-20
            return tuple(sorted({min(place, top) for place in on_lattice(values, self.low, self.high)}))
        steps = (math.floor(self.steps_above_low(value) + (1e-6 if below else 0.5)) for value in values)
        return tuple(self.value_at(step) for step in sorted({min(self.steps - 1, max(0, step)) for step in steps}))

    def steps_above_low(self, value: float) -> float:
        """How many steps a value is above `low`, those between two included: 1.5 is halfway from the first on."""
        assert self.steps is not None
        return (value - self.low) / self.width * self.steps

    def thresholds(self, places: Sequence[float]) -> tuple[float, ...]:
        """What a question asks about these places."""
        if self.step is None:
            return tuple(places)
        return tuple(place + self.step / 2 for place in places)

    def on_step(self, value: float) -> float:
        """The step that a value has reached: itself where there are none."""
        if self.steps is None:
            return min(self.high, max(self.low, value))
        return self.value_at(min(self.steps, max(0, math.ceil(self.steps_above_low(value) - 1e-6))))


MOST_LEVELS = 32
MOST_POINTS = 64
POINTS = 16
_FINEST = 2.0**-18
"""A step that is a smaller part of the range is none: numbers that go into questions are rounded to 2^-20 of it."""


@dataclass(frozen=True, kw_only=True)
class DistributionSettings(Settings):
    """What both surveys share."""

    low: Low
    high: Annotated[float, Help(text="highest declared value; observations beyond count as this one", metavar="H")]
    observations: Observations
    step: Annotated[
        float | None,
        Help(
            text="declares that observations are whole steps apart: low, low + step, …, high",
            metavar="S",
            default="any number",
        ),
    ] = None
    spread: Spread = None
    empty: Empty = "middle"
    empty_at_most: EmptyAtMost = 0.0
    public_seed: Annotated[
        int,
        Help(
            text="seed of the public directions that questions speak of",
            metavar="SEED",
            group="hidden",
            check=check_public_seed,
        ),
    ] = 0

    def check(self) -> None:
        super().check()
        check_declared(self.low, self.high)
        width = self.axis.width
        check_positive("step", self.step)
        if self.step is not None:
            steps = width / self.step
            if steps * _FINEST > 1 or abs(steps - round(steps)) > 1e-6 or round(steps) < 1:
                raise InvalidInput(
                    rule=f"step must divide high − low = {width:g} into whole steps, at most {round(1 / _FINEST):,} "
                    "of them",
                    wrong=f"got {self.step!r}, which makes {steps:g}",
                )
        check_spread_in_range(self.spread, width)

    @property
    def axis(self) -> Axis:
        """Where thresholds can lie."""
        return Axis(low=self.low, high=self.high, step=self.step)

    @property
    def levels(self) -> tuple[float, ...]:
        """Levels of the quantiles that are wanted; none where the function itself is."""
        return ()

    @property
    def places(self) -> tuple[float, ...]:
        """Where the function itself is wanted; nowhere where its quantiles are."""
        return ()

    @property
    def answer_width(self) -> float:
        """How far apart two values of the answer can lie: shares, or numbers of the range."""
        return self.high - self.low if self.levels else 1.0


@dataclass(frozen=True, kw_only=True)
class Quantiles(DistributionSettings):
    """Quantiles of the observations on [low, high] from `users` users with about `observations` observations each.

    The distribution function F(t) is the average over users of the share of their own observations up to t, so that
    everybody counts alike; the quantile at q is where F reaches q, with a `step` the smallest of low, low + step, … at
    which F is at least q. Observations between two steps count as the nearer one.

    `method`: ``"one-round"`` asks everybody once about the whole range; ``"adaptive"`` asks a quarter of the users
    about the whole range, then the others about thresholds close to the quantiles, through direction reports where
    users turn out to be alike, one number or item each where they differ. ``"auto"`` takes one-round, unless adaptive
    promises less than .7 of its mean squared error, on average over users alike and users whose own means differ by a
    tenth of the range (or for the `spread` stated).

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP for the whole collection, its length included.

    Accuracy
    --------
    One round: error of the shares of order 1/(ε√n), whatever T is. Adaptive: of order 1/(ε√(nT)) for users alike. The
    guarded intervals hold whatever the users are.
    """

    q: Annotated[float | tuple[float, ...], QUANTILES] = (0.5,)

    def __post_init__(self) -> None:
        if isinstance(self.q, (int, float)):
            object.__setattr__(self, "q", (float(self.q),))
        super().__post_init__()

    def check(self) -> None:
        super().check()
        levels = self.levels
        usable = [isinstance(q, float) and 0 < q < 1 for q in levels]
        if not usable or not all(usable) or any(right <= left for left, right in pairwise(levels)):
            percent = ",".join(f"{level / 100:g}" for level in levels) if all(5 <= q < 100 for q in levels) else ""
            raise InvalidInput(
                rule="q must hold levels strictly between 0 and 1, in rising order",
                got=self.q,
                fix=f"did you mean {percent}?" if percent else "",
            )
        if len(usable) > MOST_LEVELS:
            raise InvalidInput(f"q holds {len(usable)} levels; at most {MOST_LEVELS}, or ask for the cdf")

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels as a tuple, however they were given."""
        return self.q if isinstance(self.q, tuple) else (self.q,)


@dataclass(frozen=True, kw_only=True)
class Cdf(DistributionSettings):
    """The distribution function at points of [low, high] from `users` users with about `observations` each.

    F(t) is the average over users of the share of their own observations up to t. `points` are where it is wanted; left
    out, there are `count` of them, evenly spaced, or one at every step. The methods are those of `Quantiles`, with
    these points as thresholds.

    Privacy
    -------
    Every user answers one question; the report is `epsilon`-LDP for the whole collection, its length included.

    Accuracy
    --------
    One round: of order √points/(ε√n), whatever T is. Adaptive: of order √points/(ε√(nT)) for users alike. The band
    holds at all points at once, whatever the users are.
    """

    points: Annotated[
        tuple[float, ...], Help(text="where it is wanted", metavar="X,…", default="evenly spaced", free=True)
    ] = ()
    count: Annotated[
        int | None,
        Help(
            text=f"how many evenly spaced points, 1 to {MOST_POINTS}",
            metavar="K",
            default=f"{POINTS}, or one at every step of up to {MOST_POINTS}",
        ),
    ] = None

    def check(self) -> None:
        super().check()
        inside = all(isinstance(point, float) and self.low <= point < self.high for point in self.points)
        if not inside or any(right <= left for left, right in pairwise(self.points)):
            raise InvalidInput(
                rule=f"points must lie in [{self.low:g}, {self.high:g}), in rising order",
                wrong=f"at {self.high:g} the share is 1",
            )
        if self.points and self.count is not None:
            raise InvalidInput("points and count say the same thing", fix="give one of them")
        if len(self.points) > MOST_POINTS:
            raise InvalidInput(f"points has {len(self.points)} entries; at most {MOST_POINTS}")
        if self.count is not None:
            check_size("count", self.count, MOST_POINTS)
        if self.step is not None and len(self.places) < len(self.points):
            raise InvalidInput(rule="points must be at least one step apart")

    @property
    def places(self) -> tuple[float, ...]:
        """The points as thresholds."""
        if self.points:
            return self.axis.nearest(self.points, below=True)
        if self.count is None and self.axis.steps is not None and self.axis.steps <= MOST_POINTS:
            return self.axis.evenly(self.axis.steps)
        return self.axis.evenly(self.count or POINTS)
