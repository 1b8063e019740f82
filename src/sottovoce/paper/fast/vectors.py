"""Vector means: the paper's coordinate-wise procedures and the mechanism of Duchi et al., in aggregate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from sottovoce.baselines import sphere_radius, truly
from sottovoce.methods import VoteThenRefine
from sottovoce.paper.fast import means
from sottovoce.paper.fast.surveys import Floats
from sottovoce.paper.fast.univariate import user_level

Draw = Callable[[int, tuple[int, int]], Floats]
"""User means of a coordinate: (coordinate, (repetitions, users)) → array."""


def starts(scheme: VoteThenRefine) -> list[int]:
    """Where the users of each coordinate begin, those who vote and those who refine side by side."""
    return [0, *np.cumsum(np.add(*scheme.folds)).tolist()]


def coordinatewise(stream: Generator, draw: Draw, *, scheme: VoteThenRefine, repetitions: int) -> Floats:
    """Estimates ``(repetitions, d)`` of PrivateMultiDimMean (L454): a fold of users a coordinate, half of it voting."""
    found = np.empty((repetitions, scheme.budget.groups))
    low, high = scheme.ranges or ((scheme.layout.low,), (scheme.layout.high,))
    alone = [scheme.on(*ends) for ends in zip(low, high, strict=True)]
    for coordinate, (voters, refiners) in enumerate(zip(*scheme.folds, strict=True)):
        held = draw(coordinate, (repetitions, voters + refiners))
        own = alone[coordinate % len(alone)]
        found[:, coordinate] = user_level(stream, held[:, :voters], held[:, voters:], scheme=own)
    return found


def sphere_reports_along_axis(
    stream: Generator, dimension: int, users: int, theta: float, epsilons: tuple[float, ...]
) -> list[Floats]:
    """The average of `users` reports on vectors along ±e₁ with mean θ e₁, for each ε on the same directions.

    A report is a uniform point of the sphere, turned to the side of e₁ with a chance that depends on the vector only
    through its (signed) length; over users that are alike this chance is ½ + θ·(ω − ½), ω that of a true side.
    """
    points = means.sphere(stream, dimension, users)
    first, rest = np.abs(points[:, 0]), points[:, 1:].mean(axis=0)
    uniforms = stream.random(users)
    averages = []
    for epsilon in epsilons:
        side = np.where(uniforms < 0.5 + theta * (truly(epsilon) - 0.5), 1.0, -1.0)
        averages.append(sphere_radius(dimension, epsilon, 1.0) * np.concatenate([[np.mean(side * first)], rest]))
    return averages


def sphere_items_error(
    stream: Generator, dimension: int, items: int, theta: float, epsilon: float, repetitions: int
) -> Floats:
    """Squared errors of the average of `items` reports, by the central limit with the exact covariance.

    E zzᵀ = (B²/d)·I, so the covariance of one report is (B²/d)·I − θ²e₁e₁ᵀ. This is the one place where a limit law
    is used: an average of over a million bounded terms. The expected squared error is exact.
    """
    variance = np.full(dimension, sphere_radius(dimension, epsilon, 1.0) ** 2 / dimension)
    variance[0] -= theta**2
    return np.asarray((stream.standard_normal((repetitions, dimension)) ** 2) @ variance / items)
