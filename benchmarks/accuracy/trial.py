"""One block of repetitions: the protocol's own questions, answered by users drawn from a population.

Users are independent draws, so nobody needs a seat: a question is answered by as many fresh users as it asks. What
they hold is encoded by the device's code and what they say is drawn from the channel's law by the simulator.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from benchmarks.accuracy.cells import ASSERTED, Cell
from benchmarks.accuracy.populations import Floats, Stream, pool
from sottovoce.answers import Estimate
from sottovoce.device import Collections, encode
from sottovoce.engines.simulate import draw_tally
from sottovoce.messages import Question, Tally
from sottovoce.problems import Chosen, Mean, choose

SEED = 10


@dataclass(frozen=True, order=True)
class Block:
    """Repetitions that are run together. `stage`: ``"base"``, or ``"fresh"`` for a second look at a cell."""

    cell: Cell
    method: str
    stage: str
    number: int
    repetitions: int

    @property
    def key(self) -> tuple[Any, ...]:
        cell = self.cell
        return (
            *(cell.population, cell.users, cell.observations, cell.epsilon),
            *(self.method, self.stage, self.number, self.repetitions),
        )

    @property
    def seed(self) -> int:
        """From the block's own name, so that blocks may be run in any order, anywhere."""
        return int.from_bytes(sha256(f"{SEED}/{self.key}".encode()).digest()[:7])


def ask(question: Question, averages: Floats, stream: Stream) -> Tally:
    """A tally from fresh users."""
    count = question.slots.count
    held = averages[stream.integers(0, len(averages), size=count)]
    slots = question.slots.first + np.arange(count)
    people = Collections(held, np.arange(count + 1))
    return draw_tally(question, encode(question, people, slots, _NoWords()), slots, stream)


class _NoWords:
    """An average draws nothing."""

    def words(self, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        raise AssertionError("averages need no randomness")


def answer(survey: Chosen[Mean], averages: Floats, stream: Stream) -> Estimate:
    """One survey. Its script is run once instead of replayed at every step, which asks and answers the same."""
    script = survey.method.script(survey.settings)
    asked = next(script)
    while True:
        try:
            asked = script.send(ask(asked, averages, stream))
        except StopIteration as end:
            found: Estimate = end.value
            return found


def run(block: Block) -> dict[str, Any]:
    """What is stored of a block: signed errors, who was covered, mean half-widths."""
    averages = pool(block.cell.population, block.cell.observations)
    survey = choose(block.cell.settings(block.method))
    truth, stream = float(averages.mean()), np.random.default_rng(block.seed)
    errors, covered, reach, covered_by_model, reach_of_model = [], "", 0.0, "", 0.0
    for _ in range(block.repetitions):
        found = answer(survey, averages, stream)
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
