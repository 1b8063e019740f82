"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.baselines import FullItem, SemiUser, SplitUser
from sottovoce.messages import has_numba
from sottovoce.paper import ours
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, protocols
from sottovoce.paper.fast.surveys import halves
from sottovoce.paper.fast.univariate import summary, user_level
from sottovoce.paper.figure import Cell, Row, Rows, Run
from sottovoce.problems.mean import Mean
from sottovoce.theory import limit

USERS = 500
SCHEMES = ("full item", "semi user", "split user", "user level")


REPETITIONS = 200
"""Of our methods, at every fifth T."""


def cells(run: Run) -> list[Cell]:
    """One a T, and one for our methods."""
    steps = (2.0, 2.5, 3.0, 3.5, 4.0) if run.quick else [2 + k / 10 for k in range(21)]
    count, own = (200, ours.QUICK) if run.quick else (500, REPETITIONS)
    sizes = [math.floor(10**m + 1e-9) for m in steps]
    beside: list[Cell] = [
        {"series": "ours", "T": T, "repetitions": own} for T in (sizes[2:3] if run.quick else sizes[::5])
    ]
    return [*({"T": T, "repetitions": count} for T in sizes), *beside]


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    return float(0.3 * cell["repetitions"] if cell.get("series") else cell["repetitions"] / 500)


def baselines(T: int, alpha: float) -> dict[str, FullItem | SemiUser | SplitUser]:
    """Laplace noise without localising (L865–877)."""
    declared: dict[str, Any] = {"epsilon": alpha, "low": -1.0, "high": 1.0, "users": USERS, "observations": T}
    return {"full item": FullItem(**declared), "semi user": SemiUser(**declared), "split user": SplitUser(**declared)}


def compute(cell: Cell, stream: Generator) -> Rows:
    """All schemes on the same users; noise of its own for each. Of the user level the exact risk too."""
    if cell.get("series"):
        return our_rows(cell, stream)
    T, count = cell["T"], cell["repetitions"]
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.uniform(stream, T, (count, USERS)) + shift[:, None]
    truth, plain = 0.5 + shift, held.mean(axis=1)
    rows: Rows = []
    for alpha in ALPHAS:
        estimates = {
            name: plain + means.laplace_mean(stream, baseline.question(), (count,))
            for name, baseline in baselines(T, alpha).items()
        }
        scheme = protocols.mean(USERS, T, alpha)
        estimates["user level"] = user_level(stream, *halves(held, scheme), scheme=scheme)
        errors = {name: (estimate - truth) ** 2 for name, estimate in estimates.items()}
        base = errors["full item"].mean()
        for name in SCHEMES:
            row: Row = {"T": T, "alpha": alpha, "scheme": name} | summary(errors[name])
            ratio = row["mse"] / base
            spread = errors[name] / base - ratio * errors["full item"] / base  # delta method for a ratio of means
            rows.append(row | {"ratio": ratio, "ratio_se": float(spread.std(ddof=1) / math.sqrt(count))})
            if name == "user level":
                rows[-1] |= exact(T, alpha)
        rows.append({"T": T, "alpha": alpha, "scheme": ours.LIMIT} | lowest(T, alpha))
    return rows


def our_rows(cell: Cell, stream: Generator) -> Rows:
    """Our methods on the same users."""
    T, count = cell["T"], cell["repetitions"]
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.uniform(stream, T, (count, USERS)) + shift[:, None]
    rows: Rows = []
    for alpha in ALPHAS:
        for name in ours.OURS:
            survey = ours.survey_of(
                Mean, name, epsilon=alpha, users=USERS, observations=T, low=-1.0, high=1.0
            )  # fmt: skip
            values = np.array([answer.value for answer in ours.answers(survey, held, stream)])
            row: Row = {"T": T, "alpha": alpha, "scheme": name} | summary((values - 0.5 - shift) ** 2)
            base = full_item(T, alpha)
            rows.append(row | {"ratio": row["mse"] / base, "ratio_se": row["se"] / base})
    return rows


def lowest(T: int, alpha: float) -> Row:
    """What ε-local privacy leaves to any method for users alike: `theory.limit` times the variance of their averages.

    Kalinin and Steinberger (2025) prove it for averages that are normal; those of a hundred uniforms nearly are.
    """
    mse = limit(alpha) / 12 / (USERS * T)
    return {"mse": mse, "se": 0.0, "ratio": mse / full_item(T, alpha), "ratio_se": 0.0}


def exact(T: int, alpha: float) -> Row:
    """Error of the user level without simulation: alone, over the full item level's, and the chance of a miss."""
    from sottovoce.theory import Uniform, exact_risk

    risk = exact_risk(
        users=USERS, observations=T, epsilon=alpha, delta=protocols.mean(USERS, T, alpha).layout.delta,
        law=Uniform(low=0.0, high=1.0), shift=(-0.3, 0.3), compiled=has_numba(),
    )  # fmt: skip
    return {"exact": risk.mse, "exact_ratio": risk.mse / full_item(T, alpha), "misses": risk.misses}


def full_item(T: int, alpha: float) -> float:
    """The error of the full item level: (1/12 + 8/α²)/(nT)."""
    return (1 / 12 + 8 / alpha**2) / (USERS * T)
