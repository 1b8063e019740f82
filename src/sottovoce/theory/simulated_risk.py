"""The same risk by drawing vote counts: any number of users, with a stated standard error.

One repetition costs a handful of binomial draws whatever n, T and the number of bins are: the occupied bins' counts
are multinomial, the largest of K idle bins comes from its distribution function F^K and its place from the
(truncated geometric) law of the first bin that attains it. Given the winner the squared error is not drawn but
averaged exactly, so that only the localisation is left to chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sottovoce.messages import MAX_EPSILON, InvalidInput, check_epsilon
from sottovoce.theory.exact_risk import NEGLECT, checked_bins, conditional, keep_chance
from sottovoce.theory.laws import Law
from sottovoce.theory.localisation import occupied
from sottovoce.theory.user_means import Floats, Integers, MeanLaw
from sottovoce.theory.votes import binomial

_CHUNK = 50_000


@dataclass(frozen=True, kw_only=True)
class SimulatedRisk:
    """A simulated mean squared error, in squared half-ranges, its standard error, and the share of misses."""

    mse: float
    standard_error: float
    misses: float
    repetitions: int


def simulated_risk(
    *,
    users: int,
    observations: int,
    epsilon: float,
    delta: float,
    law: Law,
    repetitions: int,
    seed: int,
    reach: int = 0,
    clip: bool = False,
    shift: float | tuple[float, float] = 0.0,
) -> SimulatedRisk:
    """What `exact_risk` computes, simulated; a pair of shifts is drawn anew for every 500 repetitions.

    Accuracy
    --------
    The standard error is that of the repetitions (of the blocks of 500, where shifts are drawn). Rare failures that
    no repetition hit are not in it: with r repetitions, events rarer than 3/r may all be missing (ERRATA 18).
    """
    check_epsilon(epsilon, maximum=MAX_EPSILON)
    bins = checked_bins(users, observations, delta, reach)
    if bins == 1 or users < 2:
        raise InvalidInput("with one bin nothing is voted on: exact_risk answers at once")
    if repetitions < 2:
        raise InvalidInput(rule="repetitions must be at least 2", wrong=f"got {repetitions}")
    means = law.of_means(observations)
    stream = np.random.default_rng(seed)
    contest = _Contest(users // 2, keep_chance(epsilon, bins, reach), bins, reach)
    size = min(repetitions, 500 if isinstance(shift, tuple) else _CHUNK)
    blocks, missed = [], 0.0
    for first in range(0, repetitions, size):
        count = min(size, repetitions - first)
        place = stream.uniform(*shift) if isinstance(shift, tuple) else shift
        winner = contest.draw(means, place, delta, count, stream)
        risk = conditional(means, place, winner, delta=delta, reach=reach, clip=clip)
        terms = risk.terms(users - users // 2, 2 / epsilon**2)
        blocks.append(terms[0] + terms[1] + terms[2])
        missed += float(terms[3].sum())
    drawn = np.concatenate(blocks)
    parts = np.array([block.mean() for block in blocks]) if isinstance(shift, tuple) and len(blocks) > 1 else drawn
    return SimulatedRisk(
        mse=float(drawn.mean()),
        standard_error=float(parts.std(ddof=1) / np.sqrt(len(parts))),
        misses=missed / repetitions,
        repetitions=repetitions,
    )


@dataclass(frozen=True)
class _Contest:
    voters: int
    keep: float
    bins: int
    reach: int

    @cached_property
    def _upto(self) -> Floats:
        """F, the distribution function of an idle bin's votes."""
        return np.minimum(np.cumsum(binomial(self.voters, 1 - self.keep)), 1.0)

    def draw(self, means: MeanLaw, shift: float, delta: float, count: int, stream: np.random.Generator) -> Integers:
        """Winning bins of `count` independent votes."""
        block = occupied(means, shift=shift, delta=delta, bins=self.bins, neglect=NEGLECT)
        lit, lights = block.lit(bins=self.bins, reach=self.reach)
        hot = stream.multinomial(self.voters, block.shares, size=count) @ lights.T
        votes = stream.binomial(hot, self.keep) + stream.binomial(self.voters - hot, 1 - self.keep)
        under, under_place = self._idle(int(lit[0]), count, stream)
        over, over_place = self._idle(self.bins - 1 - int(lit[-1]), count, stream)
        contenders = np.column_stack([under, votes.max(axis=1), over])  # the first largest wins, as the lowest index
        places = np.column_stack([under_place, lit[0] + votes.argmax(axis=1), lit[-1] + 1 + over_place])
        return np.asarray(places[np.arange(count), contenders.argmax(axis=1)])

    def _idle(self, idle: int, count: int, stream: np.random.Generator) -> tuple[Integers, Integers]:
        """The most votes among `idle` bins, and which of them has it first."""
        if idle == 0:
            return np.full(count, -1), np.zeros(count, dtype=np.int64)
        upto = self._upto
        top = np.minimum(np.searchsorted(upto**idle, stream.random(count), side="left"), self.voters)
        ratio = np.where(top > 0, upto[top - 1], 0.0) / upto[top]
        tail = -np.expm1(idle * np.log(np.maximum(ratio, 1e-300))) * stream.random(count)
        with np.errstate(divide="ignore"):
            place = np.floor(np.log1p(-tail) / np.log(np.minimum(ratio, 1 - 1e-16)))
        return top, np.clip(np.nan_to_num(place), 0, idle - 1).astype(np.int64)
