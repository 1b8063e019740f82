"""Means of kinds of users: the paper's two settings, two more, kinds whose users differ, and what a seed draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.accuracy.pools import Floats, Pool, Stream
from benchmarks.accuracy.problems.cells import (
    DRAWN,
    EPSILONS,
    HELD_OUT_SEED,
    Benchmark,
    Cell,
    Draw,
    Marks,
    Population,
    Shape,
    ends_of,
    half,
    held,
)
from sottovoce.problems import named
from sottovoce.problems.mixture.adaptive import FIRST
from sottovoce.problems.mixture.settings import least_share

NAME = "mixture"


def _kinds(shares: tuple[float, ...], means: tuple[float, ...], spread: float = 0.0) -> Draw:
    """Users of each kind, their observations at the two ends; `spread`: how far users of a kind lie from it."""

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        kind = stream.choice(len(means), shape.users, p=shares)
        own = np.array(means)[kind]
        if spread:
            own = np.clip(own + spread * stream.standard_normal(shape.users), -1, 1)
        held = 2 * stream.binomial(shape.observations, (1 + own) / 2) / shape.observations - 1
        return Pool.of(held), np.array(means)

    return draw


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int, int]:
    """A population drawn by a seed, with its kinds, users and observations: two to four kinds, at least .25 apart."""
    stream = np.random.default_rng((seed, 6, number))
    count, users = int(stream.choice([2, 3, 4])), int(stream.choice([3000, 8000, 20_000]))
    observations = int(stream.choice([200, 500, 1500]))
    gaps = stream.dirichlet(np.full(count + 1, 2.0)) * (1.8 - 0.25 * (count - 1))
    means = tuple(float(at) for at in -0.9 + np.cumsum(gaps[:count]) + 0.25 * np.arange(count))
    shares = stream.dirichlet(np.full(count, 4.0))
    shares = np.maximum(shares, 0.12)
    declared = tuple(float(share) for share in shares / shares.sum())
    population = Population(name=f"drawn {number}", kind="alike", draw=_kinds(declared, means), held_out=True)
    return population, count, users, observations


FOUR, RARE, THREE = "setting 1", "setting 2", "three kinds"
KINDS = {
    FOUR: ((0.25,) * 4, (-0.75, -0.25, 0.25, 0.75)),
    RARE: ((0.1, 0.8, 0.1), (-0.75, 0.0, 0.75)),
    THREE: ((0.5, 0.3, 0.2), (-0.6, 0.0, 0.5)),
}
"""Shares of the users, and means."""


def _populations() -> dict[str, Population]:
    made = (
        *(Population(name=name, kind="alike", draw=_kinds(*kinds)) for name, kinds in KINDS.items()),
        Population(name="setting 1, differ", kind="differing", draw=_kinds(*KINDS[FOUR], spread=0.03)),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    )
    return {population.name: population for population in made}


NAMED = (  # the settings of reference and two more, named before the method was written
    Cell(NAME, FOUR, 4, 1000, 1000, 2.0),
    Cell(NAME, FOUR, 4, 1000, 1000, 4.0),
    Cell(NAME, RARE, 3, 2000, 500, 4.0),
    Cell(NAME, THREE, 3, 2000, 1000, 2.0),
)


def _cells() -> tuple[Cell, ...]:
    made = [
        *(Cell(NAME, FOUR, 4, users, 1000, epsilon) for users in (1000, 4000) for epsilon in EPSILONS),
        *(Cell(NAME, "setting 1, differ", 4, users, 1000, epsilon) for users in (1000, 4000) for epsilon in EPSILONS),
        *(Cell(NAME, RARE, 3, 2000, 500, epsilon) for epsilon in EPSILONS),
        *(Cell(NAME, THREE, 3, 2000, 1000, epsilon) for epsilon in EPSILONS),
    ]
    for number in range(1, DRAWN + 1):
        population, count, users, observations = drawn(number)
        made += [Cell(NAME, population.name, count, users, observations, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "low": -1.0, "high": 1.0, "components": cell.size}


def _modelled(cell: Cell) -> bool:
    """Where an answer's sentence holds: users of a kind are alike, and no kind is smaller than the sentence says."""
    if cell.population not in KINDS:
        return False
    settings = named(NAME).settings(method="adaptive", **cell.settings())
    return min(KINDS[cell.population][0]) > least_share(settings, FIRST * cell.users)


def _marks(answer: Any, truth: Floats) -> Marks:
    """Kinds in order. The interval of a kind is a model's, and says so."""
    ends = ends_of(answer.intervals)
    return Marks(
        errors=(np.array(answer.means) - truth) ** 2,
        each=held(ends, truth),
        halfwidth=half(ends),
    )


MIXTURE = Benchmark(
    name=NAME,
    populations=_populations(),
    cells=_cells(),
    others=("paper",),
    declared=_declared,
    marks=_marks,
    letter="m",
    modelled=_modelled,
)
