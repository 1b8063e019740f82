"""The sparse experiment of the paper (L897): s coordinates Rad(p), the others Rad(½); n = T = ⌊√(10 d log d)⌋.

A user's T observations of Rademacher variables enter only through their average, so each user here holds one
observation that *is* the average of T: the same law, a T-th of the memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import run, simulate
from sottovoce.problems.sparse import SparseMean


def size(dimension: int) -> int:
    return math.floor(math.sqrt(10 * dimension * math.log(dimension)))


def population(
    rng: np.random.Generator, users: int, observations: int, dimension: int, support: np.ndarray, chance: float
) -> Collections:
    counts = rng.binomial(observations, 0.5, size=(users, dimension)).astype(np.float32)
    counts[:, support] = rng.binomial(observations, chance, size=(users, len(support)))
    return Collections(2 * counts / observations - 1, np.arange(users + 1))


def squared_errors(
    *,
    dimension: int,
    repetitions: int,
    users: int | None = None,
    observations: int | None = None,
    permuted: bool = True,
    true_sparsity: int = 4,
    chance: float = 0.75,
    seed: int = 1,
    **settings: Any,
) -> np.ndarray:
    """Squared Euclidean errors; every repetition has its own data, support, public signs and noise."""
    users = size(dimension) if users is None else users
    observations = size(dimension) if observations is None else observations
    rng = np.random.default_rng([seed, dimension])
    errors = np.empty(repetitions)
    fields: dict[str, Any] = {"epsilon": 4.0, "sparsity": 4, "method": "paper", "procedure": "selection"} | settings
    for repetition in range(repetitions):
        support = rng.permutation(dimension)[:true_sparsity] if permuted else np.arange(true_sparsity)
        truth = np.zeros(dimension)
        truth[support] = 2 * chance - 1
        people = population(rng, users, observations, dimension, support, chance)
        protocol = SparseMean(
            users=users, observations=observations, dimension=dimension, public_seed=1000 * seed + repetition, **fields
        )
        answer = run(protocol, simulate(people, seed=seed, repetition=repetition))
        errors[repetition] = ((np.array(answer.value) - truth) ** 2).sum()
    return errors
