"""How probable a round's counts are for users of a given law, and what the rounds say of users who are alike.

An average of many observations is nearly normal; with few observations, or mostly alike ones, it leans. The leaning
bell here is the gamma law by the cube-root approximation of Wilson and Hilferty (1931): one closed form for any lean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

import numpy as np

from sottovoce.messages import Bins, Floats, Position, Question, Subset, Table, Tally
from sottovoce.methods.bins import worth_of_several

# Bells, upright and leaning: the laws of users' averages in a likelihood.

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.methods.likelihood:NAME VALUE … --problem mean --method homogeneous
_END, _STEPS = 7.0, 256


@cache
def _nodes() -> tuple[Floats, Floats]:
    """The normal law and its density at nodes 1/256 apart; scipy's would take longer to load than a plan to make."""
    places = np.arange(-_END * _STEPS, _END * _STEPS + 1) / _STEPS
    below = np.array([0.5 * math.erfc(-place / math.sqrt(2)) for place in places])
    return below, np.exp(-(places**2) / 2) / math.sqrt(2 * math.pi)


def normal_below(z: Floats) -> Floats:
    """P(N(0, 1) < z), to 1e-11: three terms of the Taylor series at the nearest node."""
    below, density = _nodes()
    scaled = np.clip(z, -_END, _END) * _STEPS
    nearest = np.rint(scaled)
    place = (nearest + _END * _STEPS).astype(np.intp)
    step = (scaled - nearest) / _STEPS
    node = nearest / _STEPS
    series = step * (1 - step * (node / 2 - step * (node * node - 1) / 6))
    return np.asarray(below[place] + density[place] * series)


def leaning_below(places: Floats, mean: Floats, spread: Floats, lean: Floats) -> Floats:
    """P(X < place) for laws with these means, standard deviations and skewnesses."""
    lean = np.where(np.abs(lean) < 1e-4, 1e-4, lean)
    root = np.cbrt(1 + (lean / (2 * spread)) * (places - mean))
    return normal_below((root - 1) * (6 / lean) + lean / 6)


# A round of answers about bins, as a likelihood: how probable its counts are for users of a given law.

ODD = 0.01
"""Share of users allowed for anywhere while the place is sought, so that no bin is impossible."""


@cache
def _uniform_nodes(count: int) -> tuple[Floats, Floats]:
    """Places and weights that stand for a uniform law on [−1, 1]."""
    places, weights = np.polynomial.legendre.leggauss(count)
    return places, weights / 2


@dataclass(frozen=True, kw_only=True)
class BinnedRound:
    """One round: counts of the reports that hold each bin between `edges`, blurred by a uniform ± `soft`."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    reports: int
    own: float
    other: float
    several: bool
    soft: float = 0.0

    @classmethod
    def of(cls, asked: Question, tally: Tally, low: float, high: float) -> BinnedRound:
        """Read a tally of hard bins (subset selection) or of soft ones (`design.central`)."""
        channel, placement = asked.channel, asked.encoder.placement
        middle, half = (low + high) / 2, (high - low) / 2
        counts, reports = tally.cells[0], tally.reports[0]
        if isinstance(channel, Subset):
            assert isinstance(placement, Bins)
            own, other = channel.inclusion
            edges = tuple((edge - middle) / half for edge in placement.edges)
            several = channel.size > 1
            return cls(edges=edges, counts=counts, reports=reports, own=own, other=other, several=several)
        assert isinstance(channel, Table) and isinstance(placement, Position)
        nodes, symbols = channel.probabilities.shape
        start, stop = (placement.low[0] - middle) / half, (placement.high[0] - middle) / half
        step = (stop - start) / (nodes - 1)
        apart = (nodes - 2) // (symbols - 2) if symbols > 2 else 1
        edges = tuple(start + step * (0.5 + apart * place) for place in range(symbols - 1))
        own, other = float(channel.probabilities[0, 0]), float(channel.probabilities[-1, 0])
        return cls(edges=edges, counts=counts, reports=reports, own=own, other=other, several=False, soft=abs(step) / 2)

    def log_likelihood(self, mean: Floats, spread: Floats, lean: Floats) -> Floats:
        """The log-likelihood of the counts, for users with these laws."""
        return self.weighed(*self._expected(mean, spread, lean))

    def pull(self, weights: Floats, mean: Floats, spread: Floats, lean: Floats) -> tuple[float, float]:
        """How a weighted sum of the log-likelihood falls and rises if every report is the one that changes it most."""
        rates, first = self._expected(mean, spread, lean)
        worth_by_bin = np.zeros(len(self.counts))
        worth = (
            np.log(rates)
            if not self.several
            else worth_of_several(len(self.counts)) * (np.log(rates) - np.log1p(-rates))
        )
        worth_by_bin[first : first + rates.shape[1]] = weights @ worth
        size = max(1, round(sum(self.counts) / max(1, self.reports)))
        usual, ranked = float(np.array(self.counts) @ worth_by_bin), np.sort(worth_by_bin)
        least, most = self.reports * float(ranked[:size].sum()), self.reports * float(ranked[-size:].sum())
        return usual - least, most - usual

    def claimed(self, share: float) -> BinnedRound:
        """The same round if a share of its users had named the outermost bins, half of them on either side."""
        ends = np.zeros(len(self.counts))
        ends[0] = ends[-1] = sum(self.counts) / 2
        counts = np.rint((1 - share) * np.array(self.counts) + share * ends)
        return replace(self, counts=tuple(int(count) for count in counts))

    def _expected(self, mean: Floats, spread: Floats, lean: Floats) -> tuple[Floats, int]:
        """Chances that a report holds each bin, from the first bin on that users of these laws can reach."""
        edges, reach = np.array(self.edges), 8 * float(spread.max())
        first = int(np.searchsorted(edges, float(mean.min()) - reach))
        last = int(np.searchsorted(edges, float(mean.max()) + reach))
        edges, soft = edges[first:last], self.soft / float(spread.min())
        blur = _uniform_nodes(1 if soft == 0 else 2 if soft < 0.3 else 3 if soft < 1 else 5)
        places = (edges[:, None] + self.soft * blur[0]).ravel()
        below = leaning_below(places, mean[:, None], spread[:, None], lean[:, None])
        if len(blur[1]) > 1:
            below = below.reshape(len(mean), len(edges), len(blur[1])) @ blur[1]
        return self.rates(below), first

    def rates(self, below: Floats) -> Floats:
        """Chances that a report holds each bin, from shares of the users below each edge."""
        shares = np.empty((below.shape[0], below.shape[1] + 1))
        shares[:, -1] = 1.0
        shares[:, :-1] = below
        shares[:, 1:] -= below
        if not self.soft:
            shares *= 1 - ODD
            shares += ODD / len(self.counts)
        shares *= self.own - self.other
        shares += self.other
        return np.maximum(shares, 1e-300, out=shares)

    def weighed(self, rates: Floats, first: int = 0) -> Floats:
        """The log-likelihood at these rates; bins beyond hold nobody, whatever the law."""
        counts = np.array(self.counts[first : first + rates.shape[1]], dtype=np.float64)
        if not self.several:
            return np.asarray(np.log(rates) @ counts)
        return np.asarray(
            worth_of_several(len(self.counts)) * (np.log(rates) @ counts + np.log1p(-rates) @ (self.reports - counts))
        )


# Where users who are alike sit, and how widely: what a few rounds of reports say, as weights on a grid.
#
# Everything lies on [−1, 1]. Users hold averages of T observations from one law with mean μ. Its variance is r²(1 −
# μ²): r = 1 when all observations are at the two ends, less otherwise, more only if users differ. Averages then have
# spread s = r√((1 − μ²)/T), and they lean as a beta law of that mean and variance would, give or take: a third axis of
# the grid.

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
class Posterior:
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
        """The standard deviation of the users' averages."""
        return math.sqrt(float(self.weights.ravel() @ self.points[1] ** 2))

    @cached_property
    def ratio(self) -> float:
        """The spread against that of observations at the two ends."""
        return float(np.exp(self.weights.sum(axis=(0, 2)) @ np.log(self.ratios)))

    def chance_of_wider(self, ratio: float) -> float:
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
        """Quantiles of the users' averages."""
        places, below = self.predicted[0], self.predicted[1].mean(axis=0)
        return np.asarray(np.interp(shares, below + 1e-13 * np.arange(len(below)), places))

    def covering(self, noise: float, users: int) -> Cover:
        """The interval to ask `users` about, through a table with so much noise on [−1, 1]: wider is noisier, too."""
        return _covering(self, noise, users)

    def pull(self, looks: tuple[BinnedRound, ...]) -> float:
        """How far the mean moves, to first order and per share of the users, if these all say what moves it most."""
        weights = self.weights.ravel() * (self.points[0] - self.mean)
        down, up = np.array([look.pull(weights, *self.points) for look in looks]).sum(axis=0)
        return float(max(down, up))

    def finer(self, looks: tuple[BinnedRound, ...], *, leans: Floats) -> Posterior:
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
        weights = posterior_weights(logs, means, ratios, leans)
        return Posterior(observations=self.observations, means=means, ratios=ratios, leans=leans, weights=weights)


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


def posterior_weights(logs: Floats, means: Floats, ratios: Floats, leans: Floats) -> Floats:
    """Weights from a log-likelihood. Before any look: even in the mean and in r up to 1, falling beyond."""
    ratio = np.log(ratios)
    prior = np.log(np.gradient(means))[:, None, None] + np.where(ratio < 0.05, ratio, -2 * ratio)[:, None]
    logs = logs.reshape(len(means), len(ratios), len(leans)) + prior
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum())


def widest_spread(observations: int) -> float:
    """The widest spread of averages that a grid holds."""
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
def posterior_after(observations: int, looks: tuple[BinnedRound, ...]) -> Posterior:
    """What these looks say. A replay asks again and again: each is answered once."""
    if len(looks) == 1:
        means, ratios, leans = *_first_grid(observations), KNOWN
        logs = looks[0].weighed(looks[0].rates(_first_below(observations, looks[0].edges)))
        weights = posterior_weights(logs, means, ratios, leans)
    else:
        before = posterior_after(observations, looks[:-1])
        means, ratios, leans = before.means, before.ratios, before.leans
        logs = looks[-1].log_likelihood(*before.points).reshape(before.weights.shape)
        logs = logs + np.log(np.maximum(before.weights, 1e-300))
        weights = np.exp(logs - logs.max())
        weights /= weights.sum()
    coarse = Posterior(observations=observations, means=means, ratios=ratios, leans=leans, weights=weights)
    return coarse.finer(looks, leans=LEANS if any(look.soft for look in looks) else KNOWN)


@lru_cache(maxsize=8)
def _covering(seen: Posterior, noise: float, users: int) -> Cover:
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
