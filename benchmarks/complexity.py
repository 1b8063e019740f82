"""CPU time of each procedure as users, observations, dimension and ε grow, against `theory.complexity`.

The paper's running times (L1819) count what one device does, all devices working at once, and what the server does with
n reports. Both are timed apart: *device* is encoding and privatising the answers of one user who holds T observations,
*server* is adding up the reports of n users and deciding. An exponent is the slope of log time over log size, after
taking away the fixed cost measured at a tiny size; the paper's is the slope of its function over the same sizes, for a
device at n = 1. Exits with 1 when an exponent exceeds the paper's by more than the allowance: time may grow more slowly
than the paper says, never faster.

To add a procedure, append a `Procedure` to `PROCEDURES`.
"""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sottovoce as sv
from sottovoce.device import Collections, SystemEntropy, respond_many
from sottovoce.messages import Batch, Question, Tally
from sottovoce.theory import complexity as costs

ALLOWANCE = 0.4  # memory: arrays that leave the caches cost more a number
RUNS = 4


@dataclass(frozen=True, kw_only=True)
class Axis:
    """One size that grows while the others stay."""

    part: str  # "device" or "server"
    grows: str  # a keyword of `build`
    sizes: tuple[float, ...]
    fixed: dict[str, float] = field(default_factory=dict)
    tiny: float | None = None  # the size at which only fixed costs are left; None takes nothing away


@dataclass(frozen=True, kw_only=True)
class Procedure:
    """A protocol for any (users, observations, dimension, epsilon), and the function of its cost."""

    name: str
    cost: Callable[..., float]
    build: Callable[..., Any]
    axes: tuple[Axis, ...]
    columns: Callable[[int], int] = lambda dimension: dimension  # how many numbers an observation has


SIZE: dict[str, Any] = {"users": 2**14, "observations": 2**12, "dimension": 4, "epsilon": 1.0}


def predicted(procedure: Procedure, axis: Axis) -> float:
    """The slope of the paper's function over the same sizes; one device is one user."""
    costs = []
    for grown in axis.sizes:
        size = {**SIZE, **axis.fixed, axis.grows: grown}
        users = 1 if axis.part == "device" else size["users"]
        letters = {"n": users, "T": size["observations"], "alpha": size["epsilon"]}
        letters |= dict.fromkeys(("d", "M", "m"), size["dimension"])
        wanted = inspect.signature(procedure.cost).parameters
        costs.append(procedure.cost(**{name: letters[name] for name in wanted}))
    return float(np.polyfit(np.log(axis.sizes), np.log(costs), 1)[0])


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


def device_seconds(procedure: Procedure, size: dict[str, Any]) -> float:
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


def server_seconds(procedure: Procedure, size: dict[str, Any]) -> float:
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

    def at(grown: float) -> float:
        return timed(procedure, {**SIZE, **axis.fixed, axis.grows: grown})

    at(axis.sizes[0])  # fill caches
    seconds = [at(grown) for grown in axis.sizes]
    constant = 0.0 if axis.tiny is None else min(at(axis.tiny), 0.5 * min(seconds))
    slope = np.polyfit(np.log(axis.sizes), np.log(np.array(seconds) - constant), 1)[0]
    return float(slope), seconds


def _mean(*, users: int, observations: int, dimension: int, epsilon: float) -> sv.Mean:
    return sv.Mean(epsilon=epsilon, low=-1.0, high=1.0, users=users, observations=observations, method="paper")


def _vector(ball: Any, method: str = "paper") -> Callable[..., sv.VectorMean]:
    def build(*, users: int, observations: int, dimension: int, epsilon: float) -> sv.VectorMean:
        return sv.VectorMean(
            epsilon=epsilon,
            users=users,
            observations=observations,
            dimension=dimension,
            ball=ball,
            method=method,
            proof_constant=1.0,
        )

    return build


def _sparse(procedure: Any) -> Callable[..., sv.SparseMean]:
    def build(*, users: int, observations: int, dimension: int, epsilon: float) -> sv.SparseMean:
        return sv.SparseMean(
            epsilon=epsilon,
            users=users,
            observations=observations,
            dimension=dimension,
            sparsity=2,
            method="paper",
            procedure=procedure,
        )

    return build


def _density(*, users: int, observations: int, dimension: int, epsilon: float) -> sv.Density:
    return sv.Density(
        epsilon=epsilon,
        low=-1.0,
        high=1.0,
        users=users,
        observations=observations,
        coefficients=dimension,
        method="paper",
    )


def _mixture(*, users: int, observations: int, dimension: int, epsilon: float) -> sv.MixtureMeans:
    return sv.MixtureMeans(
        epsilon=epsilon,
        low=-1.0,
        high=1.0,
        users=users,
        observations=observations,
        components=dimension,
        delta=1 / (4 * dimension),
    )


_LONG = tuple(2**power for power in range(17, 21))  # observations of one device
_MANY = tuple(2**power for power in range(15, 19))  # users
_FINE = tuple(4**power for power in range(7, 11))  # observations that decide how many bins there are
_WIDE = (4, 8, 16, 32, 64)
_HUGE = (256, 512, 1024, 2048)
_LOW = (2.0, 4.0, 8.0, 16.0)  # budgets above one

PROCEDURES = [
    Procedure(
        name="univariate mean",
        cost=costs.univariate,
        build=_mean,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, fixed={"users": 2**17}),
        ),
    ),
    Procedure(
        name="ℓ∞ ball",
        cost=costs.linf_ball,
        build=_vector("linf"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_WIDE, fixed={"observations": 2**14}),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, fixed={"users": 2**17}),
            Axis(part="server", grows="dimension", sizes=_WIDE, fixed={"users": 2**17}),
        ),
    ),
    Procedure(
        name="ℓ2 ball",
        cost=costs.l2_ball,
        build=_vector("l2"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_HUGE, fixed={"observations": 1024}, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="observations", sizes=_FINE, fixed={"users": 2**17}),
            Axis(part="server", grows="dimension", sizes=_WIDE, fixed={"users": 2**17}),
        ),
    ),
    *(
        Procedure(  # above α = 1 a user answers for several coordinates: the proofs' method
            name=f"{name}, α > 1",
            cost=cost,
            build=_vector(ball, "theory"),
            axes=(
                Axis(part="device", grows="epsilon", sizes=_LOW, fixed={"dimension": 16, "observations": 2**14}),
                Axis(part="server", grows="epsilon", sizes=_LOW, fixed={"dimension": 16, "users": 2**16}),
            ),
        )
        for name, ball, cost in (("ℓ∞ ball", "linf", costs.linf_ball), ("ℓ2 ball", "l2", costs.l2_ball))
    ),
    Procedure(
        name="sparse, selection",
        cost=costs.sparse_selection,
        build=_sparse("selection"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, fixed={"dimension": 2}, tiny=1),
            Axis(part="device", grows="dimension", sizes=_HUGE, fixed={"observations": 64}, tiny=2),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="dimension", sizes=_HUGE, fixed={"users": 2**13}),
        ),
    ),
    Procedure(
        name="sparse, threshold",
        cost=costs.sparse_threshold,
        build=_sparse("threshold"),
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, fixed={"dimension": 2}, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="dimension", sizes=_WIDE, fixed={"users": 2**17}),
        ),
    ),
    Procedure(  # the dimension is M, the number of coefficients
        name="density",
        cost=costs.density,
        build=_density,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, tiny=1),
            Axis(part="device", grows="dimension", sizes=_WIDE, fixed={"observations": 2**16}),
            Axis(part="server", grows="users", sizes=_MANY, tiny=16),
            Axis(part="server", grows="dimension", sizes=_WIDE, fixed={"users": 2**17}),
        ),
    ),
    Procedure(  # the dimension is m, the number of components; more of its rows are in mixture_complexity.py
        name="mixture",
        cost=costs.mixture,
        build=_mixture,
        columns=lambda dimension: 1,
        axes=(
            Axis(part="device", grows="observations", sizes=_LONG, tiny=1),
            Axis(part="server", grows="users", sizes=_MANY, tiny=48),
            Axis(part="server", grows="dimension", sizes=_WIDE, fixed={"users": 2**16}),
        ),
    ),
]


def main() -> int:
    names = {"users": "n", "observations": "T", "dimension": "d", "epsilon": "α"}
    within = True
    print(f"{'procedure':<19}{'part':<8}{'grows':<7}{'from … to':<22}{'ms':<20}{'exponent':>9}{'paper':>7}")
    for procedure in PROCEDURES:
        for axis in procedure.axes:
            slope, seconds = measure(procedure, axis)
            expected = predicted(procedure, axis)
            fits = slope <= expected + ALLOWANCE
            within &= fits
            ends = f"{axis.sizes[0]:,g} … {axis.sizes[-1]:,g}"
            times = f"{1e3 * seconds[0]:.3g} … {1e3 * seconds[-1]:.3g}"
            print(
                f"{procedure.name:<19}{axis.part:<8}{names[axis.grows]:<7}{ends:<22}{times:<20}{slope:>9.2f}"
                f"{expected:>7.2f}{'' if fits else '   too steep'}",
                flush=True,
            )
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
