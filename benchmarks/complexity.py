"""CPU time of each procedure as users, observations and dimension grow, with fitted exponents.

The paper's table of complexities (L1866) counts what one device does, all devices working at once, and what the server
does with n reports. Both are timed apart: *device* is encoding and privatising the answers of one user who holds T
observations, *server* is adding up the reports of n users and deciding. An exponent is the slope of log time over log
size, after taking away the fixed cost measured at a tiny size. Exits with 1 when an exponent exceeds the table's by
more than the allowance: time may grow more slowly than the table says, never faster.

To add a procedure, append a `Procedure` to `PROCEDURES`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.messages import Batch, Question, Tally

ALLOWANCE = 0.4  # memory: arrays that leave the caches cost more a number
RUNS = 4


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One size that grows while the others stay; `exponent` is the table's for the term that dominates here."""

    part: str  # "device" or "server"
    grows: str  # a keyword of `build`
    sizes: tuple[int, ...]
    exponent: float
    fixed: dict[str, int] = field(default_factory=dict)
    tiny: int | None = None  # the size at which only fixed costs are left; None takes nothing away


@dataclass(frozen=True, kw_only=True)
class Procedure:
    """A protocol for any (users, observations, dimension), and how its cost should grow."""

    name: str
    table: str
    build: Callable[..., Any]
    axes: tuple[Axis, ...]
    columns: Callable[[int], int] = lambda dimension: dimension  # how many numbers an observation has


SIZE = {"users": 2**14, "observations": 2**12, "dimension": 4}


def questions(protocol: Any, people: Collections) -> Iterator[tuple[Question, list[Batch]]]:
    """Every question with real reports of everybody; people hold one observation each."""
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := protocol.decide(tallies), Question):
        slots = np.arange(step.slots.first, step.slots.first + step.slots.count)
        batches = list(respond_many(step, people.take(slots), slots, SystemEntropy()))
        yield step, batches
        tallies += (_added(step, batches),)


def _added(question: Question, batches: list[Batch]) -> Tally:
    total = Tally.empty(question)
    for batch in batches:
        total += Tally.of(batch)
    return total


def _people(procedure: Procedure, users: int, observations: int, dimension: int) -> Collections:
    columns = procedure.columns(dimension)
    values = np.random.default_rng(1).uniform(-1, 1, size=(users * observations, columns)) / np.sqrt(columns)
    return Collections(values, np.arange(users + 1) * observations)


def device_seconds(procedure: Procedure, size: dict[str, int]) -> float:
    """One user's answer to one question, averaged over the protocol's questions."""
    few = max(48, 4 * size["dimension"])
    protocol = procedure.build(**{**size, "users": few})
    asked = [question for question, _ in questions(protocol, _people(procedure, few, 1, size["dimension"]))]
    alone = _people(procedure, 1, size["observations"], size["dimension"])
    best = np.inf
    for _ in range(RUNS):
        start = time.process_time()
        for question in asked:
            list(respond_many(question, alone, np.array([question.slots.first]), SystemEntropy()))
        best = min(best, time.process_time() - start)
    return float(best / len(asked))


def server_seconds(procedure: Procedure, size: dict[str, int]) -> float:
    """Adding up everybody's reports and deciding, all rounds."""
    protocol = procedure.build(**size)
    rounds = list(questions(protocol, _people(procedure, size["users"], 1, size["dimension"])))
    best = np.inf
    for _ in range(RUNS):
        start = time.process_time()
        tallies: tuple[Tally, ...] = ()
        for question, batches in rounds:
            tallies += (_added(question, batches),)
            protocol.decide(tallies)
        best = min(best, time.process_time() - start)
    return float(best)


def measure(procedure: Procedure, axis: Axis) -> tuple[float, list[float]]:
    """The fitted exponent, and the seconds at each size."""
    timed = device_seconds if axis.part == "device" else server_seconds

    def at(grown: int) -> float:
        return timed(procedure, {**SIZE, **axis.fixed, axis.grows: grown})

    at(axis.sizes[0])  # fill caches
    seconds = [at(grown) for grown in axis.sizes]
    constant = 0.0 if axis.tiny is None else min(at(axis.tiny), 0.5 * min(seconds))
    slope = np.polyfit(np.log(axis.sizes), np.log(np.array(seconds) - constant), 1)[0]
    return float(slope), seconds


def _mean(*, users: int, observations: int, dimension: int) -> sv.Mean:
    return sv.Mean(epsilon=1.0, low=-1.0, high=1.0, users=users, observations=observations, method="paper")


def _vector(ball: Any) -> Callable[..., sv.VectorMean]:
    def build(*, users: int, observations: int, dimension: int) -> sv.VectorMean:
        return sv.VectorMean(
            epsilon=1.0, users=users, observations=observations, dimension=dimension, ball=ball, method="paper"
        )

    return build


def _sparse(procedure: Any) -> Callable[..., sv.SparseMean]:
    def build(*, users: int, observations: int, dimension: int) -> sv.SparseMean:
        return sv.SparseMean(
            epsilon=1.0,
            users=users,
            observations=observations,
            dimension=dimension,
            sparsity=2,
            method="paper",
            procedure=procedure,
        )

    return build


def _density(*, users: int, observations: int, dimension: int) -> sv.Density:
    return sv.Density(
        epsilon=1.0,
        low=-1.0,
        high=1.0,
        users=users,
        observations=observations,
        coefficients=dimension,
        method="paper",
    )


def _mixture(*, users: int, observations: int, dimension: int) -> sv.MixtureMeans:
    return sv.MixtureMeans(
        epsilon=1.0,
        low=-1.0,
        high=1.0,
        users=users,
        observations=observations,
        components=dimension,
        delta=1 / (4 * dimension),
    )


_LONG = tuple(2**power for power in range(19, 23))  # observations of one device
_MANY = tuple(2**power for power in range(16, 20))  # users
_FINE = tuple(4**power for power in range(7, 11))  # observations that decide how many bins there are
_WIDE = (4, 8, 16, 32, 64)
_HUGE = (256, 512, 1024, 2048)

PROCEDURES = [
    Procedure(
        name="univariate mean",
        table="max{T, n·T^½}",
        build=_mean,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, exponent=0.5, fixed={"users": 2**17}),
        ),
    ),
    Procedure(
        name="ℓ∞ ball",
        table="max{T, n·T^½}",
        build=_vector("linf"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_WIDE, exponent=0.0, fixed={"observations": 2**14}),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, exponent=0.5, fixed={"users": 2**17}),
            Axis(part="server", grows="dimension", sizes=_WIDE, exponent=0.0, fixed={"users": 2**17}),
        ),
    ),
    Procedure(
        name="ℓ2 ball",
        table="max{d², T, n·(dT)^½}",
        build=_vector("l2"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_HUGE, exponent=2.0, fixed={"observations": 1024}, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, exponent=0.5, fixed={"users": 2**17}),
            Axis(part="server", grows="dimension", sizes=_WIDE, exponent=0.5, fixed={"users": 2**17}),
        ),
    ),
    Procedure(
        name="sparse, selection",
        table="max{T, n·d, n·T^½}",
        build=_sparse("selection"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_HUGE, exponent=1.0, fixed={"observations": 1024}, tiny=2),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="dimension", sizes=_HUGE, exponent=1.0, fixed={"users": 2**13}),
        ),
    ),
    Procedure(
        name="sparse, threshold",
        table="max{d, T, n·T^½}",
        build=_sparse("threshold"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, fixed={"dimension": 2}, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="dimension", sizes=_WIDE, exponent=0.0, fixed={"users": 2**17}),
        ),
    ),
    Procedure(  # the dimension is M, the number of coefficients
        name="density",
        table="max{M·T, n·T^½}",
        build=_density,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, tiny=1),
            Axis(part="device", grows="dimension", sizes=_WIDE, exponent=1.0, fixed={"observations": 2**16}),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=16),
            Axis(part="server", grows="dimension", sizes=_WIDE, exponent=0.0, fixed={"users": 2**17}),
        ),
    ),
    Procedure(  # the dimension is m, the number of components; more of its rows are in mixture_complexity.py
        name="mixture",
        table="max{T, m·n}",
        build=_mixture,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, exponent=1.0, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, exponent=1.0, tiny=48),
            Axis(part="server", grows="dimension", sizes=_WIDE, exponent=1.0, fixed={"users": 2**16}),
        ),
    ),
]


def main() -> int:
    names = {"users": "n", "observations": "T", "dimension": "d"}
    within = True
    print(f"{'procedure':<19}{'part':<8}{'grows':<7}{'from … to':<22}{'ms':<20}{'exponent':>9}{'table':>7}")
    for procedure in PROCEDURES:
        for axis in procedure.axes:
            slope, seconds = measure(procedure, axis)
            fits = slope <= axis.exponent + ALLOWANCE
            within &= fits
            ends = f"{axis.sizes[0]:,} … {axis.sizes[-1]:,}"
            times = f"{1e3 * seconds[0]:.3g} … {1e3 * seconds[-1]:.3g}"
            print(
                f"{procedure.name:<19}{axis.part:<8}{names[axis.grows]:<7}{ends:<22}{times:<20}{slope:>9.2f}"
                f"{axis.exponent:>7.2g}{'' if fits else '   too steep'}",
                flush=True,
            )
        print(f"{'':<19}the paper's table: {procedure.table}")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
