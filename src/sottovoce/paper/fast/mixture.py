"""PrivateMixtureMean (L1186) on [−1, 1] for many repetitions at once, exact in law.

Readings taken: one-hot votes for the nearest centre (ERRATA P3), the sign of the user's own centre, sums divided by
|N₃|·π̂_k, `≥` for the cut (ERRATA 13), C_α in place of √4 in Δ (ERRATA 14).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sottovoce.paper.fast.univariate import bins_of
from sottovoce.paper.fast.vectors import folds
from sottovoce.paper.fast.votes import keep
from sottovoce.theory import bin_count

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def draw_means(
    stream: np.random.Generator, weights: Floats, chances: Floats, observations: int, size: tuple[int, int]
) -> Floats:
    """User means: each user draws from one Rad(p_k), k with these weights."""
    kind = np.searchsorted(np.cumsum(weights)[:-1], stream.random(size), side="right")
    return 2 * stream.binomial(observations, chances[kind]) / observations - 1


def _counts(index: Integers, bins: int) -> Integers:
    rows = np.arange(len(index))[:, None] * bins
    return np.bincount((index + rows).ravel(), minlength=len(index) * bins).reshape(len(index), bins)


def _votes(stream: np.random.Generator, held: Integers, voters: int, kept: float) -> Integers:
    return stream.binomial(held, kept) + stream.binomial(voters - held, 1 - kept)


def centres(votes: Integers, components: int, delta: float) -> Floats:
    """The centres of the winners in increasing order: each win removes a bin and its neighbours (L1200).

    Where no bin is left (ERRATA 13) the last winner is taken again.
    """
    left = votes.astype(np.float64)
    found = np.empty((len(votes), components), dtype=np.int64)
    rows = np.arange(len(votes))
    for k in range(components):
        best = np.argmax(left, axis=1)
        exhausted = np.isneginf(left[rows, best])
        if k:
            best = np.where(exhausted, found[:, k - 1], best)
        found[:, k] = best
        for beside in (-1, 0, 1):
            place = np.clip(best + beside, 0, votes.shape[1] - 1)
            left[rows, place] = -np.inf
    return np.sort(-1 + (2 * found + 1) * delta, axis=1)


def estimates(stream: np.random.Generator, means: Floats, *, components: int, delta: float, epsilon: float) -> Floats:
    """Component means ``(repetitions, m)``, in increasing order of their centres; `means` is ``(repetitions, n)``."""
    users = means.shape[1]
    first, second, third = np.split(means, np.cumsum(folds(users, 3))[:-1], axis=1)
    bins, kept = bin_count(delta), keep(epsilon / 2)
    votes = _votes(stream, _counts(bins_of(first, delta, bins), bins), first.shape[1], kept)
    middle = centres(votes, components, delta)
    nearest = _nearest(second, middle)
    shares = _votes(stream, _counts(nearest, components), second.shape[1], kept) / second.shape[1]
    shares = (shares - (1 - kept)) / (2 * kept - 1)
    own = _nearest(third, middle)
    away = np.clip(third - np.take_along_axis(middle, own, axis=1), -3 * delta, 3 * delta)
    noise = 6 * delta / epsilon * stream.laplace(size=away.shape)
    sign = np.where(stream.integers(0, 2, size=(components, *away.shape), dtype=np.int8) > 0, 1.0, -1.0)
    mine = np.take_along_axis(sign, own[None], axis=0)[0]
    sent = mine * away + noise
    sums = np.einsum("kri,ri->rk", sign, sent)
    usable = shares >= 1 / (100 * components)
    moved = np.divide(sums, third.shape[1] * shares, out=np.zeros_like(sums), where=usable)
    return np.asarray(middle + moved)


def _nearest(values: Floats, middle: Floats) -> Integers:
    return np.asarray(np.abs(values[:, :, None] - middle[:, None, :]).argmin(axis=2))


def wide(users: int, observations: int, epsilon: float, constant: float) -> float:
    """Δ = C √(log(nTα²)/T)."""
    return constant * math.sqrt(math.log(max(users * observations * epsilon**2, math.e)) / observations)
