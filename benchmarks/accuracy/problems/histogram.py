"""Histograms: shares of categories that follow Zipf's law, of users who are alike, who differ, and who are in camps."""

from __future__ import annotations

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
    Draw,
    Marks,
    Population,
    Shape,
    baselines_of,
    vector_marks,
)
from sottovoce.device import Collections

NAME = "histogram"
SIZES, OBSERVATIONS = (5, 16, 256), (20, 200)
FEW, MANY = 5000, 50_000
INSTEVAL = "InstEval"


def zipf(size: int) -> Floats:
    """Shares that fall like 1/j, in an order that is drawn once for each number of categories."""
    shares = 1 / np.arange(1, size + 1)
    return np.asarray(named_stream(f"zipf/{size}").permutation(shares / shares.sum()))


def counted(stream: Stream, chances: Floats, sizes: np.ndarray[Any, np.dtype[np.int64]]) -> tuple[Pool, Floats]:
    """Users who draw so many observations each, by their own chances ``(n, k)``; the truth is their average share."""
    counts = stream.multinomial(sizes, chances)
    users, size = counts.shape
    kind = np.int8 if size < 128 else np.int16
    values = np.repeat(np.tile(np.arange(size, dtype=kind), users), counts.ravel())
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    return Pool(Collections(values, offsets)), (counts / sizes[:, None]).mean(axis=0)


def _of_chances(chances: Callable[[Stream, int, Floats], Floats]) -> Draw:
    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        own = chances(stream, shape.users, zipf(shape.size))
        return counted(stream, own, np.full(shape.users, shape.observations))

    return draw


def dirichlet(stream: Stream, users: int, around: Floats, weight: float) -> Floats:
    """Chances of users who differ, the more the smaller the weight; a share may fall below what a float can hold."""
    own = stream.dirichlet(weight * around, users)
    own = np.maximum(own, 0) + 1e-300
    return np.asarray(own / own.sum(axis=1, keepdims=True))


def _camps(stream: Stream, users: int, around: Floats) -> Floats:
    """Half of the users turn the order of the categories round: what is frequent is rare."""
    order = np.argsort(around)
    turned = np.empty_like(around)
    turned[order] = around[order[::-1]]
    return np.where((stream.random(users) < 0.5)[:, None], around, turned)


def _far(stream: Stream, users: int, around: Floats) -> Floats:
    """One user in twenty holds the rarest category and nothing else."""
    alone = np.zeros_like(around)
    alone[np.argmin(around)] = 1.0
    return np.where((stream.random(users) < 0.05)[:, None], alone, around)


def _insteval(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
    """The students' own ratings, 1 to 5."""
    from sottovoce.data import datasets

    people = datasets.insteval().collections
    owner = np.repeat(np.arange(people.users), people.sizes)
    ratings = np.rint(people.values[:, 0]).astype(np.int64) - 1
    counts = np.bincount(5 * owner + ratings, minlength=5 * people.users).reshape(-1, 5)
    truth = (counts / people.sizes[:, None]).mean(axis=0)
    return Pool(Collections(ratings.astype(np.int8), people.offsets)), truth


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int, int]:
    """A population drawn by a seed, with its categories, users and observations.

    One to three groups (one, half of the time), each around shares of its own, users of a group more or less alike; in
    one of three populations users hold lognormal numbers of observations.
    """
    stream = np.random.default_rng((seed, 1, number))
    size = int(stream.choice([4, 7, 12, 24, 60]))
    users, observations = int(stream.choice([3000, 8000, 20_000])), int(stream.choice([10, 30, 100, 300]))
    groups = int(stream.choice([1, 1, 2, 3]))
    around = stream.dirichlet(np.full(size, np.exp(stream.uniform(np.log(0.2), np.log(3)))), groups)
    weights = stream.dirichlet(np.full(groups, 2.0))
    alike = np.exp(stream.uniform(np.log(2), np.log(2000), groups))
    unequal = bool(stream.random() < 1 / 3)

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Floats]:
        group = stream.choice(groups, shape.users, p=weights)
        chances = np.empty((shape.users, size))
        for place in range(groups):
            mine = group == place
            chances[mine] = dirichlet(stream, int(mine.sum()), around[place] + 1e-6, float(alike[place]))
        sizes = np.full(shape.users, shape.observations)
        if unequal:
            sizes = np.maximum(1, np.rint(shape.observations * np.exp(0.7 * stream.standard_normal(shape.users))))
        return counted(stream, chances, sizes.astype(np.int64))

    kind = "camps" if groups > 1 else "differing"
    population = Population(name=f"drawn {number}", kind=kind, draw=draw, held_out=True)  # type: ignore[arg-type]
    return population, size, users, observations


def _populations() -> dict[str, Population]:
    made = [Population(name="alike", kind="alike", draw=_of_chances(lambda s, n, p: np.broadcast_to(p, (n, len(p)))))]
    for weight in (100, 20, 1):
        made.append(
            Population(
                name=f"Dirichlet {weight}p",
                kind="differing",
                draw=_of_chances(lambda s, n, p, weight=weight: dirichlet(s, n, p, weight)),  # type: ignore[misc]
            )
        )
    made += [
        Population(name="two camps", kind="camps", draw=_of_chances(_camps)),
        Population(name="5 % far", kind="far", draw=_of_chances(_far)),
        Population(name=INSTEVAL, kind="differing", draw=_insteval),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    ]
    return {population.name: population for population in made}


POPULATIONS = _populations()


def _wanted(name: str, size: int, users: int, observations: int) -> bool:
    """Few users everywhere; many (a run takes up to a second and a half) where something is promised about them."""
    if users == FEW:
        return True
    return observations == 200 and (name == "alike" or size == 16 or (size == 5 and name == "5 % far"))


def _cells() -> tuple[Cell, ...]:
    grid = [name for name, population in POPULATIONS.items() if not population.held_out and name != INSTEVAL]
    made = [
        Cell(NAME, name, size, users, observations, epsilon)
        for name in grid
        for size in SIZES
        for users in (FEW, MANY)
        for observations in OBSERVATIONS
        for epsilon in EPSILONS
        if _wanted(name, size, users, observations)
    ]
    made += [Cell(NAME, INSTEVAL, 5, 2972, 22, epsilon) for epsilon in EPSILONS]
    made.append(Cell(NAME, "alike", 256, 20_000, 200, 2.0))
    for number in range(1, DRAWN + 1):
        population, size, users, observations = drawn(number)
        made += [Cell(NAME, population.name, size, users, observations, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _skipped(cell: Cell, method: str) -> bool:
    """For simulation only, and slow where users are many; subset selection, which is one round, is as good."""
    return method == "one-oue" and cell.users >= 20_000


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "low": -0.5, "high": cell.size - 0.5, "bins": cell.size}


def _simplex(values: Floats) -> Floats:
    """The nearest shares that add up to one and are nowhere negative; what is one of these stays."""
    falling = np.sort(values)[::-1]
    over = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    return np.maximum(values - over[np.flatnonzero(falling > over)[-1]], 0.0)


def _marks(answer: Any, truth: Floats) -> Marks:
    return vector_marks(_simplex(np.array(answer.value)), answer, truth)


HISTOGRAM = Benchmark(
    name=NAME,
    populations=POPULATIONS,
    cells=_cells(),
    others=("one-round", *baselines_of(NAME)),
    declared=_declared,
    marks=_marks,
    letter="k",
    modelled=lambda cell: cell.of.kind != "far",  # camps of half the users do not hide
    skipped=_skipped,
)
