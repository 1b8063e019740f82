"""Whom a simulation asks: the users of a file, the same in every repetition, or made-up ones, drawn afresh."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sottovoce.cli.distributions import Distribution
from sottovoce.cli.terminal import count
from sottovoce.device import Collections
from sottovoce.functions.common import typical
from sottovoce.messages import InvalidInput

MAX_VALUES = 100_000_000
LARGEST_TRUTH = 1e300


class Population(Protocol):
    """Users, and the truth that an estimate is held against."""

    @property
    def users(self) -> int: ...

    @property
    def observations(self) -> int: ...

    @property
    def truth(self) -> float: ...

    @property
    def words(self) -> str:
        """What the users are, and what the truth is."""
        ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    def draw(self, *, seed: int, repetition: int) -> Collections:
        """The users of one repetition."""
        ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class MadeUp:
    """Users who each draw `observations` times from one distribution on [low, high].

    `spread` is the standard deviation by which the users' own means differ: each user's observations are shifted
    together, evenly within ±√3·spread.
    """

    users: int
    observations: int
    distribution: Distribution
    low: float
    high: float
    spread: float = 0.0

    def __post_init__(self) -> None:
        if self.users * self.observations > MAX_VALUES:
            raise InvalidInput(
                f"{self.users:,} users with {self.observations:,} observations each are too many values to make up; "
                f"at most {MAX_VALUES:,}"
            )
        if not 0 <= self.spread < math.inf:
            raise InvalidInput(f"spread must be 0 or more, in units of the observations; got {self.spread:g}")

    @property
    def truth(self) -> float:
        return self.low + (self.high - self.low) * self.distribution.mean

    @property
    def words(self) -> str:
        held = f"{count(self.users, 'made-up user')} with {count(self.observations, 'observation')} each"
        alike = f"own means differ by {self.spread:g} (standard deviation)" if self.spread else "all alike"
        return (
            f"{held}, {self.distribution} on [{self.low:g}, {self.high:g}], {alike}; "
            f"the truth is the mean of the distribution"
        )

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    def draw(self, *, seed: int, repetition: int) -> Collections:
        key = np.random.SeedSequence(seed, spawn_key=(repetition, 2))  # 0 and 1 are the engine's
        stream = np.random.Generator(np.random.PCG64(key))
        values = self.low + (self.high - self.low) * self.distribution.draw(stream, (self.users, self.observations))
        if self.spread:
            values += self.spread * math.sqrt(3) * stream.uniform(-1, 1, size=(self.users, 1))
        return Collections(values.ravel(), np.arange(self.users + 1) * self.observations)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "made-up",
            "users": self.users,
            "observations": self.observations,
            "distribution": str(self.distribution),
            "spread": self.spread,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class FromFile:
    """The users of a file."""

    name: str
    people: Collections
    observations: int
    truth: float
    outside: float

    @classmethod
    def read(
        cls, file: str, *, user: str, value: str, low: float, high: float, observations: int | None = None
    ) -> FromFile:
        from sottovoce.data import collections

        people = collections(file, user=user, value=value)
        means = _user_means(people)
        truth = float(means.mean()) if len(means) else math.nan
        if not abs(truth) < LARGEST_TRUTH:
            raise InvalidInput(
                f"column {value!r} has no finite mean, so there is no truth to compare with; repair the file, or "
                f"use sotto estimate mean, which can do without"
            )
        return cls(
            name=file,
            people=people,
            observations=typical(people) if observations is None else observations,
            truth=truth,
            outside=float(((means < low) | (means > high)).mean()),
        )

    @property
    def users(self) -> int:
        return self.people.users

    @property
    def words(self) -> str:
        held = f"{count(self.users, 'user')} of {self.name}, about {count(self.observations, 'observation')} each"
        return f"{held}; the truth is the average over users of their means"

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.outside:
            return ()
        return (
            f"{self.outside:.1%} of the users' means lie outside the declared range; clamping them adds to the bias",
        )

    def draw(self, *, seed: int, repetition: int) -> Collections:
        return self.people

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": "file",
            "file": self.name,
            "users": self.users,
            "observations": self.observations,
            "share_outside": self.outside,
        }


def _user_means(people: Collections) -> np.ndarray:
    """The mean of every user who holds a number."""
    owner = np.repeat(np.arange(people.users), people.sizes)
    held = people.values[:, 0]
    present = ~np.isnan(held)
    with np.errstate(all="ignore"):  # nobody's mean is 0 / 0, huge ones overflow
        totals = np.bincount(owner, weights=np.where(present, held, 0.0), minlength=people.users)
        means = totals / np.bincount(owner, weights=present, minlength=people.users)
    return means[~np.isnan(means)]
