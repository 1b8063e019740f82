"""Where most users are: a posterior over the place and the spread of their averages, from the shares of bins.

Everything here is on [−1, 1] and in φ = arcsin x, in which averages of T bounded observations spread by at most about
1/√T wherever they lie. Users are taken for one bell with heavier tails and a few of them anywhere; the posterior only
plans the next question, no estimate rests on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Literal

import numpy as np

from sottovoce.messages import Floats
from sottovoce.methods.bins import END, BinShares, Round, worth_of_several

ANYWHERE = 0.1
"""The part of the users that may be anywhere, for all the posterior cares."""
WIDER, WIDER_BY = 0.1, 2.5
"""A tenth of the bell is so many times as wide: tails heavier than normal ones."""
COARSE = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0)
FINE = (-3.0, -2.0, *(power / 2 for power in range(-3, 24)))
"""Spreads of the bell that are looked at, in units of users alike: 2 to these powers."""
_WIDEST = 0.8
PLACES = 192
"""Where the search begins: three a bin, but no more than this while that is one a bin."""
_STEP, _REACH = 1 / 256, 10.0


def distinct(values: Floats) -> Floats:
    """In order, each once; `np.unique` would first load masked arrays, which takes as long as all else here."""
    ordered = np.sort(values)
    return np.asarray(ordered[np.concatenate(([True], np.diff(ordered) > 0))])


@cache
def _bell() -> Floats:
    """The cumulative law of the bell on a lattice of standard scores."""
    scores = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    normal = np.array([0.5 * math.erfc(-score / math.sqrt(2)) for score in scores])
    wide = np.array([0.5 * math.erfc(-score / WIDER_BY / math.sqrt(2)) for score in scores])
    return (1 - WIDER) * normal + WIDER * wide


def below(scores: Floats) -> Floats:
    """The part of the bell below each standard score; between points of a lattice, a straight line."""
    table = _bell()
    place = np.clip((scores + _REACH) / _STEP, 0, len(table) - 1.000001)
    left = place.astype(np.intp)
    start = table[left]
    return np.asarray(start + (place - left) * (table[left + 1] - start))


@dataclass(frozen=True, kw_only=True, eq=False)
class Core:
    """Likely places and spreads of the bell, each with its weight."""

    place: Floats
    spread: Floats
    weight: Floats
    looked: Floats
    """All places that were looked at: where the search goes on after another round."""
    unit: float
    """1/√T: the spread of users alike whose observations are as spread as they can be."""

    @cached_property
    def _law(self) -> tuple[Floats, Floats]:
        ends = self.place.min() - 3 * self.spread.max(), self.place.max() + 3 * self.spread.max()
        grid = np.concatenate((np.linspace(-END, END, 61), np.clip(np.linspace(*ends, 81), -END, END)))
        grid = distinct(grid)
        return grid, self.share_below(grid) + 1e-12 * np.arange(len(grid))

    def share_below(self, phi: Floats) -> Floats:
        """Predicted share of the bell below each place."""
        return np.asarray(self.weight @ below((phi - self.place[:, None]) / self.spread[:, None]))

    def quantiles(self, shares: list[float]) -> Floats:
        """Predicted quantiles of the bell."""
        grid, law = self._law
        return np.interp(shares, law, grid)

    def clipped_beyond(self, phi: Floats) -> tuple[Floats, Floats]:
        """How much of the averages themselves a clip cuts off: E(sin φ − x)⁺ and E(x − sin φ)⁺, for each likely bell.

        `phi` increases from −π/2 to π/2; results are ``(bells, phi)``.
        """
        law = below((phi - self.place[:, None]) / self.spread[:, None])
        law[:, 0], law[:, -1] = 0, 1
        step = np.diff(np.sin(phi))
        held = (law[:, 1:] + law[:, :-1]) / 2
        left, right = np.zeros_like(law), np.zeros_like(law)
        np.cumsum(held * step, axis=1, out=left[:, 1:])
        right[:, :-1] = np.cumsum(((1 - held) * step)[:, ::-1], axis=1)[:, ::-1]
        return left, right


@lru_cache(maxsize=64)
def find_core(
    rounds: tuple[Round, ...], observations: int, near: float | None = None, powers: tuple[float, ...] = COARSE
) -> Core:
    """The posterior after these rounds. Cached: a replay comes here again for every step of a survey.

    `near`: for predictions, whose reports have no chance in them, the search begins where the users are.
    """
    unit = 1 / math.sqrt(observations)
    spreads = unit * 2.0 ** np.array(powers)
    spreads = spreads[spreads < _WIDEST]
    prior = np.where(spreads <= unit * 1.01, 0.0, -0.5 * np.log(spreads / unit) - 0.7)
    if len(rounds) > 1:
        places = find_core(rounds[:-1], observations, near, powers).looked
    elif near is not None:
        around = np.concatenate((np.linspace(-6 * unit, 6 * unit, 17), np.linspace(-0.6, 0.6, 17)))
        inside = np.asarray(np.clip(near + around, -END, END))
        places = distinct(inside.round(9))  # the two overlap, and one place must not become two by its last digit
    else:
        bins = len(rounds[0][1])
        places = np.linspace(-END, END, min(3 * bins, max(bins, PLACES)) + 1)
    weights = _posterior(rounds, places, spreads, prior)
    places = _refined(places, weights.sum(axis=1), unit, most=80 if near is None else 25)
    weights = _posterior(rounds, places, spreads, prior)
    likely = weights > 1e-4 * weights.max()
    row, column = np.nonzero(likely)
    weight = weights[likely] / weights[likely].sum()
    return Core(place=places[row], spread=spreads[column], weight=weight, unit=unit, looked=places)


def _posterior(rounds: tuple[Round, ...], places: Floats, spreads: Floats, prior: Floats) -> Floats:
    """Weights ``(places, spreads)`` that add up to one: the prior times the likelihood of the counts."""
    total = np.log(np.gradient(places))[:, None] + prior[None, :]
    for edges, counts, reports, size, own, other in rounds:
        cuts = np.arcsin(np.array(edges))
        anywhere = ANYWHERE * np.diff(np.concatenate(([-END], cuts, [END]))) / math.pi
        held = np.empty((len(places), len(spreads), len(counts)))
        law = below((cuts - places[:, None, None]) / spreads[:, None])
        held[..., 0], held[..., -1] = law[..., 0], 1 - law[..., -1]
        np.subtract(law[..., 1:], law[..., :-1], out=held[..., 1:-1])
        chance = other + (own - other) * ((1 - ANYWHERE) * held + anywhere)
        seen = np.array(counts)
        likelihood = np.log(chance) @ seen
        if size > 1:  # bins are taken for independent, and then discounted, since a report holds several
            likelihood = worth_of_several(len(counts)) * (likelihood + np.log1p(-chance) @ (reports - seen))
        total = total + likelihood
    weights = np.exp(total - total.max())
    return np.asarray(weights / weights.sum())


def _refined(places: Floats, weight: Floats, unit: float, *, most: int) -> Floats:
    """Fewer, finer places where the posterior is."""
    total = np.cumsum(weight)
    low = places[max(0, int(np.searchsorted(total, 1e-4)) - 1)]
    high = places[min(len(places) - 1, int(np.searchsorted(total, 1 - 1e-4)) + 1)]
    law = np.concatenate(([0.0], total)) + 1e-12 * np.arange(len(total) + 1)
    by_weight = np.interp((np.arange(25) + 0.5) / 25, law, np.concatenate((places[:1], places)))
    count = int(np.clip(round((high - low) / (0.5 * unit), 9), 20, most))  # often whole: rounded alike everywhere
    return distinct(np.round(np.concatenate((np.linspace(low, high, count), by_weight)), 9))


# Between which ends to ask the last question, and what may lie beyond them. Everything on [−1, 1].
#
# A narrow interval has little noise but cuts users off. What is cut off of the bell is known from the posterior; what
# stands out of the bins beyond it counts with the amount by which it exceeds chance; what hides below that cannot be
# seen by any private method, and only the guarded interval allows for it.

Caution = Literal["high", "medium", "low"]
THRESHOLDS: dict[Caution, tuple[float, float]] = {"high": (1.0, 2.0), "medium": (1.75, 3.0), "low": (2.5, 3.5)}
"""Standard errors that are taken for chance: in the whole excess beyond an end, and in one bin that stands out."""
NO_SYMMETRY = 0.3
"""The part of the clipped tails that is not trusted to cancel."""
NEARLY_ALL = 1.9


@dataclass(frozen=True, kw_only=True)
class Ends:
    """The interval of the last question."""

    low: float
    high: float
    clipping: float
    """Standard deviation of what the bell loses beyond the ends."""

    @cached_property
    def whole(self) -> bool:
        return self.low <= -1 and self.high >= 1


QUANTILES = [0.12, 0.31, 0.5, 0.69, 0.88]
"""Of the bell: where the inner edges lie."""
GROWTH = 4.0
"""How much wider than its narrower neighbour a bin may be."""
NARROWEST, NARROW = 0.02, 0.25
"""In spreads of users alike: edges nearer to one another are one, and bins this narrow may have wider neighbours."""
MOST_BINS = 28


def graded_edges(core: Core) -> Floats:
    """Inner edges: a few inside the bell, and from there bins that grow outward, to both ends."""
    edges = [-END]
    for place in core.quantiles(QUANTILES):
        if place - edges[-1] > NARROWEST * core.unit:
            edges.append(float(place))
    edges.append(END)
    while len(edges) <= MOST_BINS:
        widths = np.diff(edges)
        beside = np.minimum(np.concatenate(([np.inf], widths[:-1])), np.concatenate((widths[1:], [np.inf])))
        step = GROWTH * np.maximum(beside, NARROW * core.unit)
        widest = int(np.argmax(widths / step))
        if widths[widest] < 1.3 * step[widest]:
            break
        left = widest > 0 and (widest == len(widths) - 1 or widths[widest - 1] <= widths[widest + 1])
        cut = edges[widest] + step[widest] if left else edges[widest + 1] - step[widest]
        edges.insert(widest + 1, float(cut))
    return np.asarray(np.sin(edges[1:-1]))


@dataclass(frozen=True, kw_only=True, eq=False)
class EndCandidates:
    """Ends to choose from around a bell: all that does not depend on what else the bins show."""

    places: Floats
    clipped: Floats
    """Squared, what the bell loses beyond each pair of ends."""
    own: tuple[Floats, ...]
    """The share of each bin that the bell explains, round by round."""
    distances: tuple[Floats, ...]
    """From each end to the far edge of each bin, above it and below, round by round: ``(2, ends, bins)``."""

    @classmethod
    def around(cls, core: Core, rounds: list[BinShares]) -> EndCandidates:
        """Ends at growing distances from the middle of the bell.

        Cached: a replay comes here again for every step of a survey.
        """
        return _around(core, tuple(map(tuple, map(attrgetter("edges"), rounds))))

    def ends(self, rounds: list[BinShares], *, variance: float, users: int, caution: Caution) -> Ends:
        """The least predicted error; `variance` is the table's on [−1, 1]."""
        above, under = self.visible(rounds, caution)
        wide = self.places[None, :] - self.places[:, None]
        seen = above[None, :] ** 2 + under[:, None] ** 2
        risk = np.where(wide > 1e-9, variance * wide**2 / 4 / users + self.clipped + seen, np.inf)
        row, column = divmod(int(np.argmin(risk)), len(self.places))
        if wide[row, column] > NEARLY_ALL or risk[0, -1] <= risk[row, column]:
            return Ends(low=-1.0, high=1.0, clipping=0.0)
        low, high = float(self.places[row]), float(self.places[column])
        return Ends(low=low, high=high, clipping=math.sqrt(self.clipped[row, column]))

    def visible(self, rounds: list[BinShares], caution: Caution) -> Floats:
        """The excess above and below each end over what the bell explains, less what is taken for chance.

        The result is ``(2, ends)``.
        A bin counts at its far edge. One bin of the last round that stands out by itself counts, too.
        """
        threshold, lone = THRESHOLDS[caution]
        total = precision = np.zeros((2, len(self.places)))
        for seen, own, distance in zip(rounds, self.own, self.distances, strict=True):
            excess = seen.share - np.minimum(own, np.maximum(seen.share, 0))
            weight = 1 / np.maximum(seen.variance(distance), 1e-18)
            total, precision = total + weight * (distance @ excess), precision + weight
        one = math.sqrt(seen.empty_variance)
        alone = (distance * np.where(excess > lone * one, excess - one, 0.0)).max(axis=2)
        return np.asarray(np.maximum(np.maximum(total / precision - threshold / np.sqrt(precision), 0), alone))


@lru_cache(maxsize=64)
def _around(core: Core, edges: tuple[tuple[float, ...], ...]) -> EndCandidates:
    """What `EndCandidates.around` gives, from the inner edges of each round."""
    lower, middle, upper = core.quantiles([0.16, 0.5, 0.84])
    width = max((upper - lower) / 2, core.unit / 12)
    offsets = width * 2.0 ** np.arange(-1, 14, 0.5)
    offsets = offsets[offsets < math.pi]
    phi = distinct(np.clip(np.concatenate(([-END], middle - offsets, middle + offsets, [END])), -END, END))
    places = np.sin(phi)
    places[0], places[-1] = -1.0, 1.0
    grid = distinct(np.concatenate((phi, np.linspace(-END, END, 60))))
    at = np.searchsorted(grid, phi)
    left, right = core.clipped_beyond(grid)
    left, right = left[:, at], right[:, at]
    apart = (core.weight @ left**2)[:, None] + (core.weight @ right**2)[None, :]
    together = (left * core.weight[:, None]).T @ right
    own: tuple[Floats, ...] = ()
    distances: tuple[Floats, ...] = ()
    for inner in map(np.array, edges):
        law, every = core.share_below(np.arcsin(inner)), np.concatenate(([-1.0], inner, [1.0]))
        own += (np.diff(np.concatenate(([0.0], law, [1.0]))),)
        distances += (np.maximum((every[1:] - places[:, None], places[:, None] - every[:-1]), 0),)
    clipped = np.maximum(apart - 2 * (1 - NO_SYMMETRY) * together, 0)
    return EndCandidates(places=places, clipped=clipped, own=own, distances=distances)


def _far(inner: Floats, side: int) -> Floats:
    """The edge of each bin that is the farther one toward `side`, times it."""
    edges = np.concatenate(([-1.0], inner, [1.0]))
    return edges[1:] if side > 0 else -edges[:-1]


def excess_beyond(rounds: list[BinShares], end: float, *, side: int, z: float) -> tuple[float, float]:
    """E(x − end)⁺, every bin at its far edge: an estimate that is not too low, and how much more it may be.

    From all rounds, each with the weight of its precision. How much more: the excess is kept while the estimate lies
    within `z` deviations of it, the deviation being that of users who sit as far away as they can; users too few to
    be seen are allowed for that way.
    """
    by_round = []
    for seen in rounds:
        distance = np.maximum(_far(seen.edges, side) - side * end, 0)
        noise = seen.empty_variance * (float(distance @ distance) - float(distance.sum()) ** 2 / seen.bins)
        by_round.append((float(distance @ seen.share), max(float(seen.variance(distance)), 1e-18), noise, seen))
    total = sum(1 / variance for _, variance, _, _ in by_round)
    value = noise = linear = square = 0.0
    for one, variance, noise_of_round, seen in by_round:
        part = 1 / variance / total
        value, noise = value + part * one, noise + part**2 * noise_of_round
        linear += (
            z**2 * part**2 / seen.reports * seen.crowding
        )  # of a share s in one bin: s·crowding − s², over reports
        square += z**2 * part**2 / seen.reports
    far = 1 - side * end  # (a − value)² ≤ z²·noise + linear·far·a − square·a², solved for the largest a
    middle = (value + linear * far / 2) / (1 + square)
    most = middle + math.sqrt(max(0.0, middle**2 - (value**2 - z**2 * noise) / (1 + square)))
    return value, max(0.0, most - value)
