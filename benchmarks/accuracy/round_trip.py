"""Plans and what is printed: ``plan(halfwidth=…)`` says how many users it takes, and surveys of so many print theirs.

``python -m benchmarks.accuracy --problem round-trip`` plans sixty surveys, runs each with as many users as planned, and
writes ``results_round_trip.csv``. Users are those that the plan assumes, each kind in turn; then users in camps, and
users of whom 1 % are far away, which nobody told the plan. What is compared is the guaranteed interval that an answer
prints, whatever half-width the planner plans for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import sottovoce as sv
from benchmarks.accuracy import table
from benchmarks.accuracy.markdown import figure, markdown, paragraph
from benchmarks.accuracy.pools import Floats, Pool, Stream, named_stream
from benchmarks.accuracy.populations import pool
from benchmarks.accuracy.store import finished
from benchmarks.accuracy.verdicts import Verdict
from sottovoce.messages import InvalidInput
from sottovoce.planning import Plan

RESULTS = Path(__file__).with_name("results_round_trip.csv")
NAME = "round-trip"
SEED = 30
EPSILONS = (0.5, 1.0, 2.0, 4.0)
OBSERVATIONS = (20, 100, 1000)
HALFWIDTHS = (0.01, 0.02, 0.04, 0.08, 0.15)
"""On [−1, 1], the largest where few users are enough."""
OTHERS = ("clusters 50:50", "three camps", "1 % far away")
REPETITIONS, USERS = 100, 5_000_000
"""Repetitions of a plan, and users of all of them together at most, but for ten repetitions."""
BETWEEN, AT_MOST = (0.85, 1.15), 1.25


@dataclass(frozen=True, kw_only=True)
class Trip:
    """One plan. Printed half-widths are averages over surveys, in parts of the half-width that was planned for."""

    epsilon: float
    observations: int
    halfwidth: float
    users: int
    """As planned; none where nothing reaches the half-width."""
    method: str
    foretold: float
    """The half-width of a guaranteed interval that the plan tells, in the same parts."""
    seed: int
    repetitions: int
    assumed: float
    assumed_se: float
    camps: float
    camps_se: float
    three_camps: float
    three_camps_se: float
    far: float
    far_se: float

    @property
    def name(self) -> str:
        return f"± {self.halfwidth:g}, T = {self.observations:,}, ε = {self.epsilon:g}"


def guaranteed_halfwidth(plan: Plan) -> float:
    """As the plan tells it: the one that it plans for, where it tells no other."""
    guarded = getattr(plan, "guarded", None)
    return plan.halfwidth if guarded is None else float(guarded)


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Users to draw: the averages of all of them, and the mean of these."""

    draw: Callable[[Stream], Floats]
    truth: float


def kinds_assumed(plan: Plan) -> list[Kind]:
    """The users whom a plan assumes, kind by kind."""
    users = plan.problem.plan.users
    assert users is not None
    worlds: list[Any] = [users(plan.protocol, crowd) for crowd in plan.assumed]
    return [Kind(draw=partial(_averages, world), truth=float(world.truth)) for world in worlds]


def _averages(world: Any, stream: Stream) -> Floats:
    return np.asarray(world.draw(stream), dtype=np.float64).reshape(-1)


def kind_of(population: str, observations: int, users: int) -> Kind:
    """Users of a population of the benchmark."""
    averages = pool(population, observations)
    return Kind(draw=lambda stream: stream.choice(averages, users), truth=float(averages.mean()))


def surveyed(survey: Any, averages: Floats, stream: Stream) -> Any:
    """The answer of a survey of users who hold these averages."""
    return sv.run(survey, sv.simulate(Pool.of(averages).people, seed=int(stream.integers(2**53))))


def printed(survey: Any, kinds: Sequence[Kind], repetitions: int, stream: Stream) -> tuple[float, float]:
    """The mean half-width over kinds of users, each as often, and its standard error."""
    found = np.array(
        [
            [surveyed(survey, kind.draw(stream), stream).halfwidth for kind in kinds]
            for _ in range(max(2, math.ceil(repetitions / len(kinds))))
        ]
    )
    return float(found.mean()), float(np.sqrt(found.var(axis=0, ddof=1).sum() / len(found)) / len(kinds))


def trip(setting: tuple[float, int, float], repetitions: int = REPETITIONS) -> Trip:
    """Plan one survey, and run it."""
    epsilon, observations, halfwidth = setting
    stream = named_stream(f"{SEED}/{setting}")
    nothing = dict.fromkeys(("assumed", "camps", "three_camps", "far"), (table.NOTHING, table.NOTHING))
    try:
        plan = sv.plan(low=-1.0, high=1.0, epsilon=epsilon, observations=observations, halfwidth=halfwidth)
    except InvalidInput:
        return _row(setting, 0, "", table.NOTHING, 0, nothing)
    survey = plan.protocol
    count = min(repetitions, max(10, USERS // survey.users))
    groups = [kinds_assumed(plan), *([kind_of(name, observations, survey.users)] for name in OTHERS)]
    found = [printed(survey, kinds, count, stream) for kinds in groups]
    return _row(
        setting,
        survey.users,
        plan.method,
        guaranteed_halfwidth(plan),
        count,
        dict(zip(nothing, found, strict=True)),
    )


def _row(
    setting: tuple[float, int, float],
    users: int,
    method: str,
    foretold: float,
    repetitions: int,
    found: dict[str, tuple[float, float]],
) -> Trip:
    epsilon, observations, halfwidth = setting
    figures = {name: value / halfwidth for name, (value, _) in found.items()}
    errors = {f"{name}_se": error / halfwidth for name, (_, error) in found.items()}
    return Trip(
        epsilon=epsilon,
        observations=observations,
        halfwidth=halfwidth,
        users=users,
        method=method,
        foretold=foretold / halfwidth,
        seed=SEED,
        repetitions=repetitions,
        **figures,
        **errors,
    )


def settings() -> list[tuple[float, int, float]]:
    """Sixty."""
    return [
        (epsilon, observations, halfwidth)
        for observations in OBSERVATIONS
        for epsilon in EPSILONS
        for halfwidth in HALFWIDTHS
    ]


def trips(setting: tuple[float, int, float]) -> list[Trip]:
    """One plan, as what is kept of it."""
    return [trip(setting)]


def verdicts(trips: Sequence[Trip]) -> list[Verdict]:
    """Item 7."""
    low, high = BETWEEN
    planned = [one for one in trips if one.users]
    off = [one for one in planned if not low <= one.assumed <= high]
    farthest = max(planned, key=lambda one: abs(math.log(one.assumed)), default=None)
    made = [
        Verdict(
            item=7,
            words=f"printed half-width over the planned one, users as assumed, {len(trips)} plans",
            aim=f"{low:g} to {high:g} in each",
            found=f"outside in {len(off)} of {len(planned)}"
            + ("" if farthest is None else f"; farthest {farthest.assumed:.3g} ({farthest.name})")
            + (f"; {len(trips) - len(planned)} half-widths that nothing reaches" if len(planned) < len(trips) else ""),
            passed=not off and len(planned) == len(trips) if trips else None,
        )
    ]
    named = (("camps", "two camps"), ("three_camps", "three camps"), ("far", "1 % far away"))
    for name, words in named:
        held: list[tuple[float, Trip]] = [(getattr(one, name), one) for one in planned]
        worst = max(held, key=lambda pair: pair[0], default=None)
        above = sum(ratio > AT_MOST for ratio, _ in held)
        made.append(
            Verdict(
                item=7,
                words=f"the same, {words}, of which the plan is not told",
                aim=f"≤ {AT_MOST:g} in each",
                found=""
                if worst is None
                else f"above in {above} of {len(held)}; worst {worst[0]:.3g} ({worst[1].name})",
                passed=not above if held else None,
            )
        )
    return made


def section(trips: Sequence[Trip]) -> list[str]:
    """Of the page."""
    if not trips:
        return []
    lines = []
    for observations in OBSERVATIONS:
        for epsilon in EPSILONS:
            own = [one for one in trips if (one.observations, one.epsilon) == (observations, epsilon) and one.users]
            kinds: Iterable[list[float]] = (
                [getattr(one, name) for one in own] for name in ("foretold", "assumed", "camps", "three_camps", "far")
            )
            if own:
                users = f"{min(one.users for one in own):,}–{max(one.users for one in own):,}"
                ranges = [f"{figure(min(found), 2)}–{figure(max(found), 2)}" for found in kinds]
                lines.append((f"{observations:,}", f"{epsilon:g}", users, *ranges))
    return [
        "## A plan, and what is printed",
        "",
        *paragraph(
            f"""
            `plan(halfwidth=…)` for half-widths from {min(HALFWIDTHS):g} to {max(HALFWIDTHS):g} on [−1, 1]; then
            surveys of as many users as planned. Lowest and highest ratio of the half-width that the answer
            prints to the one that was planned for. *Foretold*: the half-width of the guaranteed interval that
            the plan itself tells, in the same parts. The plan is told nothing of camps and far groups.
            """
        ),
        *markdown(("T", "ε", "users", "foretold", "as assumed", "two camps", "three camps", "1 % far away"), lines),
    ]


def carry_out(*, workers: int, accept_older: bool = False) -> None:
    """Measure, and write the table."""
    found = finished(NAME, trips, settings(), Trip, workers=workers, accept_older=accept_older)
    table.write([one for rows in found for one in rows], RESULTS)


def read() -> list[Any]:
    """The committed table; nothing where none was written."""
    return table.read(RESULTS, Trip) if RESULTS.exists() else []
