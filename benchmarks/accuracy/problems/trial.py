"""One block of repetitions of any problem."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.accuracy.blocks import Block, answer
from benchmarks.accuracy.problems.cells import Cell, Marks, benchmark, users_of
from sottovoce.problems import named
from sottovoce.trials.comparison import as_the_problem_answers

MOST_PARTS = 16
"""Errors are kept part by part up to so many."""


def run(block: Block) -> dict[str, Any]:
    """What is stored of a block: squared errors, which intervals held the truth, half-widths, and the time it took.

    Where an answer of ours has no model interval, as after a fall-back, its guarded one stands for it: it assumes less.
    """
    cell: Cell = block.cell
    users, truth = users_of(cell.problem, cell.population, cell.size, cell.observations)
    survey, made, problem = cell.survey(block.method), benchmark(cell.problem), named(cell.problem)
    settings = cell.settings()
    stream = np.random.default_rng(block.seed)
    found: list[Marks] = []
    spent = -time.process_time()
    for _ in range(block.repetitions):
        said = as_the_problem_answers(problem, block.method, settings, answer(survey, users, stream))
        marks = made.marks(said, truth)
        if marks.model_each is None and block.method in (made.ours, "auto"):
            marks = replace(marks, model_each=marks.each, model_all=marks.all, model_halfwidth=marks.halfwidth)
        found.append(marks)
    spent += time.process_time()
    errors = np.array([marks.errors for marks in found])
    return {
        "block": list(block.key),
        "seed": block.seed,
        "errors": [_short(error) for error in errors.sum(axis=1)],
        "parts": [_short(part) for part in errors.mean(axis=0)] if errors.shape[1] <= MOST_PARTS else [],
        "guarded": _intervals([(marks.each, marks.all, marks.halfwidth) for marks in found]),
        "model": _intervals([(marks.model_each, marks.model_all, marks.model_halfwidth) for marks in found]),
        "whole": _intervals([(marks.whole_each, marks.whole_all, marks.whole_halfwidth) for marks in found]),
        "seconds": round(spent, 3),
    }


def _intervals(found: list[tuple[Any, bool | None, float]]) -> dict[str, Any]:
    """The share that held in each repetition, how often each did, whether all did at once, and the mean half-width."""
    each = np.array([one for one, _, _ in found if one is not None], dtype=np.int64)
    widths = [width for one, _, width in found if one is not None]
    return {
        "each": [_short(share) for share in each.mean(axis=1)] if len(each) else [],
        "by": each.sum(axis=0).tolist() if len(each) else [],
        "all": "".join("1" if one else "0" for _, one, _ in found if one is not None),
        "halfwidth": _short(float(np.mean(widths))) if widths else 0.0,
    }


def _short(value: float) -> float:
    return float(f"{value:.6g}")
