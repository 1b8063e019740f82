"""Sparse means: the hashed vote of PrivateSparseSelection (L600) and the item-level rival, in aggregate.

Data are P^sparse_{d,s,p} (L900): s coordinates Rad(p), the others Rad(½), all independent. A coordinate is then a vote
with a known chance, and no observation needs to be drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.paper.fast import means
from sottovoce.paper.fast.univariate import user_level
from sottovoce.paper.fast.vectors import folds
from sottovoce.schemes import experiment_delta

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
FEW = 0.02
"""Below this chance false votes are placed one by one; above, every coordinate is drawn."""


@dataclass(frozen=True, kw_only=True)
class SparseUsers:
    """n users with T observations of P^sparse_{d,s,p}; the support comes first, as in the paper's experiments."""

    users: int
    observations: int
    dimension: int
    sparsity: int
    chance: float

    @property
    def signal(self) -> float:
        return 2 * self.chance - 1


def threshold(people: SparseUsers, alpha: float, constant: float) -> float:
    """ε = C √(log(dnTα²)/T) of L603; the experiments do not say C (ERRATA 10)."""
    size = people.dimension * people.users * people.observations * alpha**2
    return constant * math.sqrt(math.log(max(size, math.e)) / people.observations)


@lru_cache(maxsize=256)
def vote_chance(observations: int, chance: float, limit: float) -> float:
    """P(|X̄| ≥ limit) for T draws of Rad(p)."""
    from scipy.stats import binom

    high = math.ceil(observations * (1 + limit) / 2 - 1e-9)
    low = math.floor(observations * (1 - limit) / 2 + 1e-9)
    return float(binom.sf(high - 1, observations, chance) + binom.cdf(low, observations, chance))


def signs(stream: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Public random signs."""
    bits = np.unpackbits(stream.integers(0, 256, size=(shape[0], -(-shape[1] // 8)), dtype=np.uint8), axis=1)
    return 2 * bits[:, : shape[1]].astype(np.float32) - 1


def hashes(stream: np.random.Generator, people: SparseUsers, sign: NDArray[np.float32], limit: float) -> Floats:
    """Σ_j r_ij ω̂_ij for every voter: each coordinate votes with its own chance, independently."""
    voters, s = len(sign), people.sparsity
    true = stream.random((voters, s)) < vote_chance(people.observations, people.chance, limit)
    total = (sign[:, :s] * true).sum(axis=1, dtype=np.float64)
    false = vote_chance(people.observations, 0.5, limit)
    others = people.dimension - s
    if false > FEW:
        drawn = stream.random((voters, others), dtype=np.float32) < np.float32(false)
        return np.asarray(total + np.einsum("ij,ij->i", sign[:, s:], drawn.astype(np.float32)))
    count = int(stream.binomial(voters * others, false))
    place = stream.choice(voters * others, size=count, replace=False, shuffle=False)
    row = place // others
    return np.asarray(total + np.bincount(row, weights=sign[row, s + place % others], minlength=voters))


def scores(
    stream: np.random.Generator, sign: NDArray[np.float32], hashed: Floats, *, eta: float, alpha: float
) -> Floats:
    """(2/n) Σ_i r_ij Z_i (L608) with Z_i the truncated hash and its Laplace noise."""
    sent = np.clip(hashed, -eta, eta) + 2 * eta / alpha * stream.laplace(size=len(hashed))
    return np.asarray(sent.astype(np.float32) @ sign / len(hashed), dtype=np.float64)


def first_above(score: Floats, keep: int, order: Integers) -> Integers:
    """The first `keep` coordinates, in `order`, with at least half a vote (L610, as printed)."""
    passed = order[score[order] >= 0.5]
    return passed[:keep]


def most_votes(score: Floats, keep: int) -> Integers:
    """The `keep` coordinates with the most votes, without a cut (ERRATA 10, 11)."""
    return np.argpartition(-score, keep - 1)[:keep]


def refine(
    stream: np.random.Generator, people: SparseUsers, found: list[Integers], *, users: int, alpha: float
) -> Floats:
    """Squared errors after the other half has refined what was selected, one entry of `found` a repetition."""
    hits = np.array([int((chosen < people.sparsity).sum()) for chosen in found])
    sizes = np.array([len(chosen) for chosen in found])
    error = (people.sparsity - hits) * people.signal**2
    for size in np.unique(sizes[sizes > 0]):
        rows = np.flatnonzero(sizes == size)
        inside = np.stack([np.sort(found[row]) < people.sparsity for row in rows])
        halves = folds(users, 2)
        groups = zip(folds(halves[0], int(size)), folds(halves[1], int(size)), strict=True)
        wide = experiment_delta(users / int(size), people.observations, alpha)
        for slot, (voters, refiners) in enumerate(groups):
            chance = np.where(inside[:, slot], people.chance, 0.5)[:, None]
            ones = stream.binomial(people.observations, chance, (len(rows), voters + refiners))
            held = 2 * ones / people.observations - 1
            value = user_level(stream, held[:, :voters], held[:, voters:], delta=wide, epsilon=alpha)
            error[rows] += (value - np.where(inside[:, slot], people.signal, 0.0)) ** 2
    return np.asarray(error)


def cube_side(dimension: int, alpha: float) -> float:
    """B of the cube mechanism (Duchi, Jordan and Wainwright 2018), ties of an even d kept as drawn (ERRATA P4)."""
    pairs = dimension - dimension % 2
    log = math.lgamma(pairs + 1) - 2 * math.lgamma(pairs / 2 + 1) - pairs * math.log(2)
    return 1 / math.tanh(alpha / 2) * math.exp(-log)


def pattern_law(dimension: int, sparsity: int, chance: float, alpha: float) -> Floats:
    """The law of the signs that one report shows on the support: 2^s chances, bit j of the index is coordinate j.

    The report agrees with the observation on a uniform subset of at least (with chance ω_α) or at most d/2
    coordinates. For one pattern with k agreements among s that is 2^(1−s)·P(B > d/2 − k) + 2^−s·P(B = d/2 − k) with
    B ~ Bin(d − s, ½); the other side has s − k in place of k.
    """
    from scipy.stats import binom

    agree = np.arange(sparsity + 1)
    half = dimension / 2 - agree
    above = 2.0 ** (1 - sparsity) * binom.sf(np.floor(half), dimension - sparsity, 0.5)
    tie = np.where(half == np.floor(half), binom.pmf(half, dimension - sparsity, 0.5), 0.0) * 2.0**-sparsity
    one = above + tie
    truly = 1 / (1 + math.exp(-alpha))
    of_agreements = truly * one + (1 - truly) * one[::-1]
    bits = (np.arange(2**sparsity)[:, None] >> np.arange(sparsity)) & 1
    data = np.prod(np.where(bits == 1, chance, 1 - chance), axis=1)
    same = (bits[:, None, :] == bits[None, :, :]).sum(axis=2)  # report by observation
    return np.asarray(of_agreements[same] @ data)


def item_level(stream: np.random.Generator, people: SparseUsers, alpha: float, repetitions: int) -> Floats:
    """Squared errors of the average of nT cube reports after a soft threshold at √(2 ln d) standard deviations.

    On Rad(½) coordinates a report's signs are fair coins, independent of everything else; on the support the
    patterns are multinomial.
    """
    items, s, d = people.users * people.observations, people.sparsity, people.dimension
    side = cube_side(d, alpha)
    cut = side * math.sqrt(2 * math.log(d) / items)
    law = pattern_law(d, s, people.chance, alpha)
    bits = 2 * ((np.arange(2**s)[:, None] >> np.arange(s)) & 1) - 1
    shown = stream.multinomial(items, law / law.sum(), size=repetitions) @ bits
    support = side * shown / items
    others = side * means.rademacher(stream, items, 0.5, (repetitions, d - s))
    error = ((_soft(support, cut) - people.signal) ** 2).sum(axis=1)
    return np.asarray(error + (_soft(others, cut) ** 2).sum(axis=1))


def _soft(values: Floats, cut: float) -> Floats:
    return np.asarray(np.sign(values) * np.maximum(np.abs(values) - cut, 0.0))
