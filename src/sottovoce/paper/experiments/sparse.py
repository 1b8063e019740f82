"""Sparse means against the dimension (L899–935): s = 4, n = T = ⌊√(10 d log d)⌋, 500 repetitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

from sottovoce.paper import ours
from sottovoce.paper.constants import ALPHAS
from sottovoce.paper.fast import means, sparse
from sottovoce.paper.figure import Cell, Rows, Run, along, parts
from sottovoce.problems.sparse import SparseMean

GRID = (100, 200, 400, 800, 1600, 3200)
CHANCES = (0.75, 0.9)
SPARSITY = 4
RULES = ("as printed", "as printed, support permuted", "most votes", "item level")


def people(d: int, chance: float) -> sparse.SparseUsers:
    """N = T = ⌊√(10 d log d)⌋ (L903)."""
    size = math.floor(math.sqrt(10 * d * math.log(d)))
    return sparse.SparseUsers(users=size, observations=size, dimension=d, sparsity=SPARSITY, chance=chance)


def cells(run: Run) -> list[Cell]:
    """One a dimension, a p, and part of the repetitions; and one for our default."""
    grid = (100, 400, 1600) if run.quick else GRID
    shares = {1600: 4, 3200: 5}
    own = {1600: 30, 3200: 20}
    mine: list[Cell] = [
        {"series": "ours", "d": d, "p": p, "repetitions": ours.QUICK if run.quick else own.get(d, 60)}
        for d in (grid[1:2] if run.quick else grid)
        for p in CHANCES
    ]
    return [
        {"d": d, "p": p, "part": part, "repetitions": 250 if run.quick else 500 // shares.get(d, 1)}
        for d in grid
        for p in CHANCES
        for part in range(1 if run.quick else shares.get(d, 1))
    ] + mine  # fmt: skip


def cost(cell: Cell) -> float:
    """About how many CPU seconds a cell takes."""
    if cell.get("series"):
        return float(cell["repetitions"] * 4 * (0.02 + (cell["d"] / 3200) ** 2 * 0.25))
    return float(cell["repetitions"] / 500 * (0.5 + cell["d"] / 1200))


def rules(crowd: sparse.SparseUsers, alpha: float) -> tuple[Any, Any]:
    """The selection as printed, and that of the most votes."""
    return tuple(crowd.asked(alpha, sparsity=SPARSITY, rank=rank) for rank in ("first", "votes"))


def compute(cell: Cell, stream: Generator) -> Rows:
    """Three rules of selection on the same public signs, and the item level."""
    if cell.get("series"):
        return our_rows(cell, stream)
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


def our_rows(cell: Cell, stream: Generator) -> Rows:
    """Our default, told s as the paper's rules are."""
    found = by_default(people(cell["d"], cell["p"]), stream, cell["repetitions"], sparsity=SPARSITY)
    key = {"d": cell["d"], "p": cell["p"], "rule": ours.DEFAULT}
    return [parts(key | {"alpha": alpha}, error) for alpha, error in found.items()]


def by_default(
    crowd: sparse.SparseUsers, stream: Generator, repetitions: int, *, sparsity: int | None
) -> dict[float, np.ndarray]:
    """Squared errors of our default for every α, on the same users."""
    chance = np.where(np.arange(crowd.dimension) < crowd.sparsity, crowd.chance, 0.5)
    theta = 2 * chance - 1
    errors: dict[float, list[float]] = {alpha: [] for alpha in ALPHAS}
    for block in stream.spawn(repetitions):
        held = means.rademacher(block, crowd.observations, chance, (crowd.users, crowd.dimension))
        for alpha in ALPHAS:
            survey = ours.survey_of(
                SparseMean, epsilon=alpha, users=crowd.users, observations=crowd.observations,
                dimension=crowd.dimension, sparsity=sparsity,
            )  # fmt: skip
            for answer in ours.answers(survey, [held], block):
                errors[alpha].append(float(((np.array(answer.value) - theta) ** 2).sum()))
    return {alpha: np.array(error) for alpha, error in errors.items()}


def line_of(rows: Rows, rule: str, p: float, alpha: float) -> Rows:
    """The rows of a rule as d grows."""
    return along(rows, "d", rule=rule, p=p, alpha=alpha)
