"""The truncation η = √(Cs) of the hashed votes (L1083): the share of the support found. n = 500, T = 100."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import sparse
from sottovoce.paper.figure import Cell, Rows, Run, pick

DIMENSIONS = (100, 500)
CONSTANTS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 8.0, 15.0, 30.0)
RULES = ("most votes", "half a vote", "half a vote, ε with √2")


def cells(run: Run) -> list[Cell]:
    """One a dimension."""
    return [{"d": d, "repetitions": 200 if run.quick else 500} for d in DIMENSIONS]


def compute(cell: Cell, stream: Generator) -> Rows:
    """The same hashes truncated at every η: where votes begin does not depend on it."""
    crowd = sparse.SparseUsers(users=500, observations=100, dimension=cell["d"], sparsity=4, chance=0.75)
    far = {RULES[0]: 1.0, RULES[2]: math.sqrt(2)}
    asked = {
        (rule, alpha, c): crowd.asked(
            alpha, sparsity=4, rank="votes" if rule == RULES[0] else "first", eta_constant=c,
            threshold_constant=far.get(rule, 1.0),
        )
        for rule in RULES for alpha in ALPHAS for c in CONSTANTS
    }  # fmt: skip
    ballots = {key: sparse.Ballot.of(selection) for key, selection in asked.items()}
    voters = next(iter(asked.values())).halves[0].count
    found: dict[tuple[str, float, float], list[float]] = {}
    for _ in range(cell["repetitions"]):
        sign = sparse.signs(stream, (voters, crowd.dimension))
        for alpha in ALPHAS:
            for together in (RULES[:2], RULES[2:]):
                far_away = ballots[together[0], alpha, CONSTANTS[0]].threshold
                hashed = sparse.hashes(stream, crowd, sign, far_away)
                for c in CONSTANTS:
                    score = sparse.scores(stream, sign, hashed, ballots[together[0], alpha, c])
                    for rule in together:
                        places = sparse.selected(asked[rule, alpha, c], score)
                        found.setdefault((rule, alpha, c), []).append(float((places < 4).sum()) / 4)
    return [
        {"d": cell["d"], "rule": rule, "alpha": alpha, "C": c, "share": float(np.mean(shares)),
         "se": float(np.std(shares, ddof=1) / math.sqrt(len(shares)))}
        for (rule, alpha, c), shares in found.items()
    ]  # fmt: skip


def line_of(rows: Rows, d: int, rule: str, alpha: float) -> dict[float, float]:
    """C → share of the support found."""
    return {row["C"]: row["share"] for row in pick(rows, d=d, rule=rule, alpha=alpha)}
