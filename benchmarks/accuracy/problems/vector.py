"""Vector means, in an ℓ2 ball and in a box: users alike, differing, in two camps, and 5 % of them far away.

A user is held by the average of the observations, which is all that a device looks at.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.accuracy.pools import Floats, Pool, Stream, named_stream
from benchmarks.accuracy.problems.cells import (
    DRAWN,
    EPSILONS,
    HELD_OUT_SEED,
    Benchmark,
    Cell,
    Kind,
    Marks,
    Population,
    Shape,
    vector_marks,
)

NAME = "vector"
ROWS = (  # ball, coordinates, users, observations: the rows of the table of reference
    ("l2", 8, 4000, 400),
    ("l2", 32, 4000, 400),
    ("l2", 256, 20_000, 200),
    ("linf", 8, 4000, 400),
    ("linf", 32, 20_000, 400),
)
KINDS: dict[str, Kind] = {"alike": "alike", "differ": "differing", "two camps": "camps", "5 % far": "far"}
SHARES = {"alike": 0.0, "differ": 0.0, "two camps": 0.25, "5 % far": 0.05}
"""Of the users who are elsewhere."""
Averages = Callable[[Stream, Shape], Floats]


def _drawn_users(averages: Averages) -> Callable[[Stream, Shape], tuple[Pool, Floats]]:
    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        held = averages(stream, shape).astype(np.float32)
        return Pool.of(held[:, None, :]), held.mean(axis=0, dtype=np.float64)

    return draw


def _direction(stream: Stream, size: int, length: float) -> Floats:
    way = stream.standard_normal(size)
    return np.asarray(way * length / np.linalg.norm(way))


def _in_ball(kind: str) -> Averages:
    """Users around a point half-way to the edge; a group elsewhere is .4 away, users who differ about .15."""

    def averages(stream: Stream, shape: Shape) -> Floats:
        public = named_stream(f"ball/{shape.size}")
        centre, away = _direction(public, shape.size, 0.5), _direction(public, shape.size, 0.4)
        own = stream.standard_normal((shape.users, shape.size)) * 0.85 / math.sqrt(shape.size * shape.observations)
        if kind == "differ":
            apart = 0.15 / math.sqrt(shape.size) * np.exp(0.5 * stream.standard_normal((shape.users, 1)) - 0.25)
            own += apart * stream.standard_normal((shape.users, shape.size))
        elsewhere = (stream.random(shape.users) < SHARES[kind])[:, None]
        return np.asarray(centre + elsewhere * away + own)

    return averages


def _in_box(kind: str) -> Averages:
    """Observations at the two ends of every coordinate; a group elsewhere leans the other way."""

    def averages(stream: Stream, shape: Shape) -> Floats:
        centre = named_stream(f"box/{shape.size}").uniform(-0.8, 0.8, shape.size)
        mean = np.broadcast_to(centre, (shape.users, shape.size))
        if kind == "differ":
            apart = 0.12 * np.clip(np.exp(0.4 * stream.standard_normal((shape.users, 1)) - 0.08), 0, 3)
            mean = np.clip(mean + apart * stream.standard_normal(mean.shape), -1, 1)
        elsewhere = (stream.random(shape.users) < SHARES[kind])[:, None]
        mean = np.where(elsewhere, -0.9 * np.sign(centre), mean)
        return 2 * stream.binomial(shape.observations, (1 + mean) / 2) / shape.observations - 1

    return averages


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int, int]:
    """A population drawn by a seed, with its coordinates, users and observations.

    One to three groups, their centres and weights; users of a group apart by a bell or by heavy tails, their own
    observations around them. Odd numbers are balls, even ones boxes.
    """
    stream = np.random.default_rng((seed, 3, number))
    size, users = int(stream.choice([3, 6, 20, 50, 100])), int(stream.choice([3000, 8000, 20_000]))
    observations, groups = int(stream.choice([20, 80, 300])), int(stream.choice([1, 1, 2, 3]))
    ball = "l2" if number % 2 else "linf"
    centres = (
        np.stack([_direction(stream, size, float(stream.uniform(0, 0.7))) for _ in range(groups)])
        if ball == "l2"
        else stream.uniform(-0.8, 0.8, (groups, size))
    )
    weights = stream.dirichlet(np.full(groups, 2.0))
    scale = 1 / math.sqrt(size) if ball == "l2" else 1.0
    between = scale * float(np.exp(stream.uniform(np.log(0.01), np.log(0.3))))
    within, heavy = scale * float(stream.uniform(0.3, 0.9)), bool(stream.random() < 0.5)

    def averages(stream: Stream, shape: Shape) -> Floats:
        group = stream.choice(groups, shape.users, p=weights)
        bell = stream.standard_normal((shape.users, size))
        stretched = np.sqrt(3 / stream.chisquare(3, (shape.users, 1))) if heavy else 1.0
        own = centres[group] + between * stretched * bell
        own = own + within / math.sqrt(shape.observations) * stream.standard_normal(own.shape)
        if ball == "linf":
            return np.clip(own, -1, 1)
        return np.asarray(own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1))

    population = Population(
        name=f"drawn {number}",
        kind="camps" if groups > 1 else "differing",
        draw=_drawn_users(averages),
        declares={"ball": ball},
        held_out=True,
    )
    return population, size, users, observations


def _populations() -> dict[str, Population]:
    made = [
        Population(name=f"{ball} {kind}", kind=KINDS[kind], draw=_drawn_users(law(kind)), declares={"ball": ball})
        for ball, law in (("l2", _in_ball), ("linf", _in_box))
        for kind in KINDS
    ]
    made += [drawn(number)[0] for number in range(1, DRAWN + 1)]
    return {population.name: population for population in made}


def _cells() -> tuple[Cell, ...]:
    made = [
        Cell(NAME, f"{ball} {kind}", size, users, observations, epsilon)
        for ball, size, users, observations in ROWS
        for kind in KINDS
        for epsilon in EPSILONS
    ]
    made.append(Cell(NAME, "l2 two camps", 32, 20_000, 400, 4.0))
    for number in range(1, DRAWN + 1):
        population, size, users, observations = drawn(number)
        made += [Cell(NAME, population.name, size, users, observations, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "dimension": cell.size, "radius": 1.0}


def _may_hide(cell: Cell) -> bool:
    """Whether answers say that a camp of a quarter of the users could go unseen: 27 % could with so few reports."""
    return cell.users == 4000 and cell.epsilon == 1.0


def _skipped(cell: Cell, method: str) -> bool:
    """With 256 coordinates a run of these takes a second, and groups promise nothing about them."""
    return cell.size == 256 and cell.of.grouped and method in ("paper", "one-round")


def _marks(answer: Any, truth: Floats) -> Marks:
    return vector_marks(np.array(answer.value), answer, truth)


VECTOR = Benchmark(
    name=NAME,
    populations=_populations(),
    cells=_cells(),
    others=("one-round", "paper"),
    declared=_declared,
    marks=_marks,
    modelled=lambda cell: not cell.of.grouped or (cell.population == "l2 two camps" and not _may_hide(cell)),
    skipped=_skipped,
)
