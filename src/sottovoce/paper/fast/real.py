"""The real-data study (L937–953) on any table of users by observations: one share, and the shares of four groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.baselines import FullItem, SemiUser, sphere_radius, truly
from sottovoce.design import one_bit, unary
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, protocols, vectors
from sottovoce.paper.fast.surveys import Floats, Integers, halves
from sottovoce.paper.fast.univariate import user_level

Errors = dict[tuple[str, float], Floats]
SCHEMES = ("full item", "user level", "semi user", "one item")
PLAIN = ("user level, 0/1", "semi user, 0/1")
"""Without the mapping to 2x − 1, which the paper does not state (ERRATA 17)."""


def one_share(stream: Generator, held: Integers, truth: float, repetitions: int) -> Errors:
    """Squared errors of the share of ones, ``held`` being (n, T) of 0 and 1, encoded as 2x − 1 (ERRATA 17).

    Users are dealt to the two halves anew in every repetition; their observations are what they are.
    """
    users, T = held.shape
    average = 2 * held.mean(axis=1) - 1
    rows = np.arange(users)
    errors: Errors = {}
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    dealt = average[order]
    items = held[rows, stream.integers(0, T, size=(repetitions, users))]
    for alpha in ALPHAS:
        declared: dict[str, Any] = {"epsilon": alpha, "low": -1.0, "high": 1.0, "users": users, "observations": T}
        for name, baseline in (("full item", FullItem(**declared)), ("semi user", SemiUser(**declared))):
            noise = means.laplace_mean(stream, baseline.question(), (repetitions,))
            errors[name, alpha] = _error(average.mean() + noise, truth)
        scheme = protocols.mean(users, T, alpha)
        errors["user level", alpha] = _error(user_level(stream, *halves(dealt, scheme), scheme=scheme), truth)
        bit = one_bit(alpha)
        sent = stream.random((repetitions, users)) < np.array(bit.probabilities)[items, 1]
        errors["one item", alpha] = (np.array(bit.decode)[sent.astype(np.int64)].mean(axis=1) - truth) ** 2
    for alpha in ALPHAS:  # the other reading: 0 and 1 stay what they are in [−1, 1], and so does the noise
        semi = SemiUser(epsilon=alpha, low=-1.0, high=1.0, users=users, observations=T)
        noise = means.laplace_mean(stream, semi.question(), (repetitions,))
        errors[PLAIN[1], alpha] = np.asarray((held.mean() + noise - truth) ** 2)
        scheme = protocols.mean(users, T, alpha)
        located = user_level(stream, *halves((dealt + 1) / 2, scheme), scheme=scheme)
        errors[PLAIN[0], alpha] = np.asarray((located - truth) ** 2)
    return errors


def _error(value: Floats, truth: float) -> Floats:
    """Of the share, (θ + 1)/2."""
    return np.asarray(((value + 1) / 2 - truth) ** 2)


def four_shares(stream: Generator, held: Integers, truth: Floats, repetitions: int) -> Errors:
    """Squared ℓ2 errors of the shares of all groups, ``held`` being (n, T) of group numbers."""
    users, T = held.shape
    groups = len(truth)
    shares = np.stack([(held == group).mean(axis=1) for group in range(groups)], axis=1)
    lengths = np.sqrt((shares**2).sum(axis=1))
    rows = np.arange(users)
    order = np.argsort(stream.random((repetitions, users)), axis=1)
    errors: Errors = {}

    def located(alpha: float, averages: Floats) -> Floats:
        scheme = protocols.vector(users, T, alpha, dimension=groups, ball="linf")
        first = vectors.starts(scheme)

        def draw(group: int, shape: tuple[int, int]) -> Floats:
            return np.asarray(averages[order[:, first[group] : first[group] + shape[1]], group])

        return vectors.coordinatewise(stream, draw, scheme=scheme, repetitions=repetitions)

    for alpha in ALPHAS:
        errors["user level", alpha] = ((((located(alpha, 2 * shares - 1) + 1) / 2) - truth) ** 2).sum(axis=1)
        fold = [order[:, group::groups] for group in range(groups)]  # full item: users split evenly, Laplace
        full = [
            shares[mine, group].mean(axis=1)
            + means.laplace_mean(
                stream,
                FullItem(epsilon=alpha, low=0.0, high=1.0, users=mine.shape[1], observations=T).question(),
                (repetitions,),
            )
            for group, mine in enumerate(fold)
        ]
        errors["full item", alpha] = ((np.stack(full, axis=1) - truth) ** 2).sum(axis=1)
        semi, one = np.empty(repetitions), np.empty(repetitions)
        scale, channel = sphere_radius(groups, alpha, 1.0), unary(alpha, groups)
        for repetition in range(repetitions):
            points = means.sphere(stream, groups, users)
            toward = np.where((points * shares).sum(axis=1) >= 0, 1.0, -1.0)
            along = np.where(stream.random(users) < 0.5 + lengths / 2, 1.0, -1.0)
            kept = np.where(stream.random(users) < truly(alpha), 1.0, -1.0)
            estimate = scale * (points * (toward * along * kept)[:, None]).mean(axis=0)
            semi[repetition] = ((estimate - truth) ** 2).sum()
            item = held[rows, stream.integers(0, T, size=users)]
            counts = np.bincount(item, minlength=groups)
            votes = stream.binomial(counts, channel.keep) + stream.binomial(users - counts, 1 - channel.keep)
            one[repetition] = ((channel.shares(votes, users) - truth) ** 2).sum()
        errors["semi user", alpha], errors["one item", alpha] = semi, one
    for alpha in ALPHAS:
        errors[PLAIN[0], alpha] = ((located(alpha, shares) - truth) ** 2).sum(axis=1)
    return errors
