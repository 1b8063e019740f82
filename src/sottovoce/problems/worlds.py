"""Made-up users, as plain arrays, and the truth that an answer is held against."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, Flags, Floats, Integers, Interval, InvalidInput
from sottovoce.problems.fields import Help

FORMS = "uniform, rademacher (the two ends, evenly), beta:A,B or bernoulli:P (the high end with chance P)"
_PARAMETERS = {"uniform": 0, "rademacher": 0, "beta": 2, "bernoulli": 1}


def made_up(code: str, settings: Any, **more: Any) -> Fact:
    """What made-up users are: how many are drawn, how much each of them holds, and what else there is to say."""
    return Fact(code, users=settings.users, observations=settings.observations, **more)


@dataclass(frozen=True, kw_only=True)
class Score:
    """One answer against the truth: the squared error, and the share of its intervals that hold the truth."""

    squared_error: float
    covered: float | None
    figures: dict[str, float] = field(default_factory=dict)
    """Further figures, averaged over the repetitions that have them; `World.figures` says how they are shown."""


class Figure(NamedTuple):
    """How a further figure of a score is told, by codes of the catalogue: its label, its number, what it means."""

    label: str
    number: str
    means: str

    def shown(self, value: float) -> Fact:
        """The number alone."""
        return Fact(self.number, value=value)

    def told(self, value: float, error: float | None) -> Fact:
        """The number with its standard error, and what it means."""
        return Fact(self.means, figure=with_error(self.shown(value), error))


def with_error(number: Fact, error: float | None) -> Fact:
    """A number that came of repetitions, and its standard error, where it has one that is not rounding."""
    code = "figure-share" if number.code == "figure-share" else "figure-give"
    told = error is not None and error > 1e-12 * abs(number["value"])
    return Fact("figure-with-error", number=number, error=Fact(code, value=error) if told else None)


@dataclass(frozen=True, kw_only=True)
class World(ABC):
    """Made-up users: `settings`, the survey that asks, and options that carry help as settings do."""

    error: ClassVar[Fact]
    """What the error is."""
    figures: ClassVar[dict[str, Figure]]
    """How the further figures of a score are told."""

    settings: Any

    @property
    @abstractmethod
    def words(self) -> Fact:
        """What the users are."""

    @property
    @abstractmethod
    def truth(self) -> Any:
        """What an answer should say, as plain data."""

    @property
    def numbers_per_draw(self) -> int:
        """How many numbers a draw holds."""
        return int(self.settings.users * self.settings.observations * getattr(self.settings, "dimension", 1))

    @abstractmethod
    def draw(self, stream: np.random.Generator) -> NDArray[Any]:
        """Observations of all users: ``(n, T)`` or ``(n, T, d)``."""

    @staticmethod
    @abstractmethod
    def score(answer: Any, truth: Any) -> Score:
        """How far an answer lies from the truth, and whether its intervals hold it."""

    @staticmethod
    def truth_from_means(means: Floats) -> Any:
        """The truth about given users, from the mean of each ``(n, d)``; None where means do not tell it."""
        return None


def intervals_hold(intervals: Sequence[Interval], truth: Floats, *, slack: float = 0.0) -> Flags:
    """Which intervals hold their truth, but for `slack`."""
    ends = np.array(intervals)
    return np.asarray((ends[:, 0] <= truth + slack) & (truth <= ends[:, 1] + slack))


def model_figures(intervals: Sequence[Interval] | None, truth: Floats, *, slack: float = 0.0) -> dict[str, float]:
    """Half the width of intervals under a model, on average, and the share of them that hold; nothing without any."""
    if not intervals:
        return {}
    low, high = np.array(intervals).T
    coverage = float(intervals_hold(intervals, truth, slack=slack).mean())
    return {"model_halfwidth": float((high - low).mean() / 2), "model_coverage": coverage}


def numbers_by_user(people: Any) -> tuple[Floats, Integers, Integers]:
    """The numbers that given users hold, whose each is, and how many each user has; NaN is none."""
    numbers, sizes = people.values[:, 0].astype(np.float64), np.diff(people.offsets)
    known = ~np.isnan(numbers)
    whose = np.repeat(np.arange(len(sizes)), sizes)[known]
    return numbers[known], whose, np.bincount(whose, minlength=len(sizes))


@dataclass(frozen=True, kw_only=True)
class Distribution:
    """A law on [0, 1], to be stretched over the declared range."""

    name: str
    parameters: tuple[float, ...] = ()

    @classmethod
    def read(cls, text: str) -> Distribution:
        """Read a law as it is written: ``beta:2,5``."""
        name, _, rest = text.strip().lower().partition(":")
        try:
            parameters = tuple(float(part) for part in rest.split(",")) if rest else ()
        except ValueError:
            parameters = (math.nan,)
        if _PARAMETERS.get(name) != len(parameters) or not _usable(name, parameters):
            raise InvalidInput("distribution:", fix=f"wanted {FORMS}; A and B above 0, P from 0 to 1")
        return cls(name=name, parameters=parameters)

    @property
    def mean(self) -> float:
        """The mean on [0, 1]."""
        match self.name:
            case "beta":
                first, second = self.parameters
                return first / (first + second)
            case "bernoulli":
                return self.parameters[0]
            case _:
                return 0.5

    def draw(self, stream: np.random.Generator, shape: tuple[int, int]) -> Floats:
        """Independent draws on [0, 1]."""
        match self.name:
            case "uniform":
                return stream.random(shape)
            case "beta":
                first, second = self.parameters
                return stream.beta(first, second, size=shape)
            case _:  # two ends
                return (stream.random(shape) < self.mean).astype(float)

    def __str__(self) -> str:
        return self.name + (":" + ",".join(f"{value:g}" for value in self.parameters) if self.parameters else "")


def _usable(name: str, parameters: tuple[float, ...]) -> bool:
    if name == "bernoulli":
        return 0 <= parameters[0] <= 1
    return all(0 < value < 1e6 for value in parameters)


def check_spread(spread: float) -> None:
    """Refuse what no standard deviation is."""
    if not 0 <= spread < math.inf:
        raise InvalidInput(rule="spread must be 0 or more, in units of the observations", wrong=f"got {spread:g}")


@dataclass(frozen=True, kw_only=True)
class UsersOfOneLaw(World):
    """Users who each draw from one distribution, the observations of each shifted together."""

    distribution: Annotated[str, Help(text=f"{FORMS}, on [L, H]", metavar="D")] = "uniform"
    spread: Annotated[
        float, Help(text="standard deviation of the users' own means, in units of the observations", metavar="S")
    ] = 0.0

    def __post_init__(self) -> None:
        check_spread(self.spread)
        _ = self.law

    @cached_property
    def law(self) -> Distribution:
        """The law of an observation, or of a coordinate of one, on [0, 1]."""
        return Distribution.read(self.distribution)


@dataclass(frozen=True, kw_only=True)
class UsersOnRange(UsersOfOneLaw):
    """Users who each draw from one distribution on [low, high]."""

    def words_of_law(self, code: str, *, step: float | None = None) -> Fact:
        """What the users are."""
        settings = self.settings
        return made_up(
            code, settings, law=str(self.law), low=settings.low, high=settings.high, step=step, spread=self.spread
        )

    def observations(self, stream: np.random.Generator) -> Floats:
        """The observations of all users; those who are shifted may leave the range."""
        settings = self.settings
        unit = self.law.draw(stream, (settings.users, settings.observations))
        values = settings.low + (settings.high - settings.low) * unit
        if self.spread:
            values += self.spread * math.sqrt(3) * stream.uniform(-1, 1, size=(settings.users, 1))
        return np.asarray(values)
