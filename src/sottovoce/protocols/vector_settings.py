"""Usable settings of a vector mean, or a clear error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sottovoce.messages import InvalidInput
from sottovoce.messages.limits import MAX_CHANNEL_EPSILON, MAX_GROUPS, MAX_SEED, check_epsilon, check_range
from sottovoce.protocols.base import check_confidence, check_observations, check_users

if TYPE_CHECKING:
    from sottovoce.protocols.vector import VectorMean


def check_dimension(dimension: int) -> None:
    """A usable number of coordinates, or a clear error."""
    if isinstance(dimension, bool) or not isinstance(dimension, int) or not 1 <= dimension <= MAX_GROUPS:
        raise InvalidInput(f"dimension must be a whole number from 1 to {MAX_GROUPS}; got {dimension!r}")


def check_settings(mean: VectorMean, *, balls: Sequence[str], methods: Sequence[str]) -> None:
    """Everything that can be said about the settings before any data."""
    check_dimension(mean.dimension)
    if mean.ball not in balls:
        raise InvalidInput(f"ball must be one of {', '.join(balls)}; got {mean.ball!r}")
    if mean.method not in methods:
        raise InvalidInput(f"method must be one of {', '.join(methods)}; got {mean.method!r}")
    check_epsilon(mean.epsilon, maximum=MAX_CHANNEL_EPSILON * (mean.groups if mean.method == "theory" else 1))
    check_users(mean.users)
    check_observations(mean.observations)
    check_confidence(mean.confidence)
    if not 0 < mean.radius < math.inf:
        raise InvalidInput(f"radius must be positive and finite; got {mean.radius!r}")
    if mean.ball == "l2" and not (mean.low is None and mean.high is None):
        raise InvalidInput("low and high declare a box; an l2 ball has radius= and centre=")
    if mean.centre is not None:
        check_length("centre", mean.centre, mean.dimension)
        if not all(map(math.isfinite, mean.centre)):
            raise InvalidInput("centre must be finite")
    if mean.delta is not None and not 0 < mean.delta < math.inf:
        raise InvalidInput(f"delta must be positive and finite; got {mean.delta!r}")
    if not (mean.proof_constant > 0 and mean.ball_constant > 0):
        raise InvalidInput("proof_constant and ball_constant must be positive")
    if isinstance(mean.seed, bool) or not isinstance(mean.seed, int) or not 0 <= mean.seed <= MAX_SEED:
        raise InvalidInput(f"seed must be a whole number from 0 to 2^53; got {mean.seed!r}")
    if mean.names:
        check_length("names", mean.names, mean.dimension)
    for low, high in zip(*ranges(mean), strict=True):
        check_range(low, high)


def check_length(name: str, values: Sequence[object], dimension: int) -> None:
    """One entry for each coordinate, or a clear error."""
    if not isinstance(values, tuple):
        raise InvalidInput(f"{name} must be a tuple of {dimension} entries, not a {type(values).__name__}")
    if len(values) != dimension:
        raise InvalidInput(f"{name} has {len(values)} entries; dimension={dimension} needs one for each coordinate")


def ranges(mean: VectorMean) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The declared range of every coordinate: low and high, or centre ∓ radius."""
    if (mean.low is None) != (mean.high is None):
        raise InvalidInput("low and high come together")
    if mean.low is not None and mean.high is not None:
        if mean.centre is not None:
            raise InvalidInput("give low and high, or centre and radius, not both")
        return _each("low", mean.low, mean.dimension), _each("high", mean.high, mean.dimension)
    centre = (0.0,) * mean.dimension if mean.centre is None else mean.centre
    return tuple(place - mean.radius for place in centre), tuple(place + mean.radius for place in centre)


def _each(name: str, value: float | tuple[float, ...], dimension: int) -> tuple[float, ...]:
    if isinstance(value, (int, float)):
        return (float(value),) * dimension
    check_length(name, value, dimension)
    return tuple(map(float, value))
