"""Covers: which of some centres most users are nearest to, and the share that it speaks for."""

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
    Marks,
    Population,
    Shape,
)

NAME = "cover"
USERS = 2000


def centres(size: int) -> Floats:
    """Public places in the square, as far apart as a hundred tries could make them."""
    stream = named_stream(f"centres/{size}")
    found = [stream.uniform(-1, 1, 2)]
    while len(found) < size:
        tried = stream.uniform(-1, 1, (100, 2))
        near = np.linalg.norm(tried[:, None] - np.array(found)[None], axis=2).min(axis=1)
        found.append(tried[np.argmax(near)])
    return np.array(found)


class Truth:
    """The share of the users nearest to each centre."""

    def __init__(self, held: Floats, size: int) -> None:
        self.centres = centres(size)
        nearest = np.argmin(np.linalg.norm(held[:, None] - self.centres[None], axis=2), axis=1)
        self.shares = np.bincount(nearest, minlength=size) / len(held)
        self.best = self.centres[np.argmax(self.shares)]


def _around(places: tuple[tuple[float, float], ...], shares: tuple[float, ...], spread: float) -> Draw:
    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Truth]:
        group = stream.choice(len(places), shape.users, p=shares)
        held = np.array(places)[group] + spread * stream.standard_normal((shape.users, 2))
        return Pool.of(held[:, None, :]), Truth(held, shape.size)

    return draw


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int]:
    """A population drawn by a seed, with the number of centres: one to three groups, more or less spread out."""
    stream = np.random.default_rng((seed, 7, number))
    size, groups = int(stream.choice([5, 20, 60, 200])), int(stream.choice([1, 2, 3]))
    places = tuple((float(x), float(y)) for x, y in stream.uniform(-0.8, 0.8, (groups, 2)))
    shares = tuple(float(share) for share in stream.dirichlet(np.full(groups, 3.0)))
    spread = float(np.exp(stream.uniform(np.log(0.02), np.log(0.4))))
    kind: Any = "camps" if groups > 1 else "alike"
    population = Population(name=f"drawn {number}", kind=kind, draw=_around(places, shares, spread), held_out=True)
    return population, size


def _populations() -> dict[str, Population]:
    made = (
        Population(name="a point", kind="alike", draw=_around(((0.31, -0.42),), (1.0,), 0.03)),
        Population(name="spread out", kind="differing", draw=_around(((0.31, -0.42),), (1.0,), 0.3)),
        Population(name="two camps", kind="camps", draw=_around(((0.5, 0.5), (-0.5, -0.3)), (0.55, 0.45), 0.05)),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    )
    return {population.name: population for population in made}


def _cells() -> tuple[Cell, ...]:
    made = [
        Cell(NAME, name, size, USERS, 0, epsilon)
        for name in ("a point", "spread out", "two camps")
        for size in (20, 100)
        for epsilon in EPSILONS
    ]
    for number in range(1, DRAWN + 1):
        population, size = drawn(number)
        made += [Cell(NAME, population.name, size, USERS, 0, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"centres": tuple((float(x), float(y)) for x, y in centres(cell.size))}


def _marks(answer: Any, truth: Truth) -> Marks:
    """The squared distance of the chosen centre from the most frequent one; the interval of its share."""
    low, high = answer.share_interval
    share = truth.shares[answer.index]
    return Marks(
        errors=np.array([((np.array(answer.centre) - truth.best) ** 2).sum()]),
        each=np.array([low - 1e-12 <= share <= high + 1e-12]),
        halfwidth=(high - low) / 2,
    )


COVER = Benchmark(
    name=NAME,
    populations=_populations(),
    cells=_cells(),
    others=("unary",),
    declared=_declared,
    marks=_marks,
    ours="subset",
    letter="N",
    modelled=lambda cell: True,
)
