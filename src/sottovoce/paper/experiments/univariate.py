"""Four schemes for one mean (L860–877): Unif[0, 1] + U, n = 500, T = 10² … 10⁴, 500 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.baselines import FullItem, SemiUser, SplitUser
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, protocols
from sottovoce.paper.fast.univariate import halves, summary, user_level
from sottovoce.paper.figure import Cell, Row, Rows, Run

USERS = 500
SCHEMES = ("full item", "semi user", "split user", "user level")


def cells(run: Run) -> list[Cell]:
    """One a T."""
    steps = (2.0, 2.5, 3.0, 3.5, 4.0) if run.quick else [2 + k / 10 for k in range(21)]
    return [{"T": math.floor(10**m + 1e-9), "repetitions": 200 if run.quick else 500} for m in steps]


def baselines(T: int, alpha: float) -> dict[str, FullItem | SemiUser | SplitUser]:
    """Laplace noise without localising (L865–877)."""
    declared: dict[str, Any] = {"epsilon": alpha, "low": -1.0, "high": 1.0, "users": USERS, "observations": T}
    return {"full item": FullItem(**declared), "semi user": SemiUser(**declared), "split user": SplitUser(**declared)}


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """All schemes on the same users; noise of its own for each."""
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
    return rows
