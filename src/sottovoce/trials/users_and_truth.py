"""Whom a trial asks, users of a file or made-up ones, and the truth about them, which no survey can look up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.data import collections
from sottovoce.device import Collections, averaged
from sottovoce.engines import People
from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems import Problem, World

LARGEST = 1e300


def has_truth(problem: Problem[Any]) -> bool:
    """Whether the truth about given users can be looked up, so that they can be simulated with."""
    return problem.call.truth is not None or problem.world.truth_from_means(np.zeros((1, 1))) is not None


def why_no_truth(problem: Problem[Any]) -> Fact:
    """Why it cannot."""
    return Fact("truth-not-from-means", problem=problem.name)


def truth_about(problem: Problem[Any], people: People, survey: Any) -> tuple[Any, Fact | None]:
    """The truth, or None and why: what `survey` aims at, about the users who hold something."""
    if not has_truth(problem):
        return None, why_no_truth(problem)
    if problem.call.truth is None:
        means = user_means(people)
        truth = problem.world.truth_from_means(means) if len(means) else None
    elif isinstance(people, Collections):
        truth = problem.call.truth(survey, people)
    else:
        return None, Fact("truth-file-too-long")
    if truth is None or not _is_finite(truth, gaps=problem.call.truth is not None):
        return None, Fact("truth-no-finite-mean")
    return truth, None


def _is_finite(truth: Any, *, gaps: bool) -> bool:
    """Whether all of it is finite; `gaps` where a part that is NaN is one that nobody holds anything of."""
    sizes = np.abs(np.asarray(truth, dtype=np.float64))
    there = sizes[~np.isnan(sizes)] if gaps else sizes
    return bool(len(np.atleast_1d(there)) and np.all(there < LARGEST))


def user_means(people: People) -> NDArray[np.float64]:
    """The mean of every user who holds a number in every column: ``(n, d)``."""
    means = averaged(people) if isinstance(people, Collections) else people.averages()
    return np.asarray(means.values[~np.isnan(means.values).any(axis=1)])


MAX_VALUES = 100_000_000


class Population(Protocol):
    """Users, and the truth that an answer is held against."""

    @property
    def truth(self) -> Any: ...

    @property
    def words(self) -> Fact:
        """What the users are, and what the truth is."""
        ...

    @property
    def notes(self) -> tuple[Fact, ...]: ...

    def draw(self, *, seed: int, repetition: int) -> Collections:
        """The users of one repetition."""
        ...


def stream(seed: int, repetition: int) -> np.random.Generator:
    """What made-up users are drawn from; 0 and 1 are the engine's."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repetition, 2))))


@dataclass(frozen=True, kw_only=True)
class MadeUp:
    """The users of a problem's world."""

    world: World

    def __post_init__(self) -> None:
        if self.world.numbers_per_draw > MAX_VALUES:
            raise InvalidInput(
                f"{self.world.numbers_per_draw:,} values are too many to make up; at most {MAX_VALUES:,}"
            )

    @property
    def truth(self) -> Any:
        return self.world.truth

    @property
    def words(self) -> Fact:
        return self.world.words

    @property
    def notes(self) -> tuple[Fact, ...]:
        return ()

    def draw(self, *, seed: int, repetition: int) -> Collections:
        return collections(self.world.draw(stream(seed, repetition)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Observed:
    """The users of a file; the truth is what their own means say."""

    name: str
    people: Collections
    observations: int
    truth: Any
    notes: tuple[Fact, ...] = ()

    @classmethod
    def of(
        cls, problem: Problem[Any], people: Collections, *, name: str, observations: int, survey: Any = None
    ) -> Observed:
        """Look the truth up, as no survey can; where means do not tell it, with the settings of the survey."""
        if not has_truth(problem):
            raise InvalidInput(str(why_no_truth(problem)))
        truth, why = truth_about(problem, people, survey)
        if why is not None:
            raise InvalidInput(
                f"{name!r} has no finite mean, so there is no truth to compare with",
                fix=f"repair the file, or use sotto estimate {problem.name}, which can do without",
            )
        return cls(name=name, people=people, observations=observations, truth=truth)

    def outside(self, low: Any, high: Any) -> Observed:
        """With a note when users' means lie outside the declared range."""
        means = user_means(self.people)
        share = float(((means < np.asarray(low)) | (means > np.asarray(high))).any(axis=1).mean())
        if not share:
            return self
        return replace(self, notes=(Fact("observed-users-outside", share=share),))

    @property
    def words(self) -> Fact:
        return Fact("observed-users", name=self.name, users=self.people.users, observations=self.observations)

    def draw(self, *, seed: int, repetition: int) -> Collections:
        return self.people
