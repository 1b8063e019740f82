"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

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
    pick,
)

GRID = (100, 200, 400, 800, 1600, 3200)
CHANCES = (0.75, 0.9)
SPARSITY = 4
RULES = ("as printed", "as printed, support permuted", "most votes", "item level")


def people(d: int, chance: float) -> sparse.SparseUsers:
    """N = T = ⌊√(10 d log d)⌋ (L903)."""
    size = math.floor(math.sqrt(10 * d * math.log(d)))
    return sparse.SparseUsers(users=size, observations=size, dimension=d, sparsity=SPARSITY, chance=chance)


def cells(run: Run) -> list[Cell]:
    """One a dimension, a p, and part of the repetitions."""
    grid = (100, 400, 1600) if run.quick else GRID
    shares = {1600: 4, 3200: 5}
    return [
        {"d": d, "p": p, "part": part, "repetitions": 250 if run.quick else 500 // shares.get(d, 1)}
        for d in grid
        for p in CHANCES
        for part in range(1 if run.quick else shares.get(d, 1))
    ]  # fmt: skip


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Three rules of selection on the same public signs, and the item level."""
    crowd, count = people(cell["d"], cell["p"]), cell["repetitions"]
    eta = math.sqrt(SPARSITY)
    voters = crowd.users // 2
    found: dict[tuple[str, float], list[np.ndarray]] = {(rule, a): [] for rule in RULES[:3] for a in ALPHAS}
    for _ in range(count):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        order = stream.permutation(crowd.dimension)
        for alpha in ALPHAS:
            for constant in (math.sqrt(2), 1.0):
                limit = sparse.threshold(crowd, alpha, constant)
                hashed = sparse.hashes(stream, crowd, sign, limit)
                score = sparse.scores(stream, sign, hashed, eta=eta, alpha=alpha)
                if constant == 1.0:
                    found[RULES[2], alpha].append(sparse.most_votes(score, SPARSITY))
                    continue
                straight = np.arange(crowd.dimension)
                found[RULES[0], alpha].append(sparse.first_above(score, SPARSITY, straight))
                found[RULES[1], alpha].append(sparse.first_above(score, SPARSITY, order))
    rows: Rows = []
    key = {"d": cell["d"], "p": cell["p"]}
    for (rule, alpha), chosen in found.items():
        error = sparse.refine(stream, crowd, chosen, users=crowd.users - voters, alpha=alpha)
        rows.append(parts(key | {"alpha": alpha, "rule": rule}, error))
    for alpha in ALPHAS:
        rows.append(parts(key | {"alpha": alpha, "rule": RULES[3]}, sparse.item_level(stream, crowd, alpha, count)))
    return rows


def line_of(rows: Rows, rule: str, p: float, alpha: float) -> Rows:
    """The rows of a rule as d grows."""
    return sorted(pick(rows, rule=rule, p=p, alpha=alpha), key=lambda row: row["d"])
