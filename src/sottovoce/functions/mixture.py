"""The means of a mixture in one call."""

from __future__ import annotations

from typing import Any

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import declared, engine, typical
from sottovoce.messages import MixtureEstimate
from sottovoce.protocols.mixture import Method, MixtureMeans


def mixture_means(
    data: Any,
    *,
    components: int,
    epsilon: float,
    low: float | None = None,
    high: float | None = None,
    user: str | None = None,
    value: str | None = None,
    observations: int | None = None,
    method: Method = "paper",
    smallest_share: float | None = None,
    confidence: float = 0.95,
    seed: int | None = None,
) -> MixtureEstimate:
    """Estimate the means and the shares of `components` kinds of users, each of whom is of one kind.

    `data` is an ``(n, T)`` array, a ragged list, a long data frame (with `user` and `value`), a CSV or Parquet file,
    or a data set. `observations` is the public guess of how many observations a user holds; left out, this rehearsal
    looks it up in the data, which a survey cannot do. With a `seed` the reports are simulated: the same law,
    repeatable bits, no privacy.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included. Not even the
    kind of a user is told.

    Accuracy
    --------
    In the answer: an interval for every mean at `confidence`, standard errors by cause, and warnings where a share is
    too small to be seen. See `MixtureMeans`.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> rng = np.random.default_rng(1)
    >>> kinds = rng.choice([0.2, 0.8], size=3000)
    >>> tosses = rng.random((3000, 500)) < kinds[:, None]
    >>> print(sv.mixture_means(tosses, components=2, epsilon=4.0, low=0, high=1, seed=7))
    0.2018 (51%), 0.7986 (51%), paper
    """
    people = collections(data, user=user, value=value)
    low, high = declared(data, people, low, high, name="mixture_means")
    protocol = MixtureMeans(
        epsilon=epsilon,
        users=people.users,
        observations=typical(people) if observations is None else observations,
        components=components,
        low=low,
        high=high,
        method=method,
        smallest_share=smallest_share,
        confidence=confidence,
    )
    return run(protocol, engine(people, seed))
