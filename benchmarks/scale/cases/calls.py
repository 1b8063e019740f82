"""Calls that a user makes, on arrays of any size; and plain NumPy's mean of user means."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np


def numbers(users: int, observations: int) -> Any:
    return np.random.default_rng(1).random((users, observations))


def numpy_mean(users: int, observations: int) -> Callable[[], Any]:
    data = numbers(users, observations)
    return lambda: float(data.mean(axis=1).mean())


def mean(users: int, observations: int) -> Callable[[], Any]:
    import sottovoce as sv

    data = numbers(users, observations)
    return lambda: sv.mean(data, low=0, high=1, epsilon=1.0, method="one-round").value


def histogram(users: int, observations: int, bins: int) -> Callable[[], Any]:
    import sottovoce as sv

    data = numbers(users, observations)
    return lambda: sv.histogram(data, low=0, high=1, bins=bins, epsilon=1.0, method="one-round") and None


def vector(users: int, observations: int, dimension: int) -> Callable[[], Any]:
    import sottovoce as sv

    data = np.random.default_rng(1).integers(0, 101, size=(users, observations, dimension), dtype=np.int8)
    return lambda: sv.vector_mean(data, ball="linf", low=0, high=100, epsilon=1.0, method="one-round") and None


def imported(package: str) -> Callable[[], Any]:
    return lambda: import_module(package).__name__
