"""Densities on [0, 1]: two peaks, an exponential, a skewed one, three peaks; users alike, differing and in camps."""

from __future__ import annotations

import math
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
    Kind,
    Marks,
    Population,
    Shape,
)

NAME = "density"
WAVES = 64
"""As many as an answer can show."""
POINTS = (np.arange(256) + 0.5) / 256
Parts = tuple[tuple[float, float, float], ...]
"""Beta laws: a weight and two parameters each."""


def beta_density(first: float, second: float) -> Floats:
    """At the points."""
    scale = math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)
    return np.asarray(np.exp(scale + (first - 1) * np.log(POINTS) + (second - 1) * np.log1p(-POINTS)))


def _heights(parts: Parts) -> Floats:
    return np.asarray(sum(weight * beta_density(first, second) for weight, first, second in parts))


class Truth:
    """The density of the pool at the points: that of its law, with the waves that its own observations have.

    A pool differs from its law by chance, as a population would; a band that holds to a hundredth part would feel it.
    """

    def __init__(self, heights: Floats, values: Floats) -> None:
        waves = _waves(POINTS)
        own = np.array([wave.mean() for wave in _each_wave(values.ravel())])
        law = waves.T @ heights / len(POINTS)
        self.heights = heights + waves @ (own - law)
        self._waves, self._own = waves, own

    def smoothed(self, count: int) -> Floats:
        """With only so many waves."""
        return np.asarray(1 + self._waves[:, :count] @ self._own[:count])


def _waves(points: Floats) -> Floats:
    return math.sqrt(2) * np.cos(math.pi * points[:, None] * np.arange(1, WAVES + 1))


def _each_wave(values: Floats) -> Iterator[Floats]:
    """√2 cos(πjx) for j = 1, 2, …: each from the two before it."""
    first = np.cos(math.pi * values.astype(np.float64))
    before, now = np.ones_like(first), first
    for _ in range(WAVES):
        yield math.sqrt(2) * now
        before, now = now, 2 * first * now - before


def _pool(values: Floats, heights: Floats) -> tuple[Pool, Truth]:
    held = values.astype(np.float32)
    return Pool.of(held), Truth(heights, held)


def _mixed(stream: Stream, parts: Parts, shape: tuple[int, int], group: np.ndarray[Any, Any]) -> Floats:
    """Observations ``(n, T)``: by the part that `group` names, for a user or for an observation."""
    first, second = (np.array([part[place] for part in parts])[group] for place in (1, 2))
    return np.asarray(stream.beta(first, second, shape))


def _parts(parts: Parts, *, by_user: bool = False) -> Draw:
    """Every observation of any part; or every user of one part only."""

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Truth]:
        size = (shape.users, shape.observations)
        weights = [part[0] for part in parts]
        group = stream.choice(len(parts), (shape.users, 1) if by_user else size, p=weights)
        return _pool(_mixed(stream, parts, size, group), _heights(parts))

    return draw


def _exponential(stream: Stream, shape: Shape) -> tuple[Pool, Truth]:
    heights = np.exp(-3 * POINTS)
    values = -np.log1p(stream.random((shape.users, shape.observations)) * np.expm1(-3)) / 3
    return _pool(values, heights / heights.mean())


def _averaged(own: Callable[[Stream, int], tuple[Floats, Floats]]) -> Draw:
    """Users with Beta laws of their own; the truth is the average of their densities, over the pool."""

    def draw(stream: Stream, shape: Shape) -> tuple[Pool, Truth]:
        first, second = own(stream, shape.users)
        values = stream.beta(first[:, None], second[:, None], (shape.users, shape.observations))
        total = np.zeros_like(POINTS)
        for start in range(0, shape.users, 1024):
            some = slice(start, start + 1024)
            logs = (first[some, None] - 1) * np.log(POINTS) + (second[some, None] - 1) * np.log1p(-POINTS)
            weights = np.array([_scale(a, b) for a, b in zip(first[some], second[some], strict=True)])
            total += np.exp(logs + weights[:, None]).sum(axis=0)
        return _pool(values, total / shape.users)

    return draw


def _scale(first: float, second: float) -> float:
    return math.lgamma(first + second) - math.lgamma(first) - math.lgamma(second)


def _differ(stream: Stream, users: int) -> tuple[Floats, Floats]:
    """Places of users by a Beta law around .45, observations around them."""
    place = stream.beta(9, 11, users)
    return 1 + 10 * place, 1 + 10 * (1 - place)


def drawn(number: int, seed: int = HELD_OUT_SEED) -> tuple[Population, int, int]:
    """A population drawn by a seed, with its users and observations: one to three parts, of everybody or by user."""
    stream = np.random.default_rng((seed, 5, number))
    users, observations = int(stream.choice([3000, 6000, 12_000])), int(stream.choice([20, 60, 150]))
    count = int(stream.choice([1, 2, 3]))
    weights = stream.dirichlet(np.full(count, 3.0))
    places, tight = stream.uniform(0.1, 0.9, count), np.exp(stream.uniform(np.log(2), np.log(25), count))
    by_user = bool(stream.random() < 0.4) and count > 1
    parts = tuple(
        (float(weight), float(1 + at * loose), float(1 + (1 - at) * loose))
        for weight, at, loose in zip(weights, places, tight, strict=True)
    )
    kind: Kind = "camps" if by_user else "alike"
    draw = _parts(parts, by_user=by_user)
    return Population(name=f"drawn {number}", kind=kind, draw=draw, held_out=True), users, observations


TWO_PEAKS: Parts = ((0.5, 2.0, 6.0), (0.5, 8.0, 3.0))
THREE_PEAKS: Parts = ((0.3, 4.0, 16.0), (0.4, 10.0, 10.0), (0.3, 16.0, 4.0))


def _populations() -> dict[str, Population]:
    made = (
        Population(name="bimodal", kind="alike", draw=_parts(TWO_PEAKS)),
        Population(name="exponential", kind="alike", draw=_exponential),
        Population(name="skewed", kind="alike", draw=_parts(((1.0, 2.0, 5.0),))),
        Population(name="three peaks", kind="alike", draw=_parts(THREE_PEAKS)),
        Population(name="differ", kind="differing", draw=_averaged(_differ)),
        Population(name="two camps", kind="camps", draw=_parts(TWO_PEAKS, by_user=True)),
        Population(name="5 % far", kind="far", draw=_parts(((0.95, 2.0, 6.0), (0.05, 57.0, 4.0)), by_user=True)),
        *(drawn(number)[0] for number in range(1, DRAWN + 1)),
    )
    return {population.name: population for population in made}


POPULATIONS = _populations()
NAMED = (  # the settings of reference and two more, named before the method was written
    Cell(NAME, "bimodal", 0, 5000, 100, 1.0),
    Cell(NAME, "exponential", 0, 5000, 100, 1.0),
    Cell(NAME, "skewed", 0, 5000, 100, 2.0),
    Cell(NAME, "three peaks", 0, 5000, 100, 2.0),
)


def _cells() -> tuple[Cell, ...]:
    grid = [name for name, population in POPULATIONS.items() if not population.held_out]
    made = [Cell(NAME, name, 0, 5000, 100, epsilon) for name in grid for epsilon in EPSILONS]
    for number in range(1, DRAWN + 1):
        population, users, observations = drawn(number)
        made += [Cell(NAME, population.name, 0, users, observations, epsilon) for epsilon in EPSILONS]
    return tuple(made)


def _declared(cell: Cell) -> dict[str, Any]:
    return {"observations": cell.observations, "low": 0.0, "high": 1.0}


def _marks(answer: Any, truth: Truth) -> Marks:
    """The squared L2 error of the density without negative parts.

    Bands in the cosine basis: guarded and model for the smoothed density, and the guarded one for the density itself.
    """
    errors = np.array([((answer.projected()(POINTS) - truth.heights) ** 2).mean()])
    if getattr(answer, "measured", None) is None:
        return Marks(errors=errors)
    smooth = truth.smoothed(len(answer.coefficients) - 1)
    guarded, model, whole = answer.band(POINTS), answer.model_band(POINTS), answer.band(POINTS, whole=True)
    inside, model_inside, whole_inside = (
        (low <= true + 1e-9) & (true <= high + 1e-9)
        for (low, high), true in ((guarded, smooth), (model, smooth), (whole, truth.heights))
    )
    return Marks(
        errors=errors,
        each=inside[2::4],
        all=bool(inside.all()),
        halfwidth=float((guarded[1] - guarded[0]).mean() / 2),
        model_each=model_inside[2::4],
        model_all=bool(model_inside.all()),
        model_halfwidth=float((model[1] - model[0]).mean() / 2),
        whole_each=whole_inside[2::4],
        whole_all=bool(whole_inside.all()),
        whole_halfwidth=float((whole[1] - whole[0]).mean() / 2),
    )


DENSITY = Benchmark(
    name=NAME,
    populations=POPULATIONS,
    cells=_cells(),
    others=("one-round", "paper"),
    declared=_declared,
    marks=_marks,
)
