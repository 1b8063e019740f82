"""Where users who are alike sit, and how widely: what a few rounds of reports say, as weights on a grid.

Everything lies on [−1, 1]. Users hold averages of T observations from one law with mean μ. Its variance is r²(1 − μ²):
r = 1 when all observations are at the two ends, less otherwise, more only if users differ. Averages then have spread
s = r√((1 − μ²)/T), and they lean as a beta law of that mean and variance would, give or take: a third axis of the grid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from sottovoce.methods.bell import Floats, leaning_below
from sottovoce.methods.look import Look

FINEST = 0.3
"""Spreads below this part of 1/T are not told apart."""
SAFE = 1.4
"""By how much the loss at the ends of an interval is counted: the tails of the users are known worst."""
LEANS = np.array([-0.9, 0.0, 0.9])
"""Doubts about the lean, in units of `leaning`; before there are answers about the centre it is taken as known."""
KNOWN = LEANS[1:2]
_PLACES, _SPREADS = 32, 7


@dataclass(frozen=True, kw_only=True)
class Cover:
    """An interval that holds nearly all users, what is lost at its ends, and the mean squared error of asking there."""

    low: float
    high: float
    lost: float
    risk: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Concentrated:
    """Weights on a grid of means × spreads × leans, after some looks."""

    observations: int
    means: Floats
    ratios: Floats
    leans: Floats
    weights: Floats
    """``(means, ratios, leans)``, summing to one."""

    @cached_property
    def points(self) -> tuple[Floats, Floats, Floats]:
        """Mean, spread and lean at each node of the grid, flat."""
        return laws(self.observations, self.means, self.ratios, self.leans)

    @cached_property
    def by_mean(self) -> Floats:
        return np.asarray(self.weights.sum(axis=(1, 2)))

    @cached_property
    def mean(self) -> float:
        return float(self.by_mean @ self.means)

    @cached_property
    def median(self) -> float:
        return float(np.interp(0.5, np.cumsum(self.by_mean) - self.by_mean / 2, self.means))

    @cached_property
    def deviation(self) -> float:
        """How well the mean is known."""
        return math.sqrt(max(float(self.by_mean @ (self.means - self.mean) ** 2), 1e-20))

    @cached_property
    def spread(self) -> float:
        """Of the users' averages."""
        return math.sqrt(float(self.weights.ravel() @ self.points[1] ** 2))

    @cached_property
    def ratio(self) -> float:
        """Against that of observations at the two ends."""
        return float(np.exp(self.weights.sum(axis=(0, 2)) @ np.log(self.ratios)))

    def beyond(self, ratio: float) -> float:
        """The chance that users differ more than so."""
        return float(self.weights.sum(axis=(0, 2)) @ (self.ratios > ratio))

    @property
    def lean(self) -> float:
        """Skewness of the users' averages."""
        return float(self.weights.ravel() @ self.points[2])

    @cached_property
    def doubt(self) -> float:
        """How far mean and median may lie apart beyond what is known: a sixth of third over second cumulant."""
        ratios = self.weights.sum(axis=(0, 2))
        apart = leaning(self.observations, np.array([self.mean]), self.ratios, np.zeros(1)) / 6
        known = [leaning_doubt(self.observations, self.mean, ratio)[0] ** 2 for ratio in self.ratios.tolist()]
        return math.sqrt(float(ratios @ ((apart - ratios @ apart) ** 2 + known)))

    @cached_property
    def settled(self) -> float:
        """What a sign asked at the median says, relative to one at the mean: e^(−offset²/spread²) on average."""
        mean, spread, _ = self.points
        offset = np.minimum(((mean - self.median) / spread) ** 2, 50)
        return float(self.weights.ravel() @ np.exp(-offset))

    @cached_property
    def predicted(self) -> tuple[Floats, Floats]:
        """Places, and the chance that a user sits below each, for 64 laws drawn evenly from the weights."""
        mean, spread, lean = self.points
        sums = np.cumsum(self.weights.ravel())
        picked = np.searchsorted(sums, (np.arange(64) + 0.5) / 64 * sums[-1])
        mean, spread, lean = mean[picked], spread[picked], lean[picked]
        wide = float(spread.max())
        places = np.concatenate(
            (
                np.linspace(self.means[0] - 8 * wide, self.means[-1] + 8 * wide, 120),
                self.mean + self.spread * np.linspace(-6, 6, 80),
            )
        )
        places = np.unique(np.clip(places, -1, 1))
        below = leaning_below(places, mean[:, None], spread[:, None], lean[:, None])
        below[:, 0], below[:, -1] = 0.0, 1.0  # whoever would be beyond sits at the ends
        return places, below

    def quantiles(self, shares: Floats) -> Floats:
        """Of the users' averages."""
        places, below = self.predicted[0], self.predicted[1].mean(axis=0)
        return np.asarray(np.interp(shares, below + 1e-13 * np.arange(len(below)), places))

    def covering(self, noise: float, users: int) -> Cover:
        """The interval to ask `users` about, through a table with so much noise on [−1, 1]: wider is noisier, too."""
        return _covering(self, noise, users)

    def pull(self, looks: tuple[Look, ...]) -> float:
        """How far the mean moves, to first order and per share of the users, if these all say what moves it most."""
        weights = self.weights.ravel() * (self.points[0] - self.mean)
        down, up = np.array([look.pull(weights, *self.points) for look in looks]).sum(axis=0)
        return float(max(down, up))

    def finer(self, looks: tuple[Look, ...], *, leans: Floats) -> Concentrated:
        """The same looks on a grid that fits what they say."""
        sums = np.cumsum(self.by_mean)
        low = self.means[max(0, int(np.searchsorted(sums, 1e-6)) - 2)]
        high = self.means[min(len(self.means) - 1, int(np.searchsorted(sums, 1 - 1e-6)) + 2)]
        inner = np.interp(
            (np.arange(_PLACES) + 0.5) / _PLACES,
            np.concatenate(([0.0], sums)) + 1e-12 * np.arange(len(sums) + 1),
            np.concatenate((self.means[:1], self.means)),
        )
        count = int(min(200, max(_PLACES // 2, (high - low) / (0.6 * self.spread))))
        means = np.unique(np.concatenate((np.linspace(low, high, count), inner)))
        means = means[np.concatenate(([True], np.diff(means) > 1e-12))]
        held = np.cumsum(self.weights.sum(axis=(0, 2)))
        least = self.ratios[max(0, int(np.searchsorted(held, 1e-4)) - 1)]
        most = self.ratios[min(len(self.ratios) - 1, int(np.searchsorted(held, 1 - 1e-4)) + 1)]
        ratios = np.exp(np.linspace(math.log(least), math.log(most), _SPREADS))
        grid = laws(self.observations, means, ratios, leans)
        logs = np.zeros(len(grid[0]))
        for look in looks:
            logs += look.log_likelihood(*grid)
        weights = weights_of(logs, means, ratios, leans)
        return Concentrated(observations=self.observations, means=means, ratios=ratios, leans=leans, weights=weights)


def leaning(observations: int, mean: Floats, ratio: Floats, doubt: Floats) -> Floats:
    """Third over second cumulant of averages: as a beta law's (users alike) or a beta-binomial's (users who differ).

    `doubt` from −1 to 1 moves it over what is likely for any law on the range; at r = 1 there is only one.
    """
    square = ratio**2
    factor = np.where(square <= 1, 2 * square / (1 + square), 2 * square - 1)
    half = 0.7 * np.abs(1 - square) + 0.05
    return np.asarray((-2 * mean * factor + doubt * half) / observations)


def leaning_doubt(observations: int, mean: float, ratio: float) -> tuple[float, float]:
    """How far mean and median may lie apart beyond what is likely, and third over second cumulant as likely."""
    one = np.array([ratio])
    likely = leaning(observations, np.array([mean]), one, np.zeros(1))
    half = leaning(observations, np.zeros(1), one, LEANS[-1:]) / 6
    return math.sqrt(2 / 3) * float(half[0]), float(likely[0])


def laws(observations: int, means: Floats, ratios: Floats, leans: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean, spread and skewness at each node of a grid, flat."""
    mean, ratio, doubt = (part.ravel() for part in np.meshgrid(means, ratios, leans, indexing="ij"))
    room = np.maximum(1 - mean**2, 1 / observations)
    spread = np.maximum(ratio * np.sqrt(room / observations), FINEST / observations)
    return mean, spread, np.clip(leaning(observations, mean, ratio, doubt) / spread, -2.5, 2.5)


def weights_of(logs: Floats, means: Floats, ratios: Floats, leans: Floats) -> Floats:
    """Weights from a log-likelihood. Before any look: even in the mean and in r up to 1, falling beyond."""
    ratio = np.log(ratios)
    prior = np.log(np.gradient(means))[:, None, None] + np.where(ratio < 0.05, ratio, -2 * ratio)[:, None]
    logs = logs.reshape(len(means), len(ratios), len(leans)) + prior
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def widest_spread(observations: int) -> float:
    """No grid holds users whose averages spread wider."""
    quarter_octave = math.sqrt(math.sqrt(2))  # by roots: it goes into a manifest, which is the same on every processor
    return max(quarter_octave * _largest_ratio(observations) / math.sqrt(observations), FINEST / observations)


def _largest_ratio(observations: int) -> float:
    return min(8.0, max(2.0, math.sqrt(observations)))


@lru_cache(maxsize=8)
def _first_grid(observations: int) -> tuple[Floats, Floats]:
    """Means and ratios before anything is known."""
    downs = math.log2(max(2.0, 1.5 * math.sqrt(observations)))
    count = int(max(160, min(500, 5 * math.sqrt(observations))))
    means = np.sin(np.linspace(-math.pi / 2, math.pi / 2, count))
    return means, 2.0 ** np.arange(-math.ceil(2 * downs) / 2, math.log2(_largest_ratio(observations)) + 0.25, 0.5)


@lru_cache(maxsize=4)
def _first_below(observations: int, edges: tuple[float, ...]) -> Floats:
    """Shares below the edges of a first round, which no report changes: a rehearsal asks it a thousand times."""
    mean, spread, lean = laws(observations, *_first_grid(observations), KNOWN)
    return leaning_below(np.array(edges), mean[:, None], spread[:, None], lean[:, None])


@lru_cache(maxsize=32)
def learned(observations: int, looks: tuple[Look, ...]) -> Concentrated:
    """What these looks say. A replay asks again and again: each is answered once."""
    if len(looks) == 1:
        means, ratios, leans = *_first_grid(observations), KNOWN
        logs = looks[0].weighed(looks[0].rates(_first_below(observations, looks[0].edges)))
        weights = weights_of(logs, means, ratios, leans)
    else:
        before = learned(observations, looks[:-1])
        means, ratios, leans = before.means, before.ratios, before.leans
        logs = looks[-1].log_likelihood(*before.points).reshape(before.weights.shape)
        logs = logs + np.log(np.maximum(before.weights, 1e-300))
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
    coarse = Concentrated(observations=observations, means=means, ratios=ratios, leans=leans, weights=weights)
    return coarse.finer(looks, leans=LEANS if any(look.soft for look in looks) else KNOWN)


@lru_cache(maxsize=8)
def _covering(seen: Concentrated, noise: float, users: int) -> Cover:
    places, below = seen.predicted
    gap, middle = np.diff(places), (below[:, 1:] + below[:, :-1]) / 2
    lower, upper = np.zeros((2, len(below), len(places)))
    np.cumsum(middle * gap, axis=1, out=lower[:, 1:])
    upper[:, :-1] = np.cumsum(((1 - middle) * gap)[:, ::-1], axis=1)[:, ::-1]
    lost_low, lost_high = SAFE**2 * (lower**2).mean(axis=0), SAFE**2 * (upper**2).mean(axis=0)
    width = places[None, :] - places[:, None]
    cost = noise * width**2 / 4 / users + lost_low[:, None] + lost_high
    cost[width <= 0] = np.inf
    left, right = np.unravel_index(int(cost.argmin()), cost.shape)
    return Cover(
        low=float(places[left]),
        high=float(places[right]),
        lost=math.sqrt(float(lost_low[left] + lost_high[right])),
        risk=float(cost[left, right]) + seen.spread**2 / users,
    )
