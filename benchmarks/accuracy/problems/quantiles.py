"""Quantiles .1, .5 and .9: continuous laws, atoms and lattices, of users alike and of users who differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    baselines_of,
    ends_of,
    half,
    held,
)

NAME, CDF_NAME = "quantiles", "cdf"
LEVELS = (0.1, 0.5, 0.9)
Law = Callable[[Stream, int, int], Floats]
"""Observations ``(n, T)`` from a stream, users and observations."""


class Truth:
    """The distribution function of all observations, everybody holding as many, and its quantiles."""

    def __init__(self, values: Floats) -> None:
        self._sorted = np.sort(values.ravel())
        places = np.ceil(np.array(LEVELS) * len(self._sorted)).astype(np.int64) - 1
        self.quantiles = self._sorted[places]

    def below(self, points: Floats) -> Floats:
        """The share up to each point, to rounding: a step is one number, however it was reached."""
        return np.searchsorted(self._sorted, points + 1e-9, side="right") / len(self._sorted)


def _of(law: Law) -> Draw:
    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Truth]:
        values = law(stream, shape.users, shape.observations)
        return Pool.of(values), Truth(values)

    return draw


def _beta(stream: Stream, users: int, observations: int) -> Floats:
    return stream.beta(2, 5, (users, observations))


def _differ(stream: Stream, users: int, observations: int) -> Floats:
    own = 0.5 + 0.12 * stream.standard_normal((users, 1))
    return np.clip(own + 0.12 * stream.standard_normal((users, observations)), 0, 1)


def _constant(stream: Stream, users: int, observations: int) -> Floats:
    return np.repeat(stream.beta(2, 5, (users, 1)), observations, axis=1)


def _far(stream: Stream, users: int, observations: int) -> Floats:
    values = _beta(stream, users, observations)
    values[stream.random(users) < 0.05] = 0.95
    return values


def _zeros(stream: Stream, users: int, observations: int) -> Floats:
    """A third is nothing at all, the rest exponential."""
    held = np.minimum(0.12 * stream.exponential(size=(users, observations)), 1)
    return np.where(stream.random((users, observations)) < 0.3, 0.0, held)


def _poisson(stream: Stream, users: int, observations: int) -> Floats:
    return np.minimum(stream.poisson(6, (users, observations)), 20).astype(np.float64)


RATINGS = np.array([0.14, 0.174, 0.236, 0.2295, 0.2205])


def _ratings(stream: Stream, users: int, observations: int) -> Floats:
    """One to five points, users as different as a Dirichlet law of weight 12 makes them."""
    own = np.cumsum(stream.dirichlet(12 * RATINGS, users), axis=1)
    drawn = stream.random((users, observations))
    return 1.0 + (own[:, None, :4] < drawn[:, :, None]).sum(axis=2)


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int]:
    """A population drawn by a seed, with its users and observations.

    One to three groups, each around a place of its own, users more or less apart within it and their observations
    around them by a Beta law; in one of three an atom, in one of three a lattice.
    """
    stream = np.random.default_rng((seed, 2, number))
    users, observations = int(stream.choice([3000, 6000, 12_000])), int(stream.choice([15, 40, 120]))
    groups = int(stream.choice([1, 1, 2, 3]))
    places, weights = stream.uniform(0.1, 0.9, groups), stream.dirichlet(np.full(groups, 2.0))
    between, within = (np.exp(stream.uniform(np.log(4), np.log(400), groups)) for _ in range(2))
    atom = float(stream.uniform(0.05, 0.4)) if stream.random() < 1 / 3 else 0.0
    place = float(stream.uniform(0, 1))
    steps = int(stream.choice([4, 10, 50])) if stream.random() < 1 / 3 else 0

    def law(stream: Stream, users: int, observations: int) -> Floats:
        group = stream.choice(groups, users, p=weights)
        middle, loose = places[group], between[group]
        own = np.clip(stream.beta(middle * loose, (1 - middle) * loose), 1e-3, 1 - 1e-3)[:, None]
        tight = within[group][:, None]
        values = stream.beta(own * tight, (1 - own) * tight, (users, observations))
        values = np.where(stream.random(values.shape) < atom, place, values)
        return np.rint(values * steps) * (1 / steps) if steps else values

    population = Population(
        name=f"drawn {number}",
        kind="camps" if groups > 1 else "differing",
        draw=_of(law),
        declares={"step": 1 / steps} if steps else {},
        held_out=True,
    )
    return population, users, observations


def _populations() -> dict[str, Population]:
    made = (
        Population(name="Beta", kind="alike", draw=_of(_beta)),
        Population(name="zeros and exponential", kind="alike", draw=_of(_zeros)),
        Population(name="Poisson", kind="alike", draw=_of(_poisson), declares={"low": 0.0, "high": 20.0, "step": 1.0}),
        Population(name="differ", kind="differing", draw=_of(_differ)),
        Population(name="constant", kind="differing", draw=_of(_constant)),
        Population(
            name="ratings", kind="differing", draw=_of(_ratings), declares={"low": 1.0, "high": 5.0, "step": 1.0}
        ),
        Population(name="5 % far", kind="far", draw=_of(_far)),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    )
    return {population.name: population for population in made}


POPULATIONS = _populations()
ATOMS = ("zeros and exponential",)
FLAT = tuple(name for name in baselines_of(NAME) if "flat" in name)
"""One random item of everybody's in equal bins, or at the points of a lattice."""


def _cells() -> tuple[Cell, ...]:
    grid = [name for name, population in POPULATIONS.items() if not population.held_out]
    made = [
        Cell(NAME, name, 0, users, observations, epsilon)
        for name in grid
        for users in (5000, 20_000)
        for observations in (20, 100)
        for epsilon in EPSILONS
    ]
    return (*made, *_drawn_cells(NAME))


def _drawn_cells(name: str) -> Iterator[Cell]:
    for number in range(1, DRAWN + 1):
        population, users, observations = drawn(number)
        for epsilon in EPSILONS:
            yield Cell(name, population.name, 0, users, observations, epsilon)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "low": 0.0, "high": 1.0, "q": LEVELS}


def _marks(answer: Any, truth: Truth) -> Marks:
    """The band of the distribution function is what holds everything at once."""
    ends, model = ends_of(answer.intervals), ends_of(getattr(answer, "model_intervals", None))
    curve = getattr(answer, "curve", None)
    together = None
    if curve is not None:
        below = truth.below(np.array(curve.points))
        inside = held(ends_of(curve.band), below)
        together = None if inside is None else bool(inside.all())
    return Marks(
        errors=(np.array(answer.value) - truth.quantiles) ** 2,
        each=held(ends, truth.quantiles),
        all=together,
        halfwidth=half(ends),
        model_each=held(model, truth.quantiles),
        model_halfwidth=half(model),
    )


QUANTILES = Benchmark(
    name=NAME,
    populations=POPULATIONS,
    cells=_cells(),
    others=("one-round", *baselines_of(NAME)),
    declared=_declared,
    marks=_marks,
)


def _cdf_marks(answer: Any, truth: Truth) -> Marks:
    """The mean squared error over the points; the band at each of them, and at all."""
    points = np.array(answer.curve.points)
    below, band = truth.below(points), ends_of(answer.curve.band)
    model = ends_of(answer.model_band)
    inside, model_inside = held(band, below), held(model, below)
    return Marks(
        errors=np.array([((np.array(answer.value) - below) ** 2).mean()]),
        each=inside,
        all=None if inside is None else bool(inside.all()),
        halfwidth=half(band),
        model_each=model_inside,
        model_all=None if model_inside is None else bool(model_inside.all()),
        model_halfwidth=half(model),
    )


CDF_POPULATIONS = {
    name: population
    for name, population in POPULATIONS.items()
    if population.held_out or name in ("Beta", *ATOMS, "differ", "ratings", "5 % far")
}


def _cdf_cells() -> Iterator[Cell]:
    for name in (name for name, population in CDF_POPULATIONS.items() if not population.held_out):
        for epsilon in EPSILONS:
            yield Cell(CDF_NAME, name, 0, 5000, 100, epsilon)


def _cdf_declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "low": 0.0, "high": 1.0}


CDF = Benchmark(
    name=CDF_NAME,
    populations=CDF_POPULATIONS,
    cells=(*_cdf_cells(), *_drawn_cells(CDF_NAME)),
    others=("one-round",),
    declared=_cdf_declared,
    marks=_cdf_marks,
    room=NAME,
)
