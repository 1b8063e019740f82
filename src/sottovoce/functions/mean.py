"""The mean in one call."""

from __future__ import annotations

from typing import Any

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import declared, engine, typical
from sottovoce.messages import Estimate
from sottovoce.protocols.mean import Mean, Method


def mean(
    data: Any,
    *,
    epsilon: float,
    low: float | None = None,
    high: float | None = None,
    user: str | None = None,
    value: str | None = None,
    observations: int | None = None,
    method: Method = "auto",
    confidence: float = 0.95,
    seed: int | None = None,
) -> Estimate:
    """Estimate the average over users of the mean of their observations on [low, high].

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a CSV or Parquet file,
    or a data set. `observations` is the public guess of how many observations a user holds; left out, this rehearsal
    looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.

    Accuracy
    --------
    In the estimate: an interval at `confidence`, and the standard error by cause. See `Mean` for the methods.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> ratings = np.random.default_rng(1).integers(1, 6, size=(4000, 25))
    >>> estimate = sv.mean(ratings, low=1, high=5, epsilon=2.0, seed=7)
    >>> print(estimate)
    3.047  [2.997, 3.097] at 95%, one-round
    """
    people = collections(data, user=user, value=value)
    low, high = declared(data, people, low, high, name="mean")
    protocol = Mean(
        epsilon=epsilon,
        low=low,
        high=high,
        users=people.users,
        observations=typical(people) if observations is None else observations,
        method=method,
        confidence=confidence,
    )
    return run(protocol, engine(people, seed))
