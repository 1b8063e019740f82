"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means
from sottovoce.paper.fast.univariate import numba_is_installed, summary, user_level
from sottovoce.paper.figure import Cell, Row, Rows, Run
from sottovoce.schemes import experiment_delta

USERS = 500
SCHEMES = ("full item", "semi user", "split user", "user level")


def cells(run: Run) -> list[Cell]:
    """One a T."""
    steps = (2.0, 2.5, 3.0, 3.5, 4.0) if run.quick else [2 + k / 10 for k in range(21)]
    return [{"T": math.floor(10**m + 1e-9), "repetitions": 200 if run.quick else 500} for m in steps]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """All schemes on the same users; noise of its own for each. Of the user level the exact risk too."""
    T, count = cell["T"], cell["repetitions"]
    shift = stream.uniform(-0.3, 0.3, (count,))
    held = means.uniform(stream, T, (count, USERS)) + shift[:, None]
    truth, plain = 0.5 + shift, held.mean(axis=1)
    rows: Rows = []
    for alpha in ALPHAS:
        items = USERS * T
        estimates = {
            "full item": plain + 2 / alpha * means.laplace_sum(stream, items, (count,)) / items,
            "semi user": plain + 2 / alpha * means.laplace_sum(stream, USERS, (count,)) / USERS,
            "split user": plain + 2 * T / alpha * means.laplace_sum(stream, items, (count,)) / items,
            "user level": user_level(
                stream,
                held[:, : USERS // 2],
                held[:, USERS // 2 :],
                delta=experiment_delta(USERS, T, alpha),
                epsilon=alpha,
            ),
        }
        errors = {name: (estimate - truth) ** 2 for name, estimate in estimates.items()}
        base = errors["full item"].mean()
        for name in SCHEMES:
            row: Row = {"T": T, "alpha": alpha, "scheme": name} | summary(errors[name])
            ratio = row["mse"] / base
            spread = errors[name] / base - ratio * errors["full item"] / base  # delta method for a ratio of means
            rows.append(row | {"ratio": ratio, "ratio_se": float(spread.std(ddof=1) / math.sqrt(count))})
            if name == "user level":
                rows[-1] |= exact(T, alpha)
    return rows


def exact(T: int, alpha: float) -> Row:
    """Error of the user level without simulation: alone, over the full item level's, and the chance of a miss."""
    from sottovoce.theory import Uniform, exact_risk

    risk = exact_risk(
        users=USERS, observations=T, epsilon=alpha, delta=experiment_delta(USERS, T, alpha),
        law=Uniform(low=0.0, high=1.0), shift=(-0.3, 0.3), compiled=numba_is_installed(),
    )  # fmt: skip
    return {"exact": risk.mse, "exact_ratio": risk.mse / full_item(T, alpha), "misses": risk.misses}


def full_item(T: int, alpha: float) -> float:
    """The error of the full item level: (1/12 + 8/α²)/(nT)."""
    return (1 / 12 + 8 / alpha**2) / (USERS * T)
