"""Which surveys are run: cells of the grid, methods, and the claims that decide how often."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchmarks.accuracy.populations import GRID, POPULATIONS, REAL, Population
from sottovoce.problems import choose
from sottovoce.problems.mean import Mean

USERS = (300, 1000, 5000, 50_000)
OBSERVATIONS = (20, 100, 1000)
EPSILONS = (0.5, 1.0, 2.0, 4.0)
METHODS: dict[str, dict[str, Any]] = {
    "one-round": {"method": "one-round"},
    "paper": {"method": "paper"},
    "homogeneous": {"method": "homogeneous"},
    "adaptive": {"method": "adaptive"},
    "adaptive, high caution": {"method": "adaptive", "caution": "high"},
    "adaptive, low caution": {"method": "adaptive", "caution": "low"},
    "auto": {"method": "auto"},
}
"""What is compared; those that the registry has are run."""
BESIDES = ("adaptive, high caution", "adaptive, low caution")
"""Run for their error only, less often, and with 100 observations only (and on the real data)."""
ASSERTED = ("homogeneous", "paper")
"""Their interval is a model's, which the caller asserted; that of the others is guarded."""


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
            **METHODS[method],
        )


def grid() -> list[Cell]:
    """All cells, population by population, and the real data at their own size."""
    made = [
        Cell(population.name, users, observations, epsilon)
        for population in GRID
        for users in USERS
        for observations in OBSERVATIONS
        for epsilon in EPSILONS
    ]
    return made + [Cell(REAL.name, 2972, 25, epsilon) for epsilon in EPSILONS]


def fixed_cells() -> list[Cell]:
    """Sixty cells that are always run 400 times: one of each population and number of users, T and ε in turn."""
    block = len(OBSERVATIONS) * len(EPSILONS)
    made = grid()[: len(GRID) * len(USERS) * block]
    return [made[block * turn + 5 * turn % block] for turn in range(len(made) // block)]


def compared(cell: Cell) -> bool:
    """Whether all cautions are run: with 100 observations, and on the real data."""
    return cell.observations == 100 or cell.population == REAL.name


def methods_of(cell: Cell) -> list[str]:
    """What the registry has; `homogeneous` only where its model holds."""
    known = Mean.problem.method_names
    return [
        name
        for name, options in METHODS.items()
        if options["method"] in known
        and (name != "homogeneous" or cell.of.kind == "alike")
        and (name not in BESIDES or compared(cell))
    ]


@lru_cache(maxsize=4096)
def runs_as(cell: Cell, method: str) -> str:
    """The method whose runs speak for this one: what `auto` chooses, where that is run anyway."""
    if method != "auto":
        return method
    chosen = choose(cell.settings("auto")).settings
    same = (name for name in methods_of(cell) if name not in ("auto", *BESIDES) and cell.settings(name) == chosen)
    return next(same, "auto")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """An interval of a method covers at least so often, in every cell where it applies."""

    item: int
    method: str
    interval: str
    """``"headline"`` or ``"model"``."""
    level: float
    words: str
    applies: Callable[[Cell], bool]
    rerun: bool = True


RARER = {"Bernoulli .03": 0.03, "beta-binomial .02": 0.02}
"""The share of the rarer answer, where it is rare: with few observations users are not bell-shaped."""


def _named(cell: Cell) -> bool:
    """The sentence of the model interval: users around one place, bell-shaped, no group of them elsewhere."""
    return not cell.of.grouped and cell.observations * RARER.get(cell.population, 1.0) >= 3


CLAIMS = (
    Claim(
        item=1,
        method="homogeneous",
        interval="model",
        level=0.93,
        words="intervals of homogeneous, users alike, n·min(ε,ε²) ≥ 300",
        applies=lambda cell: cell.of.kind == "alike" and cell.strong,
    ),
    Claim(
        item=3,
        method="adaptive",
        interval="headline",
        level=0.94,
        words="guarded intervals of adaptive, all populations",
        applies=lambda cell: True,
    ),
    Claim(
        item=3,
        method="one-round",
        interval="headline",
        level=0.94,
        words="guarded intervals of one-round, all populations",
        applies=lambda cell: True,
    ),
    *(
        Claim(
            item=3,
            method=method,
            interval="headline",
            level=0.94,
            words=f"guarded intervals of {method}, all populations",
            applies=lambda cell: True,
            rerun=False,
        )
        for method in BESIDES
    ),
    Claim(
        item=3,
        method="adaptive",
        interval="model",
        level=0.93,
        words="model intervals of adaptive, one bell-shaped group (T·min(p, 1−p) ≥ 3), no clusters and far groups",
        applies=_named,
    ),
    Claim(
        item=4,
        method="auto",
        interval="headline",
        level=0.94,
        words="the default answer, all populations and InstEval",
        applies=lambda cell: True,
    ),
)


def claims_on(cell: Cell, method: str) -> Iterator[Claim]:
    """The claims that runs of this method in this cell speak to, `auto`'s included where they run as this."""
    for claim in CLAIMS:
        if claim.applies(cell) and claim.method in methods_of(cell) and runs_as(cell, claim.method) == method:
            yield claim
