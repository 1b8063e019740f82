"""What a round costs in accuracy, for users of a given law: the two formulas that every prediction is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from sottovoce.messages import Table
from sottovoce.risk.averages import Averages, Floats
from sottovoce.risk.prediction import Prediction, clamped_normal_mse


def laplace_variance(width: Any, epsilon: float) -> Any:
    """Of Laplace noise for a range of this width; the channel's grid and clamp add less than 1e-6 of it."""
    return 2 * (width / epsilon) ** 2


def full_range_risk(
    averages: Averages, *, users: float, low: float, high: float, table: Table, clamp: bool = False
) -> Prediction:
    """One round on the full range. Sampling is the variance of the users' averages, privacy the table's where they lie.

    `clamp`: the estimate itself never leaves the range, which shows when the noise is as wide as the range.
    """
    width = high - low
    places = np.clip((averages.points - low) / width, 0, 1)
    privacy = width**2 * float(averages.weights @ table.variance(places)) / users
    free = Prediction(sampling=averages.variance / users, privacy=privacy)
    if not clamp or free.mse <= 0:
        return free
    return free.scaled(clamped_normal_mse(free.mse, mean=averages.mean, low=low, high=high) / free.mse)


def localised_risk(
    averages: Averages,
    chances: Floats,
    low: Floats,
    high: Floats,
    *,
    refiners: float,
    epsilon: float,
    table: Table | None = None,
    clamp: tuple[float, float] | None = None,
) -> Prediction:
    """Refining in one of several intervals, each with its chance: the error around the true mean.

    By Laplace noise, or through a `table`, whose noise depends on where in the interval the users are. `clamp` is the
    range that the estimate itself never leaves.
    """
    means, variances = averages.clamped(low, high)
    if table is None:
        noise = laplace_variance(high - low, epsilon)
    else:
        width = (high - low)[:, None]
        places = np.clip((averages.points - low[:, None]) / width, 0, 1)
        noise = width[:, 0] ** 2 * (table.variance(places) @ averages.weights)
    truth = averages.mean
    free = Prediction(
        sampling=float(chances @ variances) / refiners,
        privacy=float(chances @ noise) / refiners,
        localisation=float(chances @ (means - truth) ** 2),
    )
    if clamp is None or free.mse <= 0:
        return free
    spread = (variances + noise) / refiners
    room = np.minimum(means - clamp[0], clamp[1] - means)
    near = np.flatnonzero((chances > 0) & (room < 8 * np.sqrt(spread)))  # elsewhere the clamp does nothing
    total = free.mse - float(chances[near] @ (spread + (means - truth) ** 2)[near])
    for index in near.tolist():
        ends = {"low": clamp[0], "high": clamp[1], "truth": truth}
        total += float(chances[index]) * clamped_normal_mse(float(spread[index]), mean=float(means[index]), **ends)
    return free.scaled(total / free.mse)
