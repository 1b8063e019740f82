"""Things that several tests share: seeded entropy, small populations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections


class SeededEntropy:
    """Uniform words from a seed, so that a statistical test gives the same verdict every time."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.Philox(seed))

    def words(self, count: int) -> NDArray[np.uint64]:
        return self._generator.integers(0, 2**64, size=count, dtype=np.uint64)


def reason(chosen: Any) -> str:
    """Why auto takes a method, in words, from what `choose` gives."""
    return str(chosen.why.method_fact(""))


def rectangle(values: NDArray[np.float64]) -> Collections:
    """``(n, T)`` or ``(n, T, d)`` as collections."""
    users, observations = values.shape[:2]
    return Collections(values.reshape(users * observations, *values.shape[2:]), np.arange(users + 1) * observations)


def uniform_people(users: int, observations: int, *, seed: int = 0, shift: float = 0.0) -> Collections:
    """Users who draw from Unif[0, 1] + shift."""
    return rectangle(np.random.default_rng(seed).random((users, observations)) + shift)


def coin_mixture(
    rng: np.random.Generator, users: int, observations: int, chances: tuple[float, ...], shares: tuple[float, ...]
) -> Collections:
    """Users who each toss one of several coins, ±1: only the average is kept, since nothing else of it is ever used."""
    chance = np.array(chances)[rng.choice(len(chances), size=users, p=shares)]
    return Collections(2 * rng.binomial(observations, chance) / observations - 1, np.arange(users + 1))
