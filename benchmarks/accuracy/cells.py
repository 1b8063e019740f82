"""Which surveys are run: cells of the grid, methods, and the claims that decide how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.accuracy.populations import GRID, POPULATIONS, REAL, Population
from benchmarks.accuracy.reference import ONE_ROUND, OneRound
from sottovoce.problems.mean import Mean

USERS = (300, 1000, 5000, 50_000)
OBSERVATIONS = (20, 100, 1000)
EPSILONS = (0.5, 1.0, 2.0, 4.0)
METHODS = ("one-round", "paper", "homogeneous", "adaptive", "auto")
"""Surveys that can be run one by one, besides today's one round."""
AGAINST_PAPER = (ONE_ROUND, "paper", "homogeneous")
"""What the committed table of methods compares."""
ASSERTED = ("homogeneous", "paper")
"""Their interval is a model's, which the caller asserted; that of the others is guaranteed."""


@dataclass(frozen=True, order=True)
class Cell:
    """One survey: so many users of a population with so many observations, and a budget."""

    population: str
    users: int
    observations: int
    epsilon: float

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.population, self.users, self.observations, self.epsilon)

    @property
    def of(self) -> Population:
        return POPULATIONS[self.population]

    @property
    def strength(self) -> float:
        """n·min(ε, ε²): below a few hundred nothing can be localised."""
        return self.users * min(self.epsilon, self.epsilon**2)

    @property
    def strong(self) -> bool:
        return self.strength >= 300

    def settings(self, method: str) -> Mean:
        """As a survey, with nothing chosen but the method."""
        return Mean(
            epsilon=self.epsilon,
            users=self.users,
            low=-1.0,
            high=1.0,
            observations=self.observations,
            method=method,
        )

    @property
    def reference(self) -> OneRound:
        """Today's one round, with as many users."""
        return OneRound(epsilon=self.epsilon, users=self.users)


def _every(population: Population) -> Iterator[Cell]:
    for users in USERS:
        for observations in OBSERVATIONS:
            for epsilon in EPSILONS:
                yield Cell(population.name, users, observations, epsilon)


FEW_OR_MANY = ("uniform", "ratings", "InstEval-like", "clusters 80:20")
"""Run with one observation, five, and ten thousand."""


def grid() -> list[Cell]:
    """All cells of the default, population by population, and the real data at their own size."""
    made = [cell for population in GRID for cell in _every(population)]
    made += [
        Cell(name, users, observations, epsilon)
        for name in FEW_OR_MANY
        for observations in (1, 5, 10_000)
        for users in (1000, 50_000)
        for epsilon in (1.0, 4.0)
    ]
    made += [Cell(REAL.name, 2972, 25, epsilon) for epsilon in EPSILONS]
    return made + [one.cell for one in MEASURED if one.cell not in set(made)]


def cells_against_paper() -> list[Cell]:
    """All cells of the methods one by one."""
    made = [cell for population in GRID if population.against_paper for cell in _every(population)]
    return made + [Cell(REAL.name, 2972, 25, epsilon) for epsilon in EPSILONS]


def fixed_cells(populations: Sequence[Population]) -> list[Cell]:
    """Always run more often, or by more methods: one of each population and number of users, T and ε in turn."""
    block = len(OBSERVATIONS) * len(EPSILONS)
    made = [cell for population in populations for cell in _every(population)]
    sizes = len(USERS)  # each population begins at another T and ε, so that a size does not always meet the same ε
    return [made[block * turn + (5 * turn + turn // sizes) % block] for turn in range(len(made) // block)]


def methods_of(cell: Cell) -> list[str]:
    """Of the methods one by one; `homogeneous` only where its model holds."""
    return [name for name in AGAINST_PAPER if name != "homogeneous" or cell.of.kind == "alike"]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What a prototype reached in a cell: half-width and squared error over one round's, with standard errors."""

    cell: Cell
    split: tuple[float, float, float, float]
    """With the last round split by slots: width, its standard error, squared error, its standard error."""
    table: tuple[float, float, float, float] | None = None
    """With the last round through one table."""


def _measured(
    population: str, users: int, observations: int, epsilon: float, split: _Four, table: _Four | None = None
) -> Measured:
    return Measured(cell=Cell(population, users, observations, epsilon), split=split, table=table)


_Four = tuple[float, float, float, float]
MEASURED = (
    _measured("InstEval", 2972, 22, 1.0, (0.948, 0.012, 0.464, 0.069), (0.996, 0.013, 0.33, 0.05)),
    _measured("InstEval", 2972, 22, 4.0, (1.047, 0.003, 0.911, 0.127), (1.046, 0.003, 0.69, 0.10)),
    _measured("uniform", 1000, 100, 1.0, (0.733, 0.018, 0.061, 0.015), (0.782, 0.016, 0.070, 0.019)),
    _measured("uniform", 5000, 100, 1.0, (0.677, 0.016, 0.056, 0.018), (0.697, 0.013, 0.049, 0.017)),
    _measured("uniform", 5000, 100, 4.0, (0.558, 0.013, 0.037, 0.006), (0.504, 0.010, 0.057, 0.022)),
    _measured("uniform", 300, 100, 1.0, (0.863, 0.021, 0.188, 0.048)),
    _measured("uniform", 300, 1000, 2.0, (0.641, 0.018, 0.046, 0.025)),
    _measured("lognormal T", 5000, 100, 1.0, (0.857, 0.013, 0.140, 0.021)),
    _measured("InstEval-like", 5000, 100, 1.0, (0.972, 0.010, 0.385, 0.054), (1.041, 0.011, 0.55, 0.09)),
    _measured("normal means", 5000, 50, 2.0, (0.858, 0.013, 0.323, 0.050)),
    _measured("1 % far away", 5000, 100, 1.0, (0.807, 0.013, 0.316, 0.041), (0.825, 0.013, 0.16, 0.02)),
    _measured("6 % far away", 2000, 100, 1.0, (1.012, 0.013, 1.478, 0.166)),
    _measured("5 % far away", 5000, 100, 1.0, (1.002, 0.009, 1.977, 0.224), (1.054, 0.008, 2.0, 0.24)),
    _measured("clusters 80:20", 5000, 100, 1.0, (1.090, 0.008, 1.354, 0.213)),
    _measured("clusters 50:50", 1000, 100, 2.0, (1.086, 0.005, 1.212, 0.180)),
)
"""200 repetitions each. The design was corrected afterwards, which made it wider where users are in camps."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """An interval of a method covers at least so often, in every cell where it applies."""

    method: str
    interval: str
    """``"headline"`` or ``"model"``."""
    level: float
    words: str
    applies: Callable[[Cell], bool]


CLAIM = Claim(
    method="homogeneous",
    interval="model",
    level=0.93,
    words="intervals of homogeneous, users alike, n·min(ε,ε²) ≥ 300",
    applies=lambda cell: cell.of.kind == "alike" and cell.strong,
)
"""The only promise about the methods one by one; those of the default are in `promises`."""
