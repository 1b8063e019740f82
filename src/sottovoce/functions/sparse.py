"""The sparse mean in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import engine, named, typical
from sottovoce.messages import SparseEstimate
from sottovoce.protocols.sparse import Method, Procedure, SparseMean


def sparse_mean(
    data: Any,
    *,
    epsilon: float,
    sparsity: int,
    low: float = -1.0,
    high: float = 1.0,
    user: str | None = None,
    value: Sequence[str] | str | None = None,
    names: Sequence[str] | None = None,
    observations: int | None = None,
    method: Method = "auto",
    procedure: Procedure = "auto",
    confidence: float = 0.95,
    public_seed: int = 0,
    seed: int | None = None,
) -> SparseEstimate:
    """Estimate the mean of vectors in [low, high]^d of which at most `sparsity` coordinates differ from zero.

    `data` is an ``(n, T, d)`` array (small integers stay small), a ragged list of vectors, a long data frame with
    `user` and several `value` columns, or a file of one; `names` name the coordinates of other data. When in doubt
    about `sparsity`, choose it rather too large. `observations` is the public guess of how many vectors a user holds;
    left out, this rehearsal looks it up in the data, which a survey cannot do. `public_seed` makes the public signs of
    the votes. With a `seed` the reports are simulated: the same law, repeatable bits, no privacy.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection, its length included.

    Accuracy
    --------
    In the estimate: the selected coordinates with an interval each, what is claimed of the others, and warnings. See
    `SparseMean` for the methods.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> likes = np.random.default_rng(1).choice([-1, 1], size=(2000, 100, 50)).astype(np.int8)
    >>> likes[:, :, [3, 30]] = 1
    >>> estimate = sv.sparse_mean(likes, epsilon=2.0, sparsity=2, seed=7)
    >>> sorted(estimate.support)
    [3, 30]
    """
    people = collections(data, user=user, value=value)
    protocol = SparseMean(
        epsilon=epsilon,
        users=people.users,
        observations=typical(people) if observations is None else observations,
        dimension=people.dimension,
        sparsity=sparsity,
        low=low,
        high=high,
        method=method,
        procedure=procedure,
        confidence=confidence,
        seed=public_seed,
        names=named(names, value),
    )
    return run(protocol, engine(people, seed))
