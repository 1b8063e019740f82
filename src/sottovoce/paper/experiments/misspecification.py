"""A wrong sparsity (L1092–1099): d = 100, s = 4, n = 1000, T = 200, assumed s = 1 … 8."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from sottovoce.paper import ours
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.experiments.sparse import by_default
from sottovoce.paper.fast import sparse
from sottovoce.paper.figure import Cell, Rows, Run, parts

CHANCES = (0.75, 1.0)
ASSUMED = tuple(range(1, 9))
RULES = ("most votes", "half a vote")
TRUE = 4
REPETITIONS = 40
"""Of our default."""


def cells(run: Run) -> list[Cell]:
    """One a p and part of the repetitions; and one for our default, which assumes no sparsity."""
    count, size = (1, 150) if run.quick else (4, 125)
    own, chances = (ours.QUICK, CHANCES[:1]) if run.quick else (REPETITIONS, CHANCES)
    mine: list[Cell] = [{"series": "ours", "p": p, "repetitions": own} for p in chances]
    return [{"p": p, "part": part, "repetitions": size} for p in CHANCES for part in range(count)] + mine


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    return float(cell["repetitions"] / (4 if cell.get("series") else 130))


def compute(cell: Cell, stream: Generator) -> Rows:
    """Both rules for every assumed sparsity, on the same hashes: where votes begin does not depend on it."""
    crowd = sparse.SparseUsers(users=1000, observations=200, dimension=100, sparsity=TRUE, chance=cell["p"])
    if cell.get("series"):
        errors = by_default(crowd, stream, cell["repetitions"], sparsity=None)
        key = {"p": cell["p"], "rule": ours.DEFAULT, "assumed": None}
        return [parts(key | {"alpha": alpha}, error) for alpha, error in errors.items()]
    asked = {
        (rule, alpha, assumed): crowd.asked(alpha, sparsity=assumed, rank=rank, threshold_constant=1.0)
        for rule, rank in zip(RULES, ("votes", "first"), strict=True)
        for alpha in ALPHAS
        for assumed in ASSUMED
    }
    ballots = {key: sparse.Ballot.of(selection) for key, selection in asked.items()}
    voters = next(iter(asked.values())).halves[0].count
    found: dict[tuple[str, float, int], list[np.ndarray]] = {}
    for _ in range(cell["repetitions"]):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        for alpha in ALPHAS:
            hashed = sparse.hashes(stream, crowd, sign, ballots[RULES[0], alpha, ASSUMED[0]].threshold)
            for assumed in ASSUMED:
                score = sparse.scores(stream, sign, hashed, ballots[RULES[0], alpha, assumed])
                for rule in RULES:
                    chosen = sparse.selected(asked[rule, alpha, assumed], score)
                    found.setdefault((rule, alpha, assumed), []).append(chosen)
    return [
        parts(
            {"p": cell["p"], "rule": rule, "alpha": alpha, "assumed": assumed},
            sparse.refine(stream, crowd, chosen, asked[rule, alpha, assumed]),
        )
        for (rule, alpha, assumed), chosen in found.items()
    ]


def bias(p: float, assumed: int) -> float:
    """What the coordinates that are not looked for add to the squared error."""
    return (TRUE - assumed) * (2 * p - 1) ** 2
