"""Where most users are: a posterior over the place and the spread of their averages, from the shares of bins.

Everything here is on [−1, 1] and in φ = arcsin x, in which averages of T bounded observations spread by at most about
1/√T wherever they lie. Users are taken for one bell with heavier tails and a few of them anywhere; the posterior only
plans the next question, no estimate rests on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.methods.bins import Shares

Floats = NDArray[np.float64]
END = math.pi / 2
ANYWHERE = 0.1
"""The part of the users that may be anywhere, for all the posterior cares."""
WIDER, WIDER_BY = 0.1, 2.5
"""A tenth of the bell is so many times as wide: tails heavier than normal ones."""
_SPREADS = 2.0 ** np.array([-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5])
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

    def beyond(self, phi: Floats) -> tuple[Floats, Floats]:
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


Round = tuple[tuple[float, ...], tuple[float, ...], int, int, float, float]
"""Shares as plain numbers: edges on [−1, 1], counts, reports, size, own, other."""


def plain(shares: Shares) -> Round:
    """A round's shares on [−1, 1] as plain numbers."""
    return tuple(shares.edges), tuple(shares.counts), shares.reports, shares.size, shares.own, shares.other


@lru_cache(maxsize=64)
def core(rounds: tuple[Round, ...], observations: int, near: float | None = None) -> Core:
    """The posterior after these rounds. Cached: a replay comes here again for every step of a survey.

    `near`: for predictions, whose reports have no chance in them, the search begins where the users are.
    """
    unit = 1 / math.sqrt(observations)
    spreads = unit * _SPREADS[unit * _SPREADS < _WIDEST]
    prior = np.where(spreads <= unit * 1.01, 0.0, -0.5 * np.log(spreads / unit) - 0.7)
    if len(rounds) > 1:
        places = core(rounds[:-1], observations, near).looked
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
    kept = weights > 1e-4 * weights.max()
    row, column = np.nonzero(kept)
    weight = weights[kept] / weights[kept].sum()
    return Core(place=places[row], spread=spreads[column], weight=weight, unit=unit, looked=places)


def _posterior(rounds: tuple[Round, ...], places: Floats, spreads: Floats, prior: Floats) -> Floats:
    """Weights ``(places, spreads)`` that add up to one."""
    total = np.log(np.gradient(places))[:, None] + prior[None, :]
    for one in rounds:
        total = total + _likelihood(one, places, spreads)
    weights = np.exp(total - total.max())
    return np.asarray(weights / weights.sum())


def _likelihood(one: Round, places: Floats, spreads: Floats) -> Floats:
    """Log-likelihood of the counts, bins taken for independent and then discounted where a report holds several."""
    edges, counts, reports, size, own, other = one
    cuts = np.arcsin(np.array(edges))
    anywhere = ANYWHERE * np.diff(np.concatenate(([-END], cuts, [END]))) / math.pi
    held = np.empty((len(places), len(spreads), len(counts)))
    law = below((cuts - places[:, None, None]) / spreads[:, None])
    held[..., 0], held[..., -1] = law[..., 0], 1 - law[..., -1]
    np.subtract(law[..., 1:], law[..., :-1], out=held[..., 1:-1])
    chance = other + (own - other) * ((1 - ANYWHERE) * held + anywhere)
    seen = np.array(counts)
    if size == 1:
        return np.asarray(np.log(chance) @ seen)
    found = np.log(chance) @ seen + np.log1p(-chance) @ (reports - seen)
    return np.asarray(0.85 * (1 - 1 / len(counts)) * found)


def _refined(places: Floats, weight: Floats, unit: float, *, most: int) -> Floats:
    """Fewer, finer places where the posterior is."""
    total = np.cumsum(weight)
    low = places[max(0, int(np.searchsorted(total, 1e-4)) - 1)]
    high = places[min(len(places) - 1, int(np.searchsorted(total, 1 - 1e-4)) + 1)]
    law = np.concatenate(([0.0], total)) + 1e-12 * np.arange(len(total) + 1)
    own = np.interp((np.arange(25) + 0.5) / 25, law, np.concatenate((places[:1], places)))
    count = int(np.clip(round((high - low) / (0.5 * unit), 9), 20, most))  # often whole: rounded alike everywhere
    return distinct(np.round(np.concatenate((np.linspace(low, high, count), own)), 9))
