"""A choice from a cover in one call."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.data import collections
from sottovoce.engines import run
from sottovoce.functions.common import engine
from sottovoce.messages import CoverEstimate, InvalidInput
from sottovoce.protocols.cover import CoverSelect, Metric, Vote
from sottovoce.protocols.covers import Cover


def cover_select(
    data: Any,
    *,
    centres: Cover | Sequence[Any] | NDArray[Any],
    epsilon: float,
    distance: Callable[[NDArray[Any], Any], float] | None = None,
    metric: Metric = "l2",
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    vote: Vote = "unary",
    confidence: float = 0.95,
    seed: int | None = None,
) -> CoverEstimate:
    """Find the centre that most users are nearest to.

    Without a `distance`, `centres` are numbers or vectors (or a `Cover` from `sv.covers`) and a user's average is
    compared with them in `metric`. With one, centres may be anything: ``distance(observations, centre)`` is evaluated
    on the device, where the smallest wins, ties to the lower index; a user for whom it fails counts for the middle.
    A cover of densities takes observations on [0, 1].

    `data` is an ``(n, T)`` or ``(n, T, d)`` array, a ragged list, a long data frame (with `user` and one or several
    columns `value`), or a CSV or Parquet file. With a `seed` the reports are simulated: repeatable, not private.

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the whole collection whatever `distance` does with it.

    Accuracy
    --------
    In the answer: the share of the chosen centre, its lead over the next in standard errors, and for a `Cover` the
    bound of the paper's theorem. See `CoverSelect`.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> x = np.random.default_rng(1).normal([0.4, -0.3], 0.5, size=(2000, 50, 2))
    >>> print(sv.cover_select(x, centres=sv.covers.l2_ball(dimension=2, delta=0.2), epsilon=2.0, seed=7))
    centre 40 of 60 at (0.375, -0.375), share 0.668, 11.8 se ahead
    """
    people = collections(data, user=user, value=value)
    cover = centres if isinstance(centres, Cover) else None
    items: Sequence[Any] = centres.centres if isinstance(centres, Cover) else list(centres)
    setting: dict[str, Any] = {"epsilon": epsilon, "vote": vote, "confidence": confidence, "users": people.users}
    if distance is None and (cover is None or not cover.functions):
        points = _points(items, people.dimension)
        if cover is not None:
            metric = cover.metric
            setting |= {"radius": cover.radius, "diameter": cover.diameter}
        return run(CoverSelect(**setting, centres=points, metric=metric), engine(people, seed))
    choose: Callable[[Any], float]
    if distance is None:
        assert cover is not None
        setting |= {"radius": cover.radius, "diameter": cover.diameter}
        choose = _nearest_density(cover)
        if people.dimension != 1:
            raise InvalidInput(f"a cover of densities takes one value column; the data have {people.dimension}")
    else:
        choose = _by_distance(distance, items)
    return run(CoverSelect(**setting, size=len(items)), engine(people.indexed(choose), seed))


def _points(items: Sequence[Any], dimension: int) -> tuple[tuple[float, ...], ...]:
    try:
        points = np.asarray(items, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInput("centres that are no numbers or vectors need a distance") from None
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or points.shape[1] != dimension:
        wanted = f"an array (N, {dimension})" + (", or N numbers" if dimension == 1 else "")
        raise InvalidInput(f"centres must be {wanted}, like the observations; got shape {points.shape}")
    return tuple(tuple(row) for row in points.tolist())


def _by_distance(distance: Callable[[NDArray[Any], Any], float], items: Sequence[Any]) -> Callable[[Any], float]:
    def choose(observations: NDArray[Any]) -> int:
        far = np.array([float(distance(observations, centre)) for centre in items])
        return int(np.nanargmin(far))

    return choose


def _nearest_density(cover: Cover) -> Callable[[Any], float]:
    """The centre nearest to the averages of the basis functions (L316), which estimate the coefficients."""
    points, functions = np.asarray(cover.centres), np.asarray(cover.functions)

    def choose(observations: NDArray[Any]) -> float:
        own = observations[~np.isnan(observations)]
        if not own.size:
            return math.nan
        turn = 2 * math.pi * np.clip(own, 0.0, 1.0)[:, None] * (functions // 2)
        averages = (math.sqrt(2) * np.where(functions % 2 == 0, np.cos(turn), np.sin(turn))).mean(axis=0)
        return int(np.argmin(((points - averages) ** 2).sum(axis=1)))

    return choose
