"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import sparse
from sottovoce.paper.figure import (
    Cell,
    Rows,
    Run,
    parts,
)

CHANCES = (0.75, 1.0)
ASSUMED = tuple(range(1, 9))
RULES = ("most votes", "half a vote")
TRUE = 4


def cells(run: Run) -> list[Cell]:
    """One a p and part of the repetitions."""
    count, size = (1, 150) if run.quick else (4, 125)
    return [{"p": p, "part": part, "repetitions": size} for p in CHANCES for part in range(count)]


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Both rules for every assumed sparsity."""
    crowd = sparse.SparseUsers(users=1000, observations=200, dimension=100, sparsity=TRUE, chance=cell["p"])
    voters = crowd.users // 2
    straight = np.arange(crowd.dimension)
    found: dict[tuple[str, float, int], list[np.ndarray]] = {}
    for _ in range(cell["repetitions"]):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        for alpha in ALPHAS:
            hashed = sparse.hashes(stream, crowd, sign, sparse.threshold(crowd, alpha, 1.0))
            for assumed in ASSUMED:
                score = sparse.scores(stream, sign, hashed, eta=math.sqrt(assumed), alpha=alpha)
                found.setdefault((RULES[0], alpha, assumed), []).append(sparse.most_votes(score, assumed))
                found.setdefault((RULES[1], alpha, assumed), []).append(sparse.first_above(score, assumed, straight))
    return [
        parts(
            {"p": cell["p"], "rule": rule, "alpha": alpha, "assumed": assumed},
            sparse.refine(stream, crowd, chosen, users=crowd.users - voters, alpha=alpha),
        )
        for (rule, alpha, assumed), chosen in found.items()
    ]


def bias(p: float, assumed: int) -> float:
    """What the coordinates that are not looked for add to the squared error."""
    return (TRUE - assumed) * (2 * p - 1) ** 2
