"""Vector means (L884–898): d = 8, 16, 32, two settings, four procedures; n = 4000, T = 400, 500 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.paper.fast import means, vectors
from sottovoce.paper.figure import (
    Cell,
    Rows,
    Run,
    parts,
)
from sottovoce.schemes import experiment_delta
from sottovoce.theory import experiment_constant

USERS, OBSERVATIONS = 4000, 400
LEVELS = (2.0, 4.0)
DIMENSIONS = (8, 16, 32)
CORNER = 0.8
"""E X₁ under Rad(0.9)."""
SCHEMES = ("full item", "semi user", "user ℓ∞", "user ℓ2")


def cells(run: Run) -> list[Cell]:
    """One a setting, a dimension, and part of the repetitions."""
    count, size = (1, 60) if run.quick else (5, 100)
    return [
        {"setting": setting, "d": d, "part": part, "repetitions": 20 if run.quick and setting == 2 else size}
        for setting in (1, 2)
        for d in DIMENSIONS
        for part in range(count)
    ]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Squared errors of all procedures for both α."""
    d, count, corner = cell["d"], cell["repetitions"], cell["setting"] == 1
    theta = np.zeros(d)
    theta[0] = CORNER if corner else 0.0
    errors: dict[tuple[str, float], np.ndarray] = {}
    held = (
        means.rademacher(stream, OBSERVATIONS, 0.9, (count, USERS))
        if corner
        else means.sphere_coordinate(stream, OBSERVATIONS, d, (count, USERS))
    )
    folds = np.cumsum([0, *np.add(vectors.folds(USERS // 2, d), vectors.folds(USERS // 2, d))])
    signs = np.where(stream.random((count, d)) < 0.5, -1.0, 1.0) / math.sqrt(d)

    def plain(coordinate: int, shape: tuple[int, int]) -> np.ndarray:
        """Setting 1 has nothing but its first coordinate; in setting 2 all coordinates have the same law."""
        if corner and coordinate:
            return np.zeros(shape)
        return held[:, folds[coordinate] : folds[coordinate] + shape[1]]

    def rotated(coordinate: int, shape: tuple[int, int]) -> np.ndarray:
        """Setting 1: ±X₁/√d in every coordinate. Setting 2: the sphere looks the same from everywhere."""
        mine = held[:, folds[coordinate] : folds[coordinate] + shape[1]]
        return mine * signs[:, [coordinate]] if corner else mine

    for alpha in LEVELS:
        one = experiment_delta(USERS / d, OBSERVATIONS, alpha)
        ball = experiment_constant(alpha) * math.log(USERS * OBSERVATIONS * alpha**2) / math.sqrt(d * OBSERVATIONS)
        setting: dict[str, Any] = {"users": USERS, "epsilon": alpha, "repetitions": count}
        box = vectors.coordinatewise(stream, plain, theta, delta=one, **setting)
        errors["user ℓ∞", alpha] = ((box - theta) ** 2).sum(axis=1)
        turned = vectors.coordinatewise(stream, rotated, theta, delta=ball, **setting)
        aim = CORNER * signs if corner else 0.0  # R is orthogonal: the error is the same before turning back
        errors["user ℓ2", alpha] = ((turned - aim) ** 2).sum(axis=1)
        errors["full item", alpha] = vectors.sphere_items_error(
            stream, d, USERS * OBSERVATIONS, float(theta[0]), alpha, count
        )
    semi = [vectors.sphere_reports_along_axis(stream, d, USERS, float(theta[0]), LEVELS) for _ in range(count)]
    for a, alpha in enumerate(LEVELS):
        errors["semi user", alpha] = np.array([((both[a] - theta) ** 2).sum() for both in semi])
    return [
        parts({"setting": cell["setting"], "d": d, "alpha": alpha, "scheme": scheme}, errors[scheme, alpha])
        for alpha in LEVELS
        for scheme in SCHEMES
    ]
