"""The real-data study (L937–953) on any table of users by observations: one share, and the shares of four groups."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, vectors
from sottovoce.paper.fast.univariate import user_level
from sottovoce.paper.fast.votes import keep
from sottovoce.schemes import experiment_delta

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Errors = dict[tuple[str, float], Floats]
SCHEMES = ("full item", "user level", "semi user", "one item")
PLAIN = ("user level, 0/1", "semi user, 0/1")
"""Without the mapping to 2x − 1, which the paper does not state (ERRATA 17)."""


def one_share(stream: np.random.Generator, held: Integers, truth: float, repetitions: int) -> Errors:
    """Squared errors of the share of ones, ``held`` being (n, T) of 0 and 1, encoded as 2x − 1 (ERRATA 17).

    Users are dealt to the two halves anew in every repetition; their observations are what they are.
    """
    users, T = held.shape
    average = 2 * held.mean(axis=1) - 1
    rows, half = np.arange(users), users // 2
    errors: Errors = {}
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    dealt = average[order]
    items = 2 * held[rows, stream.integers(0, T, size=(repetitions, users))] - 1
    for alpha in ALPHAS:
        laplace = {
            "full item": 2 / alpha * means.laplace_sum(stream, users * T, (repetitions,)) / (users * T),
            "semi user": 2 / alpha * means.laplace_sum(stream, users, (repetitions,)) / users,
        }
        for name, noise in laplace.items():
            errors[name, alpha] = _error(average.mean() + noise, truth)
        located = user_level(
            stream, dealt[:, :half], dealt[:, half:], delta=experiment_delta(users, T, alpha), epsilon=alpha
        )
        errors["user level", alpha] = _error(located, truth)
        kept = stream.random((repetitions, users)) < keep(alpha)
        answered = np.where(kept, items, -items).mean(axis=1) / math.tanh(alpha / 2)
        errors["one item", alpha] = _error(answered, truth)
    for alpha in ALPHAS:  # the other reading: 0 and 1 stay what they are in [−1, 1], and so does the noise
        noise = 2 / alpha * means.laplace_sum(stream, users, (repetitions,)) / users
        errors[PLAIN[1], alpha] = np.asarray((held.mean() + noise - truth) ** 2)
        located = user_level(
            stream, (dealt[:, :half] + 1) / 2, (dealt[:, half:] + 1) / 2, delta=experiment_delta(users, T, alpha),
            epsilon=alpha,
        )  # fmt: skip
        errors[PLAIN[0], alpha] = np.asarray((located - truth) ** 2)
    return errors


def _error(value: Floats, truth: float) -> Floats:
    """Of the share, (θ + 1)/2."""
    return np.asarray(((value + 1) / 2 - truth) ** 2)


def four_shares(stream: np.random.Generator, held: Integers, truth: Floats, repetitions: int) -> Errors:
    """Squared ℓ2 errors of the shares of all groups, ``held`` being (n, T) of group numbers."""
    users, T = held.shape
    groups = len(truth)
    shares = np.stack([(held == group).mean(axis=1) for group in range(groups)], axis=1)
    lengths = np.sqrt((shares**2).sum(axis=1))
    rows = np.arange(users)
    folds = np.cumsum([0, *np.add(vectors.folds(users - users // 2, groups), vectors.folds(users // 2, groups))])
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    errors: Errors = {}
    for alpha in ALPHAS:

        def draw(group: int, shape: tuple[int, int]) -> Floats:
            chosen = order[:, folds[group] : folds[group] + shape[1]]
            return np.asarray(2 * shares[chosen, group] - 1)

        located = vectors.coordinatewise(
            stream, draw, truth, users=users, delta=experiment_delta(users / groups, T, alpha), epsilon=alpha,
            repetitions=repetitions,
        )  # fmt: skip
        errors["user level", alpha] = ((((located + 1) / 2) - truth) ** 2).sum(axis=1)
        fold = [order[:, group::groups] for group in range(groups)]  # full item: users split evenly, Laplace
        full = [
            shares[mine, group].mean(axis=1)
            + means.laplace_sum(stream, mine.shape[1] * T, (repetitions,)) / (alpha * mine.shape[1] * T)
            for group, mine in enumerate(fold)
        ]
        errors["full item", alpha] = ((np.stack(full, axis=1) - truth) ** 2).sum(axis=1)
        semi, one = np.empty(repetitions), np.empty(repetitions)
        scale, kept = vectors.sphere_scale(groups, alpha), keep(alpha / 2)
        for repetition in range(repetitions):
            points = means.sphere(stream, groups, users)
            toward = np.where((points * shares).sum(axis=1) >= 0, 1.0, -1.0)
            along = np.where(stream.random(users) < 0.5 + lengths / 2, 1.0, -1.0)
            truly = np.where(stream.random(users) < keep(alpha), 1.0, -1.0)
            estimate = scale * (points * (toward * along * truly)[:, None]).mean(axis=0)
            semi[repetition] = ((estimate - truth) ** 2).sum()
            item = held[rows, stream.integers(0, T, size=users)]
            counts = np.bincount(item, minlength=groups)
            votes = stream.binomial(counts, kept) + stream.binomial(users - counts, 1 - kept)
            one[repetition] = (((votes / users - (1 - kept)) / (2 * kept - 1) - truth) ** 2).sum()
        errors["semi user", alpha], errors["one item", alpha] = semi, one
    for alpha in ALPHAS:

        def plain(group: int, shape: tuple[int, int]) -> Floats:
            return np.asarray(shares[order[:, folds[group] : folds[group] + shape[1]], group])

        located = vectors.coordinatewise(
            stream, plain, truth, users=users, delta=experiment_delta(users / groups, T, alpha), epsilon=alpha,
            repetitions=repetitions,
        )  # fmt: skip
        errors[PLAIN[0], alpha] = ((located - truth) ** 2).sum(axis=1)
    return errors
