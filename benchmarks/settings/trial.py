"""One survey of any problem, and its error when it is repeated."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import simulate
from sottovoce.messages import Question
from sottovoce.problems import choose
from sottovoce.risk import Crowd

Stream = np.random.Generator
Floats = np.ndarray[Any, np.dtype[np.float64]]
VOTES = 1500
"""First rounds where rare outcomes decide: one in 200 is then seen often enough."""


@dataclass(frozen=True, kw_only=True)
class Other:
    """One survey: how to draw its users, and the squared error of its answer, by coordinate."""

    kind: str
    protocol: Any
    crowd: Crowd
    draw: Callable[[Stream], Collections]
    error: Callable[[Any], float]
    repetitions: int
    strata: Callable[[Any], int] | None = None
    """What kind of outcome a first round had, by the question that follows; rare kinds may decide the error."""

    @property
    def name(self) -> str:
        survey = self.protocol
        held = getattr(survey, "observations", 1)
        return f"{self.kind:<34} n={survey.users:<8} T={held:<7} ε={survey.epsilon:<4g}"


def simulated_rmse(setting: Other, *, seed: int) -> float:
    """Root mean squared error over repetitions of the whole survey.

    With `strata`, of many first rounds: each kind of outcome counts by its chance, a few of each are finished.
    """
    chosen = choose(setting.protocol).settings  # once: another public seed changes no choice
    counts: Counter[int] = Counter()
    squares: defaultdict[int, list[float]] = defaultdict(list)
    for repetition in range(setting.repetitions if setting.strata is None else max(VOTES, setting.repetitions)):
        stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repetition,))))
        # Public signs and rotations are drawn anew, too: a plan speaks for all seeds, not for one.
        survey = replace(chosen, public_seed=repetition + 1) if hasattr(chosen, "public_seed") else chosen
        ask = simulate(setting.draw(stream), seed=seed, repetition=repetition)
        tallies, kind = (), 0
        if setting.strata is not None:
            tallies = (ask(survey.decide(())),)
            kind = setting.strata(survey.decide(tallies))
        counts[kind] += 1
        if len(squares[kind]) < setting.repetitions:
            while isinstance(asked := survey.decide(tallies), Question):
                tallies = (*tallies, ask(asked))
            squares[kind].append(setting.error(asked))
    return math.sqrt(sum(counts[kind] * float(np.mean(found)) for kind, found in squares.items()) / counts.total())


def people(averages: Floats) -> Collections:
    """Users with one observation each."""
    return Collections(averages, np.arange(len(averages) + 1))


def rare(users: int) -> int:
    """How much oftener a small survey is repeated: there rare failures decide, and repeating costs little."""
    return 5 if users <= 1000 else 1
