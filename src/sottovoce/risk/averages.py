"""How the users' own averages are spread: the only thing about a population that an error depends on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

import numpy as np

from sottovoce.messages import Fact, Floats, InvalidInput
from sottovoce.risk.votes import winning_chances

ATOMS = 1024
_NORMAL_BELOW = 0.04
"""Up to this share of the largest possible variance a bell is drawn, above it a beta law, which stays in the range."""
_TWO_ENDS = 0.02
"""A beta law with a + b below this is its two ends; chosen by hand: its quantiles are hard to find, and lie there."""
_FAR, _STEPS = 40.0, 5
"""How far a beta law is followed in log x/(1 − x), beyond which x is 0 or 1, and how often a quantile is corrected."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Averages:
    """Users' averages as points with weights that sum to one."""

    points: Floats = field(repr=False)
    weights: Floats = field(repr=False)

    @classmethod
    def of(cls, averages: Floats) -> Averages:
        """The law of the averages of given users, each with the same weight."""
        points = np.sort(np.asarray(averages, dtype=np.float64).ravel())
        return cls(points=points, weights=np.full(len(points), 1 / len(points)))

    @classmethod
    def spread(cls, *, mean: float, deviation: float, low: float, high: float) -> Averages:
        """A bell of this mean and deviation; where it would leave [low, high], the beta law with the same two."""
        room = (mean - low) * (high - mean)
        share = min(1.0, deviation * deviation / room) if room > 0 else 0.0
        if share < 1e-18:
            return cls(points=np.array([mean]), weights=np.ones(1))
        if share < _NORMAL_BELOW * (1 - 1e-9):  # it is 1/T for users alike, and must not depend on its last digit
            points = mean + deviation * _bell()
            return cls(points=np.clip(points, low, high), weights=np.full(ATOMS, 1 / ATOMS))
        return _beta((mean - low) / (high - low), share, low, high)

    @cached_property
    def mean(self) -> float:
        return float(self.weights @ self.points)

    @cached_property
    def variance(self) -> float:
        return float(self.weights @ (self.points - self.mean) ** 2)

    def shares(self, edges: Floats) -> Floats:
        """How much of the law lies between neighbouring edges; what lies outside belongs to the outermost bins."""
        index = np.clip(np.searchsorted(edges, self.points, side="right") - 1, 0, len(edges) - 2)
        counts = np.bincount(index, weights=self.weights, minlength=len(edges) - 1)
        return np.asarray(counts, dtype=np.float64)

    def winner(self, edges: Floats, *, voters: int, keep: float, reach: int) -> Floats:
        """The chance of each bin to win a vote among users with these averages."""
        return winning_chances(self.shares(edges), voters=voters, keep=keep, reach=reach)

    def clamped(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of the averages clamped to each of several intervals."""
        points = np.clip(self.points, low[:, None], high[:, None])
        means = points @ self.weights
        return means, ((points - means[:, None]) ** 2) @ self.weights


@cache
def _bell() -> Floats:
    """Quantiles of a normal law, by the standard library: scipy would take as long to load as all else."""
    from statistics import NormalDist

    upper = [NormalDist().inv_cdf((place + 0.5) / ATOMS) for place in range(ATOMS // 2, ATOMS)]
    points = np.concatenate((-np.array(upper[::-1]), upper))
    return np.asarray(points / points.std(), dtype=np.float64)


def _beta(mean: float, share: float, low: float, high: float) -> Averages:
    """The beta law whose variance is `share` of the largest, mean·(1 − mean); at 1 it is the two ends."""
    size = 1 / share - 1  # a + b
    if size < _TWO_ENDS:
        points, weights = np.array([0.0, 1.0]), np.array([1 - mean, mean])
    else:
        points, weights = _beta_quantiles(mean * size, (1 - mean) * size), np.full(ATOMS, 1 / ATOMS)
    return Averages(points=low + (high - low) * points, weights=weights)


@lru_cache(maxsize=64)
def _beta_quantiles(a: float, b: float) -> Floats:
    """Quantiles of a beta law on [0, 1]; by sums, since scipy would take as long to load as all else.

    In t = log x/(1 − x) the law is smooth, with tails e^{at} and e^{−bt}: cells of a quarter, five nodes of
    Gauss and Legendre in each, and Newton's steps from the cell in which a quantile lies.
    """
    nodes, parts = np.polynomial.legendre.leggauss(5)

    def mass(start: Floats, stop: Floats) -> Floats:
        half = (stop - start) / 2
        t = (start + half)[None] + half[None] * nodes[:, None]
        return np.asarray(half * (parts @ np.exp(a * t - (a + b) * np.logaddexp(0, t))))

    edges = np.arange(-_FAR, _FAR + 0.125, 0.25)
    below = math.exp(-_FAR * a) / a + np.concatenate(([0.0], np.cumsum(mass(edges[:-1], edges[1:]))))
    targets = (np.arange(ATOMS) + 0.5) / ATOMS * (below[-1] + math.exp(-_FAR * b) / b)
    cell = np.clip(np.searchsorted(below, targets) - 1, 0, len(edges) - 2)
    start, stop = edges[cell], edges[cell + 1]
    t = start + (stop - start) * np.clip((targets - below[cell]) / (below[cell + 1] - below[cell]), 0, 1)
    for _ in range(_STEPS):
        density = np.exp(a * t - (a + b) * np.logaddexp(0, t))
        t = np.clip(t - (below[cell] + mass(start, t) - targets) / density, start, stop)
    return np.asarray(1 / (1 + np.exp(-t)))


ASSUMED_SPREAD = 0.1
"""How much users' own means differ when nobody says, as a part of the range. Chosen by hand: no choice of a method is
to count on users who are all alike."""


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """What is assumed about the users, in units of the observations.

    `spread` is the standard deviation of the users' own means (0: alike; None: nothing is stated, and a law is that of
    users alike); `within` that of one user's observations around the user's mean, left out the largest that the
    declared range allows: the worst case for users alike.
    `around` is where the users' means lie, left out the worst of several places. `law` overrides all of this with the
    law of the averages themselves.
    """

    spread: float | None = None
    within: float | None = None
    around: float | None = None
    law: Averages | None = None

    def __post_init__(self) -> None:
        for name in ("spread", "within"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < math.inf:
                raise InvalidInput(rule=f"{name} is a standard deviation, 0 or more", got=value)
        if self.around is not None and not math.isfinite(self.around):
            raise InvalidInput(rule="around must be finite", got=self.around)

    def check_range(self, low: float, high: float) -> None:
        """A spread that a range can hold, or a clear error."""
        half = (high - low) / 2
        for name in ("spread", "within"):
            value = getattr(self, name)
            if value is not None and value > half * (1 + 1e-12):
                raise InvalidInput(
                    rule=f"{name} can be at most {half:g} on [{low:g}, {high:g}], where half of the users (or "
                    "observations) sit at each end",
                    wrong=f"got {value:g}",
                )
        if self.around is not None and not low <= self.around <= high:
            raise InvalidInput(rule=f"around must lie in [{low:g}, {high:g}]", wrong=f"got {self.around:g}")

    def centres(self, low: float, high: float, *, step: float) -> tuple[float, ...]:
        """Where the users may sit: as stated, or places that differ in how they lie to the edges of bins.

        Bins start at `low` and are `step` wide; the places keep their part of a bin as bins shrink, so that a
        prediction does not jump about with the number of bins.
        """
        if self.law is not None:
            return (self.law.mean,)
        if self.around is not None:
            return (self.around,)
        middle, far = (low + high) / 2, low + 0.9 * (high - low)
        if step <= 0 or 2 * step >= high - low:
            return (middle, far)
        edges = [low + step * math.floor((place - low) / step) for place in (middle, far)]
        places = [edges[0] + part * step for part in (0.0, 0.25, 0.5)] + [edges[1] + part * step for part in (0.0, 0.5)]
        return tuple(min(place, high) for place in places)

    def laws(self, low: float, high: float, *, observations: int, step: float) -> list[Averages]:
        """The users' averages on a range, at each place that is left open; `step` is the width of a bin, or zero."""
        return list(_laws(self, low, high, observations, step))

    def averages(self, *, centre: float, observations: int, low: float, high: float) -> Averages:
        """The law of what users hold, if their means lie around `centre`."""
        if self.law is not None:
            return self.law
        variance = self.variance(centre=centre, observations=observations, low=low, high=high)
        return Averages.spread(mean=centre, deviation=math.sqrt(variance), low=low, high=high)

    def variance(self, *, centre: float, observations: int, low: float, high: float) -> float:
        """The variance of what users hold, if their means lie around `centre`."""
        if self.law is not None:
            return self.law.variance
        room = (centre - low) * (high - centre)  # no law on the range with this mean has a larger variance
        own_variance = room if self.within is None else min(self.within**2, room)
        return max(0.0, min((self.spread or 0.0) ** 2 + own_variance / observations, room))

    def moments(self, low: float, high: float, *, observations: int) -> list[tuple[float, float]]:
        """Mean and variance of the laws above where there are no bins, for formulas that need no more of them."""
        self.check_range(low, high)
        return [
            (centre, self.variance(centre=centre, observations=observations, low=low, high=high))
            for centre in self.centres(low, high, step=0.0)
        ]


@lru_cache(maxsize=64)
def _laws(crowd: Crowd, low: float, high: float, observations: int, step: float) -> tuple[Averages, ...]:
    """What `Crowd.laws` gives. Cached: who searches for a number of users asks for the same ones each time."""
    crowd.check_range(low, high)
    places = crowd.centres(low, high, step=step)
    return tuple([crowd.averages(centre=place, observations=observations, low=low, high=high) for place in places])


def crowd_fact(crowds: Sequence[Crowd], code: str = "crowd") -> Fact:
    """What is assumed about users, of kinds that differ in their spread alone."""
    first = crowds[0]
    if first.law is not None:
        return Fact("crowd-as-given")
    spreads = tuple(Fact("crowd-spread", spread=one.spread or 0.0) for one in crowds)
    return Fact(code, spreads=spreads, within=first.within, around=first.around)
