"""The density in one call."""

from __future__ import annotations

from typing import Any

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import declared, engine, typical
from sottovoce.messages import DensityEstimate
from sottovoce.protocols.density import Density, Method


def density(
    data: Any,
    *,
    epsilon: float,
    low: float | None = None,
    high: float | None = None,
    smoothness: float = 2.0,
    coefficients: int | None = None,
    user: str | None = None,
    value: str | None = None,
    observations: int | None = None,
    method: Method = "auto",
    confidence: float = 0.95,
    seed: int | None = None,
) -> DensityEstimate:
    """Estimate the density on [low, high] of the observations of a user, averaged over users.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a CSV or Parquet file,
    or a data set. Observations outside [low, high] count at its ends. `smoothness` is β, how many derivatives the
    density is trusted to have; `coefficients` sets how many are estimated. `observations` is the public guess of how
    many observations a user holds; left out, this rehearsal looks it up in the data, which a survey cannot do. With a
    `seed` the reports are simulated: the same law, repeatable bits, no privacy.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.

    Accuracy
    --------
    In the estimate: intervals for every coefficient and a pointwise band, truncation not covered. The basis is
    periodic: near the ends of the range it fits only densities that are alike there. See `Density`.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> hours = 24 * np.random.default_rng(1).beta(4, 4, size=(4000, 50))
    >>> estimate = sv.density(hours, low=0, high=24, epsilon=2.0, seed=7).projected()
    >>> round(estimate.integral, 6)
    1.0
    """
    people = collections(data, user=user, value=value)
    low, high = declared(data, people, low, high, name="density")
    protocol = Density(
        epsilon=epsilon,
        low=low,
        high=high,
        users=people.users,
        observations=typical(people) if observations is None else observations,
        smoothness=smoothness,
        method=method,
        coefficients=coefficients,
        confidence=confidence,
    )
    return run(protocol, engine(people, seed))
