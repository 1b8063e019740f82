"""Sparse means: the hashed vote of PrivateSparseSelection (L600) and the item-level rival, in aggregate.

Data are P^sparse_{d,s,p} (L900): s coordinates Rad(p), the others Rad(½), all independent. A coordinate is then a vote
with a known chance, and no observation needs to be drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sottovoce.baselines import ItemSparse, cube_side, true_side_chance
from sottovoce.paper.figure import Floats, Integers
from sottovoce.paper.simulation import averages
from sottovoce.paper.simulation.vote_then_refine import PAPER, coordinatewise_estimates, method_of
from sottovoce.problems.sparse import SparseMean

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

    def asked(self, alpha: float, **constants: Any) -> Any:
        """The selection that these users go through (`problems.sparse.Selection`)."""
        survey = SparseMean(
            epsilon=alpha, users=self.users, observations=self.observations, dimension=self.dimension,
            procedure="selection", method=PAPER, **constants,
        )  # fmt: skip
        return method_of(survey).selection(survey)


@dataclass(frozen=True, kw_only=True)
class Ballot:
    """What a voter sends: which coordinates are far enough from zero, between which ends, with how much noise."""

    threshold: float
    low: float
    high: float
    scale: float

    @classmethod
    def of(cls, selection: Any) -> Ballot:
        """As the selection asks for it."""
        vote = selection.vote()
        (low,), (high,) = vote.encoder.placement.low, vote.encoder.placement.high
        far = vote.encoder.statistic.threshold
        return cls(threshold=far, low=low, high=high, scale=vote.channel.scale * (high - low))


@lru_cache(maxsize=256)
def vote_chance(observations: int, chance: float, limit: float) -> float:
    """P(|X̄| ≥ limit) for T draws of Rad(p)."""
    from scipy.stats import binom

    high = math.ceil(observations * (1 + limit) / 2 - 1e-9)
    low = math.floor(observations * (1 - limit) / 2 + 1e-9)
    return float(binom.sf(high - 1, observations, chance) + binom.cdf(low, observations, chance))


def public_signs(stream: Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Public random signs."""
    bits = np.unpackbits(stream.integers(0, 256, size=(shape[0], -(-shape[1] // 8)), dtype=np.uint8), axis=1)
    return 2 * bits[:, : shape[1]].astype(np.float32) - 1


def hashes(stream: Generator, people: SparseUsers, sign: NDArray[np.float32], limit: float) -> Floats:
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


def scores(stream: Generator, sign: NDArray[np.float32], hashed: Floats, ballot: Ballot) -> Floats:
    """(2/n) Σ_i r_ij Z_i (L608) with Z_i the truncated hash and its Laplace noise."""
    sent = np.clip(hashed, ballot.low, ballot.high) + ballot.scale * stream.laplace(size=len(hashed))
    return np.asarray(sent.astype(np.float32) @ sign / len(hashed), dtype=np.float64)


def selected_coordinates(selection: Any, score: Floats, order: Integers | None = None) -> Integers:
    """The coordinates that the selection takes, in its order; `order` are places that the support was moved to."""
    assert selection.settings.false_alarm is None, "the noise of the scores is not reckoned here"
    if order is None:
        return np.array(selection.select(score, 0.0), dtype=np.int64)
    return order[np.array(selection.select(score[order], 0.0), dtype=np.int64)]


def selections(
    stream: Generator,
    people: SparseUsers,
    asked: Mapping[tuple[str, float, Any], Any],
    repetitions: int,
    *,
    together: Sequence[Sequence[str]],
) -> Iterator[tuple[tuple[str, float, Any], Integers]]:
    """The coordinates that each selection of `asked`, by rule, ε and another size, takes in each repetition.

    Rules that are named `together` look at the same hashes, and at the same scores for the same size: where their votes
    begin does not depend on it. All look at the same public signs.
    """
    ballots = {key: Ballot.of(selection) for key, selection in asked.items()}
    voters = next(iter(asked.values())).halves[0].count
    epsilons = dict.fromkeys(epsilon for _, epsilon, _ in asked)
    sizes = list(dict.fromkeys(size for _, _, size in asked))
    for _ in range(repetitions):
        sign = public_signs(stream, (voters, people.dimension))
        for epsilon in epsilons:
            for rules in together:
                hashed = hashes(stream, people, sign, ballots[rules[0], epsilon, sizes[0]].threshold)
                for size in sizes:
                    score = scores(stream, sign, hashed, ballots[rules[0], epsilon, size])
                    for key in ((rule, epsilon, size) for rule in rules):
                        yield key, selected_coordinates(asked[key], score)


def refined_errors(stream: Generator, people: SparseUsers, selections: list[Integers], selection: Any) -> Floats:
    """Squared errors after the other half has refined what was selected, one entry of `selections` a repetition."""
    hits = np.array([int((chosen < people.sparsity).sum()) for chosen in selections])
    sizes = np.array([len(chosen) for chosen in selections])
    error = (people.sparsity - hits) * people.signal**2
    for size in np.unique(sizes[sizes > 0]):
        rows = np.flatnonzero(sizes == size)
        inside = np.stack([selections[row] < people.sparsity for row in rows])
        scheme = selection.refinement(tuple(range(size)))

        def draw(slot: int, shape: tuple[int, int], inside: NDArray[np.bool_] = inside) -> Floats:
            chance = np.where(inside[:, slot], people.chance, 0.5)[:, None]
            return 2 * stream.binomial(people.observations, chance, shape) / people.observations - 1

        value = coordinatewise_estimates(stream, draw, scheme=scheme, repetitions=len(rows))
        error[rows] += ((value - np.where(inside, people.signal, 0.0)) ** 2).sum(axis=1)
    return np.asarray(error)


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
    true_side = true_side_chance(alpha)
    of_agreements = true_side * one + (1 - true_side) * one[::-1]
    bits = (np.arange(2**sparsity)[:, None] >> np.arange(sparsity)) & 1
    data = np.prod(np.where(bits == 1, chance, 1 - chance), axis=1)
    same = (bits[:, None, :] == bits[None, :, :]).sum(axis=2)  # report by observation
    return np.asarray(of_agreements[same] @ data)


def item_level_errors(stream: Generator, people: SparseUsers, alpha: float, repetitions: int) -> Floats:
    """Squared errors of the average of nT cube reports after a soft threshold at √(2 ln d) standard deviations.

    On Rad(½) coordinates a report's signs are fair coins, independent of everything else; on the support the
    patterns are multinomial.
    """
    items, s, d = people.users * people.observations, people.sparsity, people.dimension
    rival, side = ItemSparse(epsilon=alpha, dimension=d), cube_side(d, alpha, 1.0)
    law = pattern_law(d, s, people.chance, alpha)
    bits = 2 * ((np.arange(2**s)[:, None] >> np.arange(s)) & 1) - 1
    shown = stream.multinomial(items, law / law.sum(), size=repetitions) @ bits
    support = side * shown / items
    others = side * averages.rademacher(stream, items, 0.5, (repetitions, d - s))
    error = ((rival.cut(support, items) - people.signal) ** 2).sum(axis=1)
    return np.asarray(error + (rival.cut(others, items) ** 2).sum(axis=1))
