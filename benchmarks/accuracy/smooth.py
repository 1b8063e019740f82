"""Whether more users, more observations or a larger ε ever make an answer worse: fine sweeps of what is predicted.

``python -m benchmarks.accuracy --problem smooth`` moves one of the three by steps of 12 % and the others over a grid.
It looks at the half-width of the guaranteed interval and at the error that a plan predicts, and writes how far each
rises above the lowest value before it (``results_smooth.csv``). Then it simulates surveys on both sides of places where
the method changes, with the users that a plan assumes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

import sottovoce as sv
from benchmarks.accuracy import table
from benchmarks.accuracy.markdown import markdown, paragraph
from benchmarks.accuracy.pools import named_stream
from benchmarks.accuracy.round_trip import guaranteed_halfwidth, kinds_assumed, surveyed
from benchmarks.accuracy.store import finished
from benchmarks.accuracy.verdicts import Verdict
from sottovoce.problems.mean import Mean

RESULTS = Path(__file__).with_name("results_smooth.csv")
NAME = "smooth"
SEED = 31
STEP = 1.12
Quantity = Literal["users", "observations", "epsilon"]
RANGES: dict[Quantity, tuple[float, float]] = {"users": (100, 1e6), "observations": (1, 1e5), "epsilon": (0.2, 8.0)}
FIXED: dict[Quantity, tuple[float, ...]] = {
    "users": (100, 300, 1000, 5000, 25_000, 150_000, 1_000_000),
    "observations": (1, 10, 100, 1000, 10_000, 100_000),
    "epsilon": (0.2, 0.5, 1.0, 2.0, 4.0, 8.0),
}
"""Of the two that are not moved."""
RISE, SIMULATED_RISE = 1.03, 1.10
PLACES, REPETITIONS, CLOSER = 30, 400, 1600
"""Where surveys are simulated, how often on either side, and how often again where that does not tell."""
CLEAR = 4.0
"""Standard errors beyond the limit from which a rise needs no second look."""
MOST_USERS = 200_000
"""Of a survey that is simulated."""
FIGURES = ("halfwidth", "error")


@dataclass(frozen=True, kw_only=True)
class Point:
    """What a plan says of one survey."""

    users: int
    observations: int
    epsilon: float
    method: str
    halfwidth: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Rise:
    """The largest rise of one figure in one sweep (``predicted``), or around one place (``simulated``).

    `start` and `stop` are the values of the quantity that is moved: where the figure was lowest, and where it was
    highest above that; of a place, the two sides.
    """

    kind: str
    quantity: str
    figure: str
    users: int
    observations: int
    epsilon: float
    """The one that is moved: where the sweep begins."""
    start: float
    stop: float
    methods: str
    """At both."""
    rise: float
    """The later figure over the earlier one: above 1 where more is worse."""
    rise_se: float
    repetitions: int
    seed: int
    switches: int
    """How often the method changes in the sweep."""

    @property
    def name(self) -> str:
        fixed = {"users": f"n = {self.users:,}", "observations": f"T = {self.observations:,}"}
        fixed["epsilon"] = f"ε = {self.epsilon:g}"
        moved = {"users": "n", "observations": "T", "epsilon": "ε"}[self.quantity]
        rest = ", ".join(words for name, words in fixed.items() if name != self.quantity)
        return f"{moved} {self.start:,g} → {self.stop:,g} ({rest}; {self.methods})"


def point(setting: tuple[int, int, float]) -> Point:
    """The guaranteed half-width and the error that a plan of this survey tells."""
    users, observations, epsilon = setting
    plan = sv.plan(survey(users, observations, epsilon))
    return Point(
        users=users,
        observations=observations,
        epsilon=epsilon,
        method=plan.method,
        halfwidth=guaranteed_halfwidth(plan),
        error=plan.prediction.rmse,
    )


def survey(users: int, observations: int, epsilon: float) -> Mean:
    """Nothing chosen but the sizes."""
    return Mean(low=-1.0, high=1.0, users=users, observations=observations, epsilon=epsilon)


def values(quantity: Quantity) -> list[float]:
    """From the lowest to the highest by steps of 12 %; whole numbers once each."""
    low, high = RANGES[quantity]
    steps = low * STEP ** np.arange(math.ceil(math.log(high / low) / math.log(STEP)))
    found = [*steps.tolist(), float(high)]
    return [round(one, 6) for one in found] if quantity == "epsilon" else sorted({float(round(one)) for one in found})


def sweeps() -> Iterator[tuple[Quantity, list[tuple[int, int, float]]]]:
    """Which quantity is moved, and the settings of a sweep."""
    for quantity in RANGES:
        others = [name for name in RANGES if name != quantity]
        for first in FIXED[others[0]]:
            for second in FIXED[others[1]]:
                made = []
                for value in values(quantity):
                    at = {quantity: value, others[0]: first, others[1]: second}
                    made.append((int(at["users"]), int(at["observations"]), float(at["epsilon"])))
                yield quantity, made


def largest_rise(quantity: Quantity, points: Sequence[Point], figure: str) -> Rise:
    """Of a figure above the lowest that came before it."""
    found = [getattr(one, figure) for one in points]
    lowest, worst, pair = 0, 0.0, (0, 0)
    for place in range(1, len(found)):
        rise = found[place] / found[lowest]
        if rise > worst:
            worst, pair = rise, (lowest, place)
        if found[place] <= found[lowest]:
            lowest = place
    earlier, later = (points[place] for place in pair)
    return Rise(
        kind="predicted",
        quantity=quantity,
        figure=figure,
        users=points[0].users,
        observations=points[0].observations,
        epsilon=points[0].epsilon,
        start=float(getattr(earlier, quantity)),
        stop=float(getattr(later, quantity)),
        methods=f"{earlier.method} → {later.method}",
        rise=worst,
        rise_se=0.0,
        repetitions=0,
        seed=SEED,
        switches=len(switches(points)),
    )


def switches(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Neighbours between which the method changes."""
    return [(one, other) for one, other in itertools.pairwise(points) if one.method != other.method]


Place = tuple[Quantity, Point, Point]


def places(swept: Sequence[tuple[Quantity, Sequence[Point]]], count: int = PLACES) -> list[Place]:
    """Where to simulate: switches drawn with a fixed seed, and the largest predicted steps where they are too few."""

    def fits(one: Point, other: Point) -> bool:
        return max(one.users, other.users) <= MOST_USERS

    changes = [(quantity, *pair) for quantity, points in swept for pair in switches(points) if fits(*pair)]
    order = named_stream(f"{SEED}/places").permutation(len(changes))
    chosen: list[Place] = [changes[place] for place in order[:count]]
    steps = [
        (quantity, one, other)
        for quantity, points in swept
        for one, other in itertools.pairwise(points)
        if one.method == other.method and fits(one, other)
    ]
    steps.sort(key=lambda step: -max(getattr(step[2], name) / getattr(step[1], name) for name in FIGURES))
    return chosen + steps[: count - len(chosen)]


def swept(task: tuple[Quantity, int, int, float]) -> list[Point]:
    """All points of the sweep that begins here."""
    return next([point(setting) for setting in sweep] for quantity, sweep in sweeps() if (quantity, *sweep[0]) == task)


def simulated(task: tuple[Any, ...]) -> list[Rise]:
    """Surveys on both sides of a place, of users as a plan assumes; fresh ones where a rise may be above its limit."""
    place: Place = (task[0], point(task[1:4]), point(task[4:7]))
    found = _both_sides(place, REPETITIONS, "base")
    if any(SIMULATED_RISE < one.rise < SIMULATED_RISE + CLEAR * one.rise_se for one in found):
        return _both_sides(place, CLOSER, "fresh")
    return found


def _both_sides(place: Place, repetitions: int, stage: str) -> list[Rise]:
    quantity, *sides = place
    stream = named_stream(f"{SEED}/{stage}/{place}")
    found = []
    for side in sides:
        settings = survey(side.users, side.observations, side.epsilon)
        kinds = kinds_assumed(sv.plan(settings))
        halves, squares = [], []
        for turn in range(repetitions):
            kind = kinds[turn % len(kinds)]
            answer = surveyed(settings, kind.draw(stream), stream)
            halves.append(answer.halfwidth)
            squares.append((answer.value - kind.truth) ** 2)
        found.append((np.array(halves), np.array(squares)))
    (half, square), (later_half, later_square) = found
    rises = {
        "halfwidth": (later_half.mean() / half.mean(), _relative(later_half, half)),
        "error": (math.sqrt(later_square.mean() / square.mean()), _relative(later_square, square) / 2),
    }
    return [
        Rise(
            kind="simulated",
            quantity=quantity,
            figure=figure,
            users=sides[0].users,
            observations=sides[0].observations,
            epsilon=sides[0].epsilon,
            start=float(getattr(sides[0], quantity)),
            stop=float(getattr(sides[1], quantity)),
            methods=f"{sides[0].method} → {sides[1].method}",
            rise=float(rise),
            rise_se=float(rise * error),
            repetitions=repetitions,
            seed=SEED,
            switches=int(sides[0].method != sides[1].method),
        )
        for figure, (rise, error) in rises.items()
    ]


def _relative(later: Any, earlier: Any) -> float:
    """The relative standard error of a ratio of two means."""
    return math.hypot(*(one.std(ddof=1) / one.mean() / math.sqrt(len(one)) for one in (later, earlier)))


def measured(workers: int, *, accept_older: bool) -> list[Rise]:
    """All sweeps, then the places."""
    run = partial(finished, workers=workers, accept_older=accept_older)
    tasks = [(quantity, *sweep[0]) for quantity, sweep in sweeps()]
    points = run("smooth-predicted", swept, tasks, Point)
    made = [(task[0], found) for task, found in zip(tasks, points, strict=True)]
    found = [largest_rise(quantity, sweep, figure) for quantity, sweep in made for figure in FIGURES]
    sides = [
        (quantity, *(side for one in pair for side in (one.users, one.observations, one.epsilon)))
        for quantity, *pair in places(made)
    ]
    return found + [rise for pair in run("smooth-simulated", simulated, sides, Rise) for rise in pair]


def verdicts(rises: Sequence[Rise]) -> list[Verdict]:
    """Item 6."""
    made = []
    words = {"halfwidth": "half-width of the guaranteed interval", "error": "error"}
    for kind, limit in (("predicted", RISE), ("simulated", SIMULATED_RISE)):
        for figure in FIGURES:
            held = [one for one in rises if (one.kind, one.figure) == (kind, figure)]
            worst = max(held, key=lambda one: one.rise, default=None)
            above = sum(one.rise > limit for one in held)
            of = "sweeps" if kind == "predicted" else "places around a switch of method"
            made.append(
                Verdict(
                    item=6,
                    words=f"{kind} {words[figure]} where n, T or ε grows, {len(held)} {of}",
                    aim=f"rises by at most {limit - 1:.0%}",
                    found="" if worst is None else f"more in {above}; largest {worst.rise - 1:+.0%}: {worst.name}",
                    passed=not above if held else None,
                    close=worst is not None and abs(worst.rise - limit) < 2 * worst.rise_se,
                )
            )
    return made


def section(rises: Sequence[Rise]) -> list[str]:
    """Of the page."""
    if not rises:
        return []
    lines = []
    for quantity, letter in (("users", "n"), ("observations", "T"), ("epsilon", "ε")):
        held = [one for one in rises if (one.kind, one.quantity) == ("predicted", quantity)]
        by = {figure: [one for one in held if one.figure == figure] for figure in FIGURES}
        low, high = RANGES[quantity]  # type: ignore[index]  # the three that there are
        lines.append(
            (
                f"{letter} from {low:,g} to {high:,g}",
                str(len(by["error"])),
                str(sum(one.switches for one in by["error"])),
                *(
                    f"{max(one.rise for one in own) - 1:+.0%} ({sum(one.rise > RISE for one in own)})"
                    for own in by.values()
                ),
            )
        )
    worst = sorted((one for one in rises if one.rise > _limit(one)), key=lambda one: -one.rise / _limit(one))[:12]
    said = [(one.name, one.kind, one.figure, f"{one.rise - 1:+.0%}" + _error(one)) for one in worst]
    return [
        "## Whether more is ever worse",
        "",
        *paragraph(
            f"""
            One of n, T and ε is moved by steps of {STEP - 1:.0%}, the others over a grid. A rise is that of a
            figure above the lowest that came before it in the sweep. Half-widths are those of the guaranteed
            interval that a plan tells, errors those that it predicts. Then surveys are simulated on both sides
            of places where the method changes.
            """
        ),
        *markdown(
            ("moved", "sweeps", "switches of method", "largest rise of the half-width (sweeps above)", "of the error"),
            lines,
        ),
        *(markdown(("largest rises above their limit", "", "of", "rise"), said) if said else []),
    ]


def _limit(one: Rise) -> float:
    return RISE if one.kind == "predicted" else SIMULATED_RISE


def _error(one: Rise) -> str:
    return f" ± {one.rise_se:.0%}" if one.rise_se else ""


def carry_out(*, workers: int, accept_older: bool = False) -> None:
    """Measure, and write the table."""
    table.write(measured(workers, accept_older=accept_older), RESULTS)


def read() -> list[Any]:
    """The committed table; nothing where none was written."""
    return table.read(RESULTS, Rise) if RESULTS.exists() else []
