"""The mean vector in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import engine, named, typical
from sottovoce.messages import InvalidInput, VectorEstimate
from sottovoce.protocols.vector import Ball, Method, VectorMean


def vector_mean(
    data: Any,
    *,
    epsilon: float,
    ball: Ball = "l2",
    radius: float = 1.0,
    centre: Sequence[float] | None = None,
    low: float | Sequence[float] | None = None,
    high: float | Sequence[float] | None = None,
    user: str | None = None,
    value: Sequence[str] | str | None = None,
    names: Sequence[str] | None = None,
    observations: int | None = None,
    method: Method = "auto",
    confidence: float = 0.95,
    seed: int | None = None,
) -> VectorEstimate:
    """Estimate the average over users of the mean of their vectors, declared to lie in a ball or a box.

    `data` is an ``(n, T, d)`` array, a ragged list of vectors, a long data frame with `user` and several `value`
    columns, or a file of one; `names` name the coordinates of other data. `ball`, `radius`, `centre`, `low` and
    `high` declare where vectors lie, as in `VectorMean`; a device clamps or projects an average that lies outside,
    and nobody learns that it did. `observations` is the public guess of how many vectors a user holds; left out, this
    rehearsal looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same
    law, repeatable bits, no privacy.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.

    Accuracy
    --------
    In the estimate: an interval for each coordinate at `confidence`, simultaneous ones, and the standard error by
    cause. See `VectorMean` for the methods.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> steps = np.random.default_rng(1).normal(0.1, 0.1, size=(4000, 50, 5))
    >>> estimate = sv.vector_mean(steps, epsilon=2.0, ball="l2", radius=1.0, seed=7)
    >>> print(estimate.picture())
    """
    people = collections(data, user=user, value=value)
    protocol = VectorMean(
        epsilon=epsilon,
        users=people.users,
        observations=typical(people) if observations is None else observations,
        dimension=people.dimension,
        ball=ball,
        radius=radius,
        centre=_each("centre", centre, people.dimension),
        low=_end("low", low, people.dimension),
        high=_end("high", high, people.dimension),
        method=method,
        confidence=confidence,
        names=named(names, value),
    )
    return run(protocol, engine(people, seed))


def _each(name: str, given: Any, dimension: int) -> tuple[float, ...] | None:
    if given is None:
        return None
    try:
        entries = tuple(float(entry) for entry in given)
    except (TypeError, ValueError):
        raise InvalidInput(f"{name} must hold a number for each of the {dimension} coordinates of the data") from None
    if len(entries) != dimension:
        raise InvalidInput(f"{name} has {len(entries)} entries; the data have {dimension} coordinates")
    return entries


def _end(name: str, given: Any, dimension: int) -> float | tuple[float, ...] | None:
    return float(given) if isinstance(given, (int, float)) else _each(name, given, dimension)
