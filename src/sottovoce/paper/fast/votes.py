"""The unary votes of a localisation, as laws of counts."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.random import Generator

from sottovoce.paper.fast.surveys import Floats, Integers


@lru_cache(maxsize=64)
def log_distribution(voters: int, chance: float) -> Floats:
    """Log F(v) of Bin(voters, chance), v = 0 … voters, accurate where F is close to 0 and to 1."""
    from scipy.special import bdtr, bdtrc

    values = np.arange(voters + 1)
    below, above = bdtr(values, voters, chance), bdtrc(values, voters, chance)
    with np.errstate(divide="ignore"):
        return np.where(above < 0.5, np.log1p(-above), np.log(below))


@lru_cache(maxsize=16)
def table(voters: int, kept: float) -> Floats:
    """F_c(v) of the votes for a bin that holds c of the voters: Bin(c, ω) + Bin(voters − c, 1 − ω)."""
    from scipy.stats import binom

    rows = np.empty((voters + 1, voters + 1))
    for held in range(voters + 1):
        true = binom.pmf(np.arange(held + 1), held, kept)
        false = binom.pmf(np.arange(voters - held + 1), voters - held, 1 - kept)
        rows[held] = np.cumsum(np.convolve(true, false))
    rows[:, -1] = 1.0
    return rows


def empty_best(stream: Generator, voters: int, kept: float, empty: Integers) -> tuple[Integers, Integers]:
    """The most votes among `empty` bins that hold nobody, and the first of them (in their own order) that has it.

    P(max ≤ v) = F(v)^K, so with E ~ Exp(1) the maximum is min{v : −K·log F(v) ≤ E}. Given the maximum v, every bin
    is at most v and the first that reaches it is geometric with ratio q = F(v−1)/F(v), cut off at K.
    """
    law = log_distribution(voters, 1 - kept)
    count = np.maximum(empty, 1)
    most = np.minimum(np.searchsorted(law, -stream.standard_exponential(len(empty)) / count), voters)
    below = np.where(most > 0, law[np.maximum(most, 1) - 1], -np.inf)
    log_ratio = below - law[most]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = -np.expm1(count * log_ratio)  # 1 − q^K
        first = np.floor(np.log1p(-stream.random(len(empty)) * spread) / log_ratio)
    first = np.clip(np.nan_to_num(first, nan=0.0, posinf=0.0), 0, count - 1).astype(np.int64)
    return np.where(empty > 0, most, -1), first


def winners(stream: Generator, index: Integers, bins: int, kept: float) -> Integers:
    """Who wins the vote, ties to the lower index: `index` holds the voters' bins, a row a repetition, sorted."""
    repetitions, voters = index.shape
    starts = np.ones(index.shape, dtype=bool)
    starts[:, 1:] = index[:, 1:] != index[:, :-1]
    at = np.flatnonzero(starts)
    rows, occupied = at // voters, index.ravel()[at]
    held = np.diff(np.append(at, index.size))
    got = stream.binomial(held, kept) + stream.binomial(voters - held, 1 - kept)
    first_run = np.searchsorted(rows, np.arange(repetitions))
    best = np.maximum.reduceat(got * np.int64(bins) + (bins - 1 - occupied), first_run)
    best_votes, best_bin = best // bins, bins - 1 - best % bins
    runs = np.bincount(rows, minlength=repetitions)
    most, rank = empty_best(stream, voters, kept, bins - runs)
    passed = occupied - (np.arange(len(at)) - first_run[rows]) <= rank[rows]  # occupied bins before the empty one
    place = rank + np.bincount(rows[passed], minlength=repetitions)
    wins = (most > best_votes) | ((most == best_votes) & (place < best_bin))
    return np.where(wins, place, best_bin)
