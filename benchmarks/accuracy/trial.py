"""One block of repetitions of a mean, by one method."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.accuracy.blocks import Block, answer
from benchmarks.accuracy.cells import ASSERTED
from benchmarks.accuracy.pools import Pool
from benchmarks.accuracy.populations import pool
from benchmarks.accuracy.reference import ONE_ROUND
from sottovoce.problems import choose


def run(block: Block) -> dict[str, Any]:
    """What is stored of a block: signed errors, who was covered, mean half-widths."""
    averages = pool(block.cell.population, block.cell.observations)
    users = Pool.of(averages)
    survey = block.cell.reference if block.method == ONE_ROUND else choose(block.cell.settings(block.method))
    truth, stream = float(averages.mean()), np.random.default_rng(block.seed)
    errors, covered, reach, covered_by_model, reach_of_model = [], "", 0.0, "", 0.0
    for _ in range(block.repetitions):
        found = answer(survey, users, stream)
        errors.append(float(f"{found.value - truth:.6g}"))
        covered += _inside(found.interval, truth)
        reach += found.halfwidth / block.repetitions
        model = found.interval if block.method in ASSERTED else found.model_interval
        if model is not None:
            covered_by_model += _inside(model, truth)
            reach_of_model += (model[1] - model[0]) / 2
    return {
        "block": list(block.key),
        "seed": block.seed,
        "errors": errors,
        "headline": covered,
        "halfwidth": float(f"{reach:.6g}"),
        "model": covered_by_model,
        "model_halfwidth": float(f"{reach_of_model / max(1, len(covered_by_model)):.6g}"),
    }


def _inside(interval: tuple[float, float], truth: float) -> str:
    return "1" if interval[0] <= truth <= interval[1] else "0"
