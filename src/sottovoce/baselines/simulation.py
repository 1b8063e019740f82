"""What baselines for simulation only share: they read raw vectors and draw floating-point noise from a seed.

Nothing here protects anybody: real numbers leak through floating-point noise (Mironov 2012), and a seed undoes it.
These are the schemes of the literature whose reports are points of a sphere or a cube, kept for comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import (
    WHOLE_COLLECTION,
    Chosen,
    ChosenBy,
    Note,
    NoteCode,
    Privacy,
    StandardError,
    VectorEstimate,
    two_sided,
    within,
)
from sottovoce.messages import Fact, Floats, Integers, InvalidInput
from sottovoce.problems.density import DensityEstimate

# How a baseline for simulation only stands beside the methods of a problem: its settings, and its answer.


def ball_or_cube(settings: Any) -> dict[str, Any]:
    """The declared ball, or the smallest cube that holds the declared box."""
    if settings.ball == "l2":
        return {"ball": "l2", "radius": settings.radius, "centre": settings.centre}
    ends = list(zip(*settings.ranges, strict=True))
    centre = tuple((low + high) / 2 for low, high in ends)
    return {"ball": "linf", "radius": max(high - low for low, high in ends) / 2, "centre": centre}


def cube_about_zero(settings: Any) -> dict[str, Any]:
    """The smallest cube about zero that holds the declared range of every column."""
    return {"radius": settings.farthest}


def as_many_functions(settings: Any) -> dict[str, Any]:
    """As many coefficients as were given, or as the paper's rule takes."""
    return {"functions": settings.size}


def as_density(estimate: VectorEstimate, settings: Any) -> DensityEstimate:
    """Estimated coefficients as a density; the first is known."""
    return DensityEstimate(
        coefficients=(1.0, *estimate.value),
        coefficient_intervals=((1.0, 1.0), *estimate.intervals),
        coefficient_errors=(StandardError(sampling=0.0, privacy=0.0), *estimate.standard_error),
        low=settings.low,
        high=settings.high,
        smoothness=settings.assumed_smoothness,
        confidence=estimate.confidence,
        interval_kind=estimate.interval_kind,
        users_per_round=estimate.users_per_round,
        privacy=estimate.privacy,
        method=estimate.method,
        chosen=replace(estimate.chosen, details=(Fact("so-many-coefficients", n=len(estimate.value) + 1),)),
        notes=estimate.notes,
    )


def as_categories(settings: Any) -> dict[str, Any]:
    """The declared categories or bins."""
    return {"categories": settings.size, "names": settings.labels, "places": settings.vector.places}


Level = Literal["item", "user"]
BLOCK_CELLS = 2**21
NORMAL = Fact("normal-approximation")
"""How the intervals of most baselines are made."""
FARTHEST = 1e150
"""Values beyond count as so far away, infinite ones too: their squares and sums are still numbers."""


class People(Protocol):
    """The collections of many users, as `device.Collections` holds them."""

    @property
    def values(self) -> NDArray[Any]: ...

    @property
    def offsets(self) -> Integers: ...


def generator(seed: int, repetition: int) -> np.random.Generator:
    """An independent stream for each repetition."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repetition,))))


def check_dimension(people: People, dimension: int) -> None:
    """The data have as many columns as were declared."""
    if people.values.shape[1] != dimension:
        raise InvalidInput(f"dimension={dimension} was declared; the data have {people.values.shape[1]} columns")


def _finite(values: NDArray[Any]) -> Floats:
    """What is infinite is far away, what is missing stays so."""
    return np.asarray(np.clip(values.astype(np.float64), -FARTHEST, FARTHEST))


def items(people: People) -> Iterator[Floats]:
    """Every observation of everybody, in blocks ``(m, d)``; what is missing is zero."""
    size = max(1, BLOCK_CELLS // max(1, people.values.shape[1]))
    for first in range(0, len(people.values), size):
        yield np.nan_to_num(_finite(people.values[first : first + size]), nan=0.0)


def averages(values: NDArray[Any], offsets: Integers) -> Iterator[Floats]:
    """The average of every user, in blocks ``(m, d)``; who holds nothing has zero. As `People` hold them."""
    users = len(offsets) - 1
    widest = max(1, int(np.diff(offsets).max(initial=1)) * values.shape[1])
    size = max(1, BLOCK_CELLS // widest)
    for first in range(0, users, size):
        bounds = offsets[first : min(first + size, users) + 1]
        rows = _finite(values[bounds[0] : bounds[-1]])
        here, starts, filled = ~np.isnan(rows), bounds[:-1] - bounds[0], np.diff(bounds) > 0
        totals, counts = (np.zeros((len(bounds) - 1, rows.shape[1])) for _ in range(2))
        if filled.any():
            totals[filled] = np.add.reduceat(np.where(here, rows, 0.0), starts[filled], axis=0)
            counts[filled] = np.add.reduceat(here, starts[filled], axis=0, dtype=np.float64)
        yield totals / np.maximum(counts, 1.0)


def vector_answer(
    value: Floats,
    sampling: Floats,
    noise: Floats,
    *,
    low: Floats,
    high: Floats,
    confidence: float,
    epsilon: float,
    level: Level,
    users: int,
    method: str,
    names: tuple[str, ...] = (),
) -> VectorEstimate:
    """A simulated estimate in the form of every other; normal intervals from the variances of each coordinate.

    `noise` is the variance of a report about the average vector, so it holds what users contribute to it.
    """
    total = np.sqrt(np.maximum(noise, sampling))
    sampling_error = np.sqrt(np.minimum(sampling, noise))
    rest = np.sqrt(np.maximum(total**2 - sampling_error**2, 0.0))
    protects = WHOLE_COLLECTION if level == "user" else Fact("single-observation")
    rows = list(zip(value.tolist(), total.tolist(), low.tolist(), high.tolist(), strict=True))
    each, joint = (
        tuple(within((at - reach * one, at + reach * one), start, stop) for at, one, start, stop in rows)
        for reach in (two_sided(confidence), two_sided(1 - (1 - confidence) / len(value)))
    )
    return VectorEstimate(
        value=tuple(value.tolist()),
        intervals=each,
        simultaneous=joint,
        standard_error=tuple(
            StandardError(sampling=one, privacy=two)
            for one, two in zip(sampling_error.tolist(), rest.tolist(), strict=True)
        ),
        low=tuple(low.tolist()),
        high=tuple(high.tolist()),
        names=names or tuple(f"x{index + 1}" for index in range(len(value))),
        confidence=confidence,
        interval_kind=NORMAL,
        users_per_round=(users,),
        privacy=Privacy(epsilon=epsilon, protects=protects, users=users, rounds=1),
        method=method,
        chosen=Chosen(by=ChosenBy.SIMULATION),
        notes=(Note(NoteCode.SIMULATION_ONLY),),
    )
