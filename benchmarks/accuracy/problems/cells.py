"""What is run: a benchmark a problem, its populations and cells, written down before its methods were tuned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from benchmarks.accuracy.pools import Floats, Pool, Stream, named_stream
from sottovoce.baselines import baselines
from sottovoce.messages import InvalidInput, Malformed
from sottovoce.problems import choose, named
from sottovoce.trials import every_method, survey

EPSILONS = (1.0, 2.0, 4.0)
POOL = 2**15
"""Users of a pool; a survey may ask more, since they are drawn with replacement."""
HELD_OUT_SEED, DRAWN = 20270209, 8
"""Populations that nothing is tuned on, of every problem: all their parameters are drawn."""

Kind = Literal["alike", "differing", "camps", "far"]
Draw = Callable[[Stream, "Shape"], tuple[Pool, Any]]
"""Users, and the truth about them."""


@dataclass(frozen=True)
class Shape:
    """How many users a pool has, observations each, and categories, coordinates or centres (0: none to count)."""

    users: int
    observations: int
    size: int


@dataclass(frozen=True, kw_only=True)
class Population:
    """`declares`: what a survey of these users says about them. `of` groups names in tables."""

    name: str
    kind: Kind
    draw: Draw
    declares: dict[str, Any] = field(default_factory=dict)
    held_out: bool = False

    @property
    def grouped(self) -> bool:
        return self.kind in ("camps", "far")


@dataclass(frozen=True, order=True)
class Cell:
    """One survey."""

    problem: str
    population: str
    size: int
    users: int
    observations: int
    epsilon: float

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.problem, self.population, self.size, self.users, self.observations, self.epsilon)

    @property
    def of(self) -> Population:
        return benchmark(self.problem).populations[self.population]

    def settings(self) -> dict[str, Any]:
        """What is declared, all but the method."""
        made = benchmark(self.problem).declared(self) | self.of.declares
        return {"epsilon": self.epsilon, "users": self.users} | made

    def survey(self, method: str) -> Any:
        """As a survey with nothing chosen but the method, or as a baseline."""
        made = survey(named(self.problem), method, self.settings())
        return choose(made) if hasattr(made, "problem") else made

    @property
    def words(self) -> str:
        return f"{self.problem}, {self.place}"

    @property
    def place(self) -> str:
        """The same where the problem is known."""
        made = benchmark(self.problem)
        size = f", {made.letter} = {self.size}" if self.size else ""
        held = f", T = {self.observations:,}" if self.observations else ""
        return f"{self.population}{size}, n = {self.users:,}{held}, ε = {self.epsilon:g}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Marks:
    """One answer against the truth. Intervals that an answer does not have are None.

    `each`: which of the intervals held their own number; `all`: whether those that promise it held all at once.
    """

    errors: Floats
    """Squared, a part each; together the squared error."""
    each: np.ndarray[Any, np.dtype[np.bool_]] | None = None
    all: bool | None = None
    halfwidth: float = float("nan")
    model_each: np.ndarray[Any, np.dtype[np.bool_]] | None = None
    model_all: bool | None = None
    model_halfwidth: float = float("nan")
    whole_each: np.ndarray[Any, np.dtype[np.bool_]] | None = None
    """Of what an answer only shows smoothed: a density itself, where it is as smooth as its band assumes."""
    whole_all: bool | None = None
    whole_halfwidth: float = float("nan")


@dataclass(frozen=True, kw_only=True, eq=False)
class Benchmark:
    """A problem: `ours` is the method that promises, `others` what it is compared with, baselines included."""

    name: str
    populations: dict[str, Population]
    cells: tuple[Cell, ...]
    others: tuple[str, ...]
    declared: Callable[[Cell], dict[str, Any]]
    marks: Callable[[Any, Any], Marks]
    ours: str = "adaptive"
    letter: str = "d"
    """What the size of a cell is called."""
    modelled: Callable[[Cell], bool] = lambda cell: not cell.of.grouped
    """Where the sentence of the model intervals says that they hold: most assume that users form one group."""
    room: str = ""
    """The folder of the problem, where that is not its name."""
    skipped: Callable[[Cell, str], bool] = lambda cell, method: False
    """Methods that are too slow in a cell, where nothing is promised about them."""

    @property
    def known(self) -> bool:
        """Whether the registry has the problem."""
        try:
            return self.ours in every_method(named(self.name))
        except InvalidInput:
            return False


def baselines_of(problem: str) -> tuple[str, ...]:
    """What the field would do, by name."""
    return tuple(one.name for one in baselines() if one.problem == problem)


def benchmark(name: str) -> Benchmark:
    """By name."""
    from benchmarks.accuracy.problems.registry import BENCHMARKS

    return BENCHMARKS[name]


@lru_cache(maxsize=3)
def users_of(problem: str, population: str, size: int, observations: int) -> tuple[Pool, Any]:
    """The users of a population and the truth about them, the same in every process."""
    stream = named_stream(f"{problem}/{population}/{size}/{observations}")
    shape = Shape(POOL, observations, size)
    return benchmark(problem).populations[population].draw(stream, shape)


def methods_of(cell: Cell) -> list[str]:
    """What is run in a cell: the default, ours and the others, as far as there are such and they can be."""
    made = benchmark(cell.problem)
    if not made.known:
        return []
    names = [name for name in ("auto", made.ours, *made.others) if name in every_method(named(cell.problem))]
    return [name for name in names if not made.skipped(cell, name) and _possible(cell, name)]


@lru_cache(maxsize=8192)
def _possible(cell: Cell, method: str) -> bool:
    try:
        cell.survey(method)
    except (InvalidInput, Malformed):
        return False
    return True


@lru_cache(maxsize=8192)
def runs_as(cell: Cell, method: str) -> str:
    """The method whose runs speak for this one: what `auto` chooses, where that is run anyway."""
    if method != "auto":
        return method
    chosen = cell.survey("auto").settings
    own = named(cell.problem).method_names
    same = (name for name in methods_of(cell) if name != "auto" and name in own)
    return next((name for name in same if cell.survey(name).settings == chosen), "auto")


def ends_of(intervals: Any) -> Floats | None:
    """Intervals as an array; None where there are none."""
    return None if intervals is None or not len(intervals) else np.asarray(intervals, dtype=np.float64)


def held(ends: Floats | None, truth: Floats) -> np.ndarray[Any, np.dtype[np.bool_]] | None:
    """Which intervals hold their number, to rounding."""
    if ends is None:
        return None
    slack = 1e-12 * (1 + np.abs(truth))
    return np.asarray((ends[:, 0] <= truth + slack) & (truth - slack <= ends[:, 1]))


def half(ends: Floats | None) -> float:
    """Half the width of an interval, on average."""
    return float("nan") if ends is None else float((ends[:, 1] - ends[:, 0]).mean() / 2)


def vector_marks(value: Floats, answer: Any, truth: Floats) -> Marks:
    """Of an answer with a number and intervals for each of several things."""
    ends, joint = ends_of(answer.intervals), ends_of(getattr(answer, "simultaneous", None))
    model, model_joint = (ends_of(getattr(answer, f"model_{name}", None)) for name in ("intervals", "simultaneous"))
    together, model_together = held(joint, truth), held(model_joint, truth)
    return Marks(
        errors=(value - truth) ** 2,
        each=held(ends, truth),
        all=None if together is None else bool(together.all()),
        halfwidth=half(ends),
        model_each=held(model, truth),
        model_all=None if model_together is None else bool(model_together.all()),
        model_halfwidth=half(model),
    )
