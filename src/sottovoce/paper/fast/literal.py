"""The paper's pseudocode word for word in NumPy: slow, and the measure that the fast simulation is held against."""

from __future__ import annotations

import math

import numpy as np
from numpy.random import Generator

from sottovoce.paper.fast.surveys import Floats
from sottovoce.theory import bin_count


def user_level_mean(stream: Generator, means: Floats, *, delta: float, epsilon: float) -> float:
    """UserLevelMean (L413) for one survey: `means` are the averages of n users, the first half of whom vote."""
    bins = bin_count(delta)
    half = len(means) // 2
    omega = math.exp(epsilon / 2) / (1 + math.exp(epsilon / 2))
    index = np.clip(np.floor((means[:half] + 1) / (2 * delta)), 0, bins - 1).astype(np.int64)
    votes = np.zeros((half, bins), dtype=bool)
    votes[np.arange(half), index] = True
    uniforms = stream.random((half, bins))
    private = np.where(votes, uniforms <= omega, uniforms > omega)
    winner = int(np.argmax(private.sum(axis=0)))
    low, high = -1 + 2 * winner * delta - 2 * delta, -1 + 2 * (winner + 1) * delta + 2 * delta
    refined = np.clip(means[half:], low, high) + 6 * delta / epsilon * stream.laplace(size=len(means) - half)
    return float(refined.mean())
