"""Vector means (L884–898): d = 8, 16, 32, two settings, four procedures; n = 4000, T = 400, 500 repetitions."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from sottovoce.methods import VoteThenRefine
from sottovoce.paper import ours
from sottovoce.paper.fast import means, protocols, vectors
from sottovoce.paper.figure import Cell, Rows, Run, parts
from sottovoce.problems.vector import VectorMean
from sottovoce.theory import experiment_constant

USERS, OBSERVATIONS = 4000, 400
LEVELS = (2.0, 4.0)
DIMENSIONS = (8, 16, 32)
CORNER = 0.8
"""E X₁ under Rad(0.9)."""
SCHEMES = ("full item", "semi user", "user ℓ∞", "user ℓ2")
OTHER = "user ℓ2, √C_α"
"""The other reading of "C_α in place of √2" where the constant is √C (ERRATA 14): C_α in place of C."""
REPETITIONS = 60
"""Of our default."""


def cells(run: Run) -> list[Cell]:
    """One a setting, a dimension, and part of the repetitions; and one for our default."""
    count, size = (1, 60) if run.quick else (5, 100)
    theirs = [
        {"setting": setting, "d": d, "part": part, "repetitions": 20 if run.quick and setting == 2 else size}
        for setting in (1, 2)
        for d in DIMENSIONS
        for part in range(count)
    ]
    own, sizes = (ours.QUICK, DIMENSIONS[1:2]) if run.quick else (REPETITIONS, DIMENSIONS)
    return theirs + [
        {"series": "ours", "setting": setting, "d": d, "repetitions": own} for setting in (1, 2) for d in sizes
    ]


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    if cell.get("series"):
        return float(0.25 * cell["repetitions"])
    return float(cell["repetitions"] / 100 * (3 if cell["setting"] == 2 else 0.1 + cell["d"] / 120))


def compute(cell: Cell, stream: Generator) -> Rows:
    """Squared errors of all procedures for both α."""
    if cell.get("series"):
        return our_rows(cell, stream)
    d, count, corner = cell["d"], cell["repetitions"], cell["setting"] == 1
    theta = np.zeros(d)
    theta[0] = CORNER if corner else 0.0
    errors: dict[tuple[str, float], np.ndarray] = {}
    held = (
        means.rademacher(stream, OBSERVATIONS, 0.9, (count, USERS))
        if corner
        else means.sphere_coordinate(stream, OBSERVATIONS, d, (count, USERS))
    )
    folds = vectors.starts(protocols.vector(USERS, OBSERVATIONS, LEVELS[0], dimension=d, ball="linf"))
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
        cube, ball = (protocols.vector(USERS, OBSERVATIONS, alpha, dimension=d, ball=shape) for shape in ("linf", "l2"))
        box = vectors.coordinatewise(stream, plain, scheme=cube, repetitions=count)
        errors["user ℓ∞", alpha] = ((box - theta) ** 2).sum(axis=1)
        turned = vectors.coordinatewise(stream, rotated, scheme=ball, repetitions=count)
        aim = CORNER * signs if corner else 0.0  # R is orthogonal: the error is the same before turning back
        errors["user ℓ2", alpha] = ((turned - aim) ** 2).sum(axis=1)
        errors["full item", alpha] = vectors.sphere_items_error(
            stream, d, USERS * OBSERVATIONS, float(theta[0]), alpha, count
        )
    semi = [vectors.sphere_reports_along_axis(stream, d, USERS, float(theta[0]), LEVELS) for _ in range(count)]
    for a, alpha in enumerate(LEVELS):
        errors["semi user", alpha] = np.array([((both[a] - theta) ** 2).sum() for both in semi])
    for alpha in LEVELS:
        turned = vectors.coordinatewise(stream, rotated, scheme=other_ball(d, alpha), repetitions=count)
        errors[OTHER, alpha] = ((turned - (CORNER * signs if corner else 0.0)) ** 2).sum(axis=1)
    return [
        parts({"setting": cell["setting"], "d": d, "alpha": alpha, "scheme": scheme}, errors[scheme, alpha])
        for alpha in LEVELS
        for scheme in (*SCHEMES, OTHER)
    ]


def other_ball(d: int, alpha: float) -> VoteThenRefine:
    """The ℓ2 procedure with Δ = √C·log/√(dT) where C, not √C, is C_α."""
    usual = protocols.vector(USERS, OBSERVATIONS, alpha, dimension=d, ball="l2")
    wide = usual.layout.delta / math.sqrt(experiment_constant(alpha))
    return protocols.vector(USERS, OBSERVATIONS, alpha, dimension=d, ball="l2", delta=wide)


def our_rows(cell: Cell, stream: Generator) -> Rows:
    """Our default on the unit ball, both α on the same users."""
    d, rows = cell["d"], []
    theta = np.zeros(d)
    theta[0] = CORNER if cell["setting"] == 1 else 0.0
    held = [_whole(cell, block) for block in stream.spawn(cell["repetitions"])]
    for alpha in LEVELS:
        survey = ours.survey_of(
            VectorMean, epsilon=alpha, users=USERS, observations=OBSERVATIONS, dimension=d, ball="l2"
        )  # fmt: skip
        error = [float(((np.array(answer.value) - theta) ** 2).sum()) for answer in ours.answers(survey, held, stream)]
        key = {"setting": cell["setting"], "d": d, "alpha": alpha, "scheme": ours.DEFAULT}
        rows.append(parts(key, np.array(error)))
    return rows


def _whole(cell: Cell, stream: Generator) -> np.ndarray:
    """The averages of whole vectors, ``(n, d)``."""
    if cell["setting"] == 2:
        return means.sphere_vectors(stream, OBSERVATIONS, cell["d"], USERS)
    held = np.zeros((USERS, cell["d"]))
    held[:, 0] = means.rademacher(stream, OBSERVATIONS, 0.9, (USERS,))
    return held
