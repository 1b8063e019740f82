"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

from __future__ import annotations

import math
from typing import Any

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
        {"d": d, "p": p, "part": part, "repetitions": 60 if run.quick else 500 // shares.get(d, 1)}
        for d in grid
        for p in CHANCES
        for part in range(1 if run.quick else shares.get(d, 1))
    ]  # fmt: skip


def rules(crowd: sparse.SparseUsers, alpha: float) -> tuple[Any, Any]:
    """The selection as printed, and that of the most votes."""
    return tuple(crowd.asked(alpha, sparsity=SPARSITY, rank=rank) for rank in ("first", "votes"))


def compute(cell: Cell, stream: np.random.Generator) -> Rows:
    """Three rules of selection on the same public signs, and the item level."""
    crowd, count = people(cell["d"], cell["p"]), cell["repetitions"]
    asked = {alpha: rules(crowd, alpha) for alpha in ALPHAS}
    ballots = {alpha: [sparse.Ballot.of(selection) for selection in asked[alpha]] for alpha in ALPHAS}
    voters = asked[ALPHAS[0]][0].halves[0].count
    found: dict[tuple[str, float], list[np.ndarray]] = {(rule, a): [] for rule in RULES[:3] for a in ALPHAS}
    for _ in range(count):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        order = stream.permutation(crowd.dimension)
        for alpha in ALPHAS:
            scores = [
                sparse.scores(stream, sign, sparse.hashes(stream, crowd, sign, ballot.threshold), ballot)
                for ballot in ballots[alpha]
            ]
            printed, most = asked[alpha]
            found[RULES[0], alpha].append(sparse.selected(printed, scores[0]))
            found[RULES[1], alpha].append(sparse.selected(printed, scores[0], order))
            found[RULES[2], alpha].append(sparse.selected(most, scores[1]))
    rows: Rows = []
    key = {"d": cell["d"], "p": cell["p"]}
    for (rule, alpha), chosen in found.items():
        error = sparse.refine(stream, crowd, chosen, asked[alpha][RULES.index(rule) == 2])
        rows.append(parts(key | {"alpha": alpha, "rule": rule}, error))
    for alpha in ALPHAS:
        rows.append(parts(key | {"alpha": alpha, "rule": RULES[3]}, sparse.item_level(stream, crowd, alpha, count)))
    return rows


def line_of(rows: Rows, rule: str, p: float, alpha: float) -> Rows:
    """The rows of a rule as d grows."""
    return sorted(pick(rows, rule=rule, p=p, alpha=alpha), key=lambda row: row["d"])
