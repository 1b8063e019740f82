"""Sparse means: four coordinates of a hundred, strong and weak, users alike and not, and what a seed draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.accuracy.pools import Floats, Pool, Stream, named_stream
from benchmarks.accuracy.problems.cells import (
    DRAWN,
    EPSILONS,
    HELD_OUT_SEED,
    Benchmark,
    Cell,
    Draw,
    Kind,
    Marks,
    Population,
    Shape,
    vector_marks,
)

NAME = "sparse"
SPARSITY = 4


def _support(size: int, count: int) -> Floats:
    """So many signs at places that a stream by name draws; zero elsewhere."""
    stream = named_stream(f"support/{size}/{count}")
    signs = np.zeros(size)
    signs[stream.choice(size, count, replace=False)] = stream.choice([-1.0, 1.0], count)
    return signs


def _averages(stream: Stream, means: Floats, observations: int) -> tuple[Pool, Floats]:
    """Users whose observations are the two ends; what is zero on average stays zero to the last bit."""
    held = 2 * stream.binomial(observations, (1 + np.clip(means, -1, 1)) / 2) / observations - 1
    truth = means.mean(axis=0)
    held = (held + (truth - held.mean(axis=0))).astype(np.float32)
    return Pool.of(held[:, None, :]), truth


def _strong(size: float, *, apart: float = 0.0, camps: bool = False, far: float = 0.0) -> Draw:
    """Means of `size`; users `apart` from them, only half of them concerned, or some with all in one more place."""

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        signs = _support(shape.size, SPARSITY)
        means = np.tile(size * signs, (shape.users, 1))
        if camps:
            means *= 2 * (np.arange(shape.users) % 2 == 0)[:, None]
        if apart:
            own = apart * stream.standard_normal(means.shape)
            means = np.clip(means + own - own.mean(axis=0), -1, 1)
            means[:, signs == 0] -= means[:, signs == 0].mean(axis=0)
        if far:
            means[: round(far * shape.users), np.flatnonzero(signs)[0]] = -0.9 * signs[signs != 0][0]
        return _averages(stream, means, shape.observations)

    return draw


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int, int]:
    """A population drawn by a seed, with its coordinates, users and observations; one of them is zero everywhere."""
    stream = np.random.default_rng((seed, 4, number))
    size, users = int(stream.choice([40, 120, 300])), int(stream.choice([2000, 5000, 12_000]))
    observations, count = int(stream.choice([50, 200, 600])), int(stream.choice([1, 2, 5, 8]))
    means = np.zeros(size)
    means[stream.choice(size, count, replace=False)] = stream.uniform(0.1, 0.7, count) * stream.choice([-1, 1], count)
    apart = float(stream.choice([0.0, 0.05, 0.15]))
    if number == 1:
        means[:] = 0.0

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        own = apart * stream.standard_normal((shape.users, size))
        return _averages(stream, means + own - own.mean(axis=0), shape.observations)

    kind: Kind = "differing" if apart else "alike"
    population = Population(name=f"drawn {number}", kind=kind, draw=draw, declares={"sparsity": count}, held_out=True)
    return population, size, users, observations


STRONG, WEAK = "strong .5", "weak .1"


def _populations() -> dict[str, Population]:
    made = (
        Population(name=STRONG, kind="alike", draw=_strong(0.5)),
        Population(name=WEAK, kind="alike", draw=_strong(0.1)),
        Population(name="differ", kind="differing", draw=_strong(0.5, apart=0.1)),
        Population(name="two camps", kind="camps", draw=_strong(0.25, camps=True)),
        Population(name="5 % far", kind="far", draw=_strong(0.5, far=0.05)),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    )
    return {population.name: population for population in made}


NAMED = (  # the setting of reference and two more, named before the method was written
    Cell(NAME, STRONG, 100, 1000, 200, 1.0),
    Cell(NAME, STRONG, 100, 4000, 200, 2.0),
    Cell(NAME, WEAK, 100, 10_000, 200, 2.0),
)


def _cells() -> tuple[Cell, ...]:
    made = [
        Cell(NAME, name, 100, users, 200, epsilon)
        for name in (STRONG, "differ", "two camps", "5 % far")
        for users in (1000, 4000)
        for epsilon in EPSILONS
    ]
    made += [Cell(NAME, WEAK, 100, 10_000, 200, epsilon) for epsilon in EPSILONS]
    for number in range(1, DRAWN + 1):
        population, size, users, observations = drawn(number)
        made += [Cell(NAME, population.name, size, users, observations, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "dimension": cell.size, "sparsity": SPARSITY}


def _marks(answer: Any, truth: Floats) -> Marks:
    return vector_marks(np.array(answer.value), answer, truth)


SPARSE = Benchmark(
    name=NAME,
    populations=_populations(),
    cells=_cells(),
    others=("paper",),
    declared=_declared,
    marks=_marks,
)
