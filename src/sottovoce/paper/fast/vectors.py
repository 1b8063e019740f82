"""Vector means: the paper's coordinate-wise procedures and the mechanism of Duchi et al., in aggregate."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sottovoce.paper.fast import means
from sottovoce.paper.fast.univariate import user_level

Floats = NDArray[np.float64]
Draw = Callable[[int, tuple[int, int]], Floats]
"""User means of a coordinate: (coordinate, (repetitions, users)) → array."""


def folds(users: int, groups: int) -> list[int]:
    """As even as possible, everybody in exactly one (ERRATA 16)."""
    return [users // groups + (group < users % groups) for group in range(groups)]


def coordinatewise(
    stream: np.random.Generator,
    draw: Draw,
    truth: Floats,
    *,
    users: int,
    delta: float,
    epsilon: float,
    repetitions: int,
) -> Floats:
    """Estimates ``(repetitions, d)`` of PrivateMultiDimMean (L454): a fold of users a coordinate, half of it voting."""
    found = np.empty((repetitions, len(truth)))
    halves = folds(users, 2)
    groups = zip(folds(halves[0], len(truth)), folds(halves[1], len(truth)), strict=True)
    for coordinate, (voters, refiners) in enumerate(groups):
        held = draw(coordinate, (repetitions, voters + refiners))
        found[:, coordinate] = user_level(stream, held[:, :voters], held[:, voters:], delta=delta, epsilon=epsilon)
    return found


def sphere_scale(dimension: int, epsilon: float) -> float:
    """B of Duchi, Jordan and Wainwright (2018, Eq. 25) for the unit ball: coth(α/2)·√π·Γ((d+1)/2)/Γ(d/2)."""
    gammas = math.exp(math.lgamma((dimension + 1) / 2) - math.lgamma(dimension / 2))
    return math.sqrt(math.pi) * gammas / math.tanh(epsilon / 2)


def sphere_reports_along_axis(
    stream: np.random.Generator, dimension: int, users: int, theta: float, epsilons: tuple[float, ...]
) -> list[Floats]:
    """The average of `users` reports on vectors along ±e₁ with mean θ e₁, for each ε on the same directions.

    A report is a uniform point of the sphere, turned to the side of e₁ with a chance that depends on the vector only
    through its (signed) length; over users that are alike this chance is ½ + θ/2·tanh(ε/2).
    """
    points = means.sphere(stream, dimension, users)
    first, rest = np.abs(points[:, 0]), points[:, 1:].mean(axis=0)
    uniforms = stream.random(users)
    averages = []
    for epsilon in epsilons:
        side = np.where(uniforms < 0.5 + theta / 2 * math.tanh(epsilon / 2), 1.0, -1.0)
        averages.append(sphere_scale(dimension, epsilon) * np.concatenate([[np.mean(side * first)], rest]))
    return averages


def sphere_items_error(
    stream: np.random.Generator, dimension: int, items: int, theta: float, epsilon: float, repetitions: int
) -> Floats:
    """Squared errors of the average of `items` reports, by the central limit with the exact covariance.

    E zzᵀ = (B²/d)·I, so the covariance of one report is (B²/d)·I − θ²e₁e₁ᵀ. This is the one place where a limit law
    is used: an average of over a million bounded terms. The expected squared error is exact.
    """
    variance = np.full(dimension, sphere_scale(dimension, epsilon) ** 2 / dimension)
    variance[0] -= theta**2
    return np.asarray((stream.standard_normal((repetitions, dimension)) ** 2) @ variance / items)
