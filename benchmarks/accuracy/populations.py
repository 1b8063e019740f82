"""The populations: laws of users' averages on [−1, 1]. A device that is asked for a mean looks at nothing else.

A population is a pool of averages, each drawn as the average of one user's observations. Users are drawn from the pool
with replacement, so the pool's own mean is the truth, without an error that a small squared error could not bear.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from benchmarks.accuracy.pools import Floats, Stream, named_stream

Averages = Callable[[Stream, int, int], Floats]
"""From a stream, a number of users and of observations each."""

POOL = 2**18
DRAWN_SEED, HELD_OUT_SEED = 20261116, 20261119
"""Of drawn populations: the first ones, which are known by now, and those that no constant is tuned on."""
DRAWN = 3
_PIECE = 20


Kind = Literal["alike", "differing", "groups"]
"""Users alike as the paper assumes; users who differ around one place; camps, or a group far from the others."""


@dataclass(frozen=True, kw_only=True)
class Population:
    """`alone`: only in the cells that name it. `against_paper`: where `paper` and `homogeneous` run too."""

    name: str
    kind: Kind
    averages: Averages
    held_out: bool = False
    alone: bool = False
    against_paper: bool = False


@lru_cache(maxsize=4)
def pool(name: str, observations: int) -> Floats:
    """The averages of a population, the same in every process."""
    drawn = POPULATIONS[name].averages(named_stream(f"{name}/{observations}"), POOL, observations)
    return np.clip(drawn, -1.0, 1.0)


def _of_observations(draw: Callable[[Stream, int], Floats]) -> Averages:
    """Averages of observations of one law.

    Beyond twenty observations, sums of twenty are shuffled and added up: each user still holds independent
    observations, and a thousand of them cost no more than fifty shuffles.
    """

    def averages(stream: Stream, users: int, observations: int) -> Floats:
        piece = _PIECE if observations % _PIECE == 0 else observations
        sums = draw(stream, users)
        for _ in range(piece - 1):
            sums = sums + draw(stream, users)
        total = sums.copy()
        for _ in range(observations // piece - 1):
            total += stream.permutation(sums)
        return total / observations

    return averages


def _two_ends(share: Callable[[Stream, int], Floats | float]) -> Averages:
    """Observations are 1 with the user's own chance, else −1."""

    def averages(stream: Stream, users: int, observations: int) -> Floats:
        return 2 * stream.binomial(observations, share(stream, users), users) / observations - 1

    return averages


def _groups(weights: tuple[float, ...], places: tuple[float, ...], within: float) -> Averages:
    """Users of each group around its place, by the scatter of their own observations alone."""

    def averages(stream: Stream, users: int, observations: int) -> Floats:
        place = np.asarray(places)[stream.choice(len(places), users, p=weights)]
        return np.asarray(place + stream.normal(0, within / math.sqrt(observations), users))

    return averages


def _at(place: float) -> Averages:
    """Every observation of every user is this one value."""
    return lambda stream, users, observations: np.full(users, place)


def _normal_means(stream: Stream, users: int, observations: int) -> Floats:
    """Users' own means are normal with a twentieth of the range as deviation."""
    return np.asarray(0.1 + stream.normal(0, math.hypot(0.1, 0.5 / math.sqrt(observations)), users))


def _lognormal_means(stream: Stream, users: int, observations: int) -> Floats:
    """As spending: the median user's own mean is a twentieth of the range above its low end, one in forty fills it."""
    own = 0.05 * np.exp(1.53 * stream.standard_normal(users))
    scatter = np.exp(stream.normal(-0.5 / observations, 1 / math.sqrt(observations), users))
    return np.asarray(2 * np.minimum(1.0, own * scatter) - 1)


def _ratings(stream: Stream, users: int, observations: int) -> Floats:
    """Whole numbers from 1 to 5, with the same chances for everybody."""
    counts = stream.multinomial(observations, (0.05, 0.1, 0.2, 0.4, 0.25), users)
    return np.asarray(counts @ np.linspace(-1, 1, 5) / observations)


def _like_insteval(stream: Stream, users: int, observations: int) -> Floats:
    """Five points; users' means differ by .113 of the range, observations of one user by .326 of it.

    A user's ratings are beta-binomial on 0 … 4, so that the mean is the user's own and the scatter as observed.
    """
    own = np.clip((1 + stream.normal(0.1085, 0.226, users)) / 2, 0.02, 0.98)
    alike = 0.239  # correlation of the four coins of one rating
    first, second = own * (1 / alike - 1), (1 - own) * (1 / alike - 1)
    chances = np.empty((users, 5))
    for rating in range(5):
        rising = [first + k for k in range(rating)] + [second + k for k in range(4 - rating)]
        chances[:, rating] = math.comb(4, rating) * np.prod(rising, axis=0)
    counts = stream.multinomial(observations, chances / chances.sum(axis=1, keepdims=True))
    return np.asarray(counts @ np.linspace(-1, 1, 5) / observations)


def _unequal(stream: Stream, users: int, observations: int) -> Floats:
    """Lognormal numbers of observations, each −1, 0 or 1: mean .3, standard deviation .9."""
    held = np.maximum(1, np.rint(observations * np.exp(stream.standard_normal(users)))).astype(np.int64)
    ends = stream.binomial(held, 0.9)
    return np.asarray((2 * stream.binomial(ends, 2 / 3) - ends) / held)


def _insteval(stream: Stream, users: int, observations: int) -> Floats:
    """The students' own averages, once each."""
    from sottovoce.data import datasets

    held = datasets.insteval().collections
    sums = np.add.reduceat(held.values[:, 0], held.offsets[:-1])
    return np.asarray(sums / held.sizes / 2 - 1.5)


def drawn(number: int, seed: int = HELD_OUT_SEED) -> Population:
    """A population drawn by a seed.

    The family: one to three groups at places drawn evenly from −.8 to .8, with Dirichlet(2) weights; the users of a
    group differ by .02 to .3 (evenly on a log scale), normal or Beta; observations are coins, or normal with .1 to .8.
    """
    stream = np.random.default_rng((seed, number))
    groups = int(stream.integers(1, 4))
    places, weights = stream.uniform(-0.8, 0.8, groups), stream.dirichlet(np.full(groups, 2.0))
    between = np.exp(stream.uniform(math.log(0.02), math.log(0.3), groups))
    within = float(np.exp(stream.uniform(math.log(0.1), math.log(0.8))))
    bell, coins = stream.random(groups) < 0.5, bool(stream.random() < 0.5)

    def averages(stream: Stream, users: int, observations: int) -> Floats:
        group = stream.choice(groups, users, p=weights)
        own = np.empty(users)
        for k in range(groups):
            mine = group == k
            own[mine] = _own_means(stream, int(mine.sum()), float(places[k]), float(between[k]), bell=bool(bell[k]))
        own = np.clip(own, -1, 1)
        if coins:
            return np.asarray(2 * stream.binomial(observations, (1 + own) / 2) / observations - 1)
        return np.asarray(own + stream.normal(0, within / math.sqrt(observations), users))

    return Population(
        name=f"{'held out' if seed == HELD_OUT_SEED else 'drawn'} {number}",
        kind="groups" if groups > 1 else "differing",
        averages=averages,
        held_out=seed == HELD_OUT_SEED,
        against_paper=seed == DRAWN_SEED,
    )


def _own_means(stream: Stream, users: int, place: float, spread: float, *, bell: bool) -> Floats:
    """Normal, or Beta of the same mean and spread."""
    if bell:
        return stream.normal(place, spread, users)
    share = (1 + place) / 2
    weight = max(0.5, share * (1 - share) / (spread / 2) ** 2 - 1)
    return 2 * stream.beta(share * weight, (1 - share) * weight, users) - 1


_EARLIER: dict[Kind, dict[str, Averages]] = {
    "alike": {
        "uniform": _of_observations(lambda stream, users: 0.2 + stream.random(users)),
        "Rademacher": _two_ends(lambda stream, users: 0.5),
        "skewed Beta": _of_observations(lambda stream, users: 2 * stream.beta(0.3, 3, users) - 1),
        "Bernoulli .03": _two_ends(lambda stream, users: 0.03),
        "point": _at(0.1234),
        "beta-binomial .02": _two_ends(lambda stream, users: stream.beta(1, 49, users)),
    },
    "differing": {
        "beta-binomial .3": _two_ends(lambda stream, users: stream.beta(3, 7, users)),
        "InstEval-like": _like_insteval,
        "lognormal T": _unequal,
    },
    "groups": {
        "clusters 50:50": _groups((0.5, 0.5), (-0.5, 0.5), 0.7),
        "clusters 80:20": _groups((0.8, 0.2), (-0.3, 0.5), 0.7),
        "5 % far away": _groups((0.95, 0.05), (-0.2, 0.9), 0.3),
    },
}
_LATER: dict[Kind, dict[str, Averages]] = {
    "alike": {"all at an end": _at(1.0), "ratings": _ratings},
    "differing": {
        "U-shaped": _two_ends(lambda stream, users: stream.beta(0.5, 0.5, users)),
        "lognormal means": _lognormal_means,
    },
    "groups": {
        "1 % far away": _groups((0.99, 0.01), (-0.2, 0.95), 0.3),
        "three camps": _groups((0.4, 0.35, 0.25), (-0.6, 0.0, 0.6), 0.5),
        "always or never": _two_ends(lambda stream, users: np.floor(stream.random(users) + 0.25)),
    },
}
_ALONE: dict[Kind, dict[str, Averages]] = {
    "differing": {"normal means": _normal_means},
    "groups": {"6 % far away": _groups((0.94, 0.06), (-0.2, 0.95), 0.3)},
}


def _named(laws: dict[Kind, dict[str, Averages]], **more: bool) -> Iterator[Population]:
    for kind, of_kind in laws.items():
        for name, law in of_kind.items():
            yield Population(name=name, kind=kind, averages=law, **more)


GRID = (
    *_named(_EARLIER, against_paper=True),
    *(drawn(number, DRAWN_SEED) for number in range(1, DRAWN + 1)),
    *_named(_LATER),
    *(drawn(number) for number in range(1, DRAWN + 1)),
)
"""At every number of users and observations and every ε; a point is users who all hold one value."""
REAL = Population(name="InstEval", kind="differing", averages=_insteval, alone=True, against_paper=True)
"""The ratings of 2,972 students: real, so of one size only."""
POPULATIONS = {population.name: population for population in (*GRID, *_named(_ALONE, alone=True), REAL)}
