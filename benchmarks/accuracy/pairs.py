"""One block of repetitions of a mean, in each of which the same users are asked twice: by a method, and by one round.

One round is that of edition 1 (`reference`). The ratios of widths and of errors then do not mix two samples of users.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import sottovoce as sv
from benchmarks.accuracy.blocks import Block
from benchmarks.accuracy.cells import Cell
from benchmarks.accuracy.pools import Pool
from benchmarks.accuracy.populations import pool
from benchmarks.accuracy.reference import answered
from sottovoce.answers import NoteCode

NO_WARNING = {NoteCode.NOT_SHRUNK, NoteCode.PULLED_TO_MIDDLE, NoteCode.ASKED_AT_ONCE, NoteCode.SLOTS_BY_ARRIVAL}
"""Notes that say how it was asked, not that a value may be wrong."""


def run(block: Block) -> dict[str, Any]:
    """What is stored of a block: lists with an entry for each survey."""
    cell: Cell = block.cell
    averages = pool(cell.population, cell.observations)
    truth, stream = float(averages.mean()), np.random.default_rng(block.seed)
    survey, one_round = cell.settings(block.method), cell.reference
    found: dict[str, list[Any]] = {name: [] for name in ("value", "width", "printed", "model", "warned", "took")}
    theirs: dict[str, list[Any]] = {"value": [], "width": [], "printed": []}
    held: dict[str, list[bool]] = {"ours": [], "theirs": []}
    for _ in range(block.repetitions):
        people = Pool.of(stream.choice(averages, cell.users)).people
        seed = int(stream.integers(2**53))
        ours: Any = sv.run(survey, sv.simulate(people, seed=seed))
        other = answered(one_round, sv.simulate(people, seed=seed, repetition=1))
        for answer, error, into in ((ours, ours.standard_error.total, found), (other, other.error, theirs)):
            into["value"].append(float(f"{answer.value - truth:.6g}"))
            into["width"].append(float(f"{answer.halfwidth:.6g}"))
            into["printed"].append(float(f"{error:.6g}"))
        held["ours"].append(inside(ours.interval, truth))
        held["theirs"].append(inside(other.interval, truth))
        model = ours.model_interval
        found["model"].append(
            None if model is None else (inside(model, truth), float(f"{(model[1] - model[0]) / 2:.6g}"))
        )
        found["warned"].append(any(note.code not in NO_WARNING for note in ours.notes))
        found["took"].append(ours.method)
    return {"block": list(block.key), "seed": block.seed, "found": found, "theirs": theirs, "held": held}


def inside(interval: tuple[float, float], truth: float) -> bool:
    """Whether it holds the truth, up to what a processor rounds."""
    return bool(interval[0] - 1e-12 <= truth <= interval[1] + 1e-12)
