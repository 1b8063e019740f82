"""Risk of one round on the full range through the best table (protocols.one_round), for users of a given law."""

from __future__ import annotations

import numpy as np

from sottovoce.planning.law import Law
from sottovoce.planning.prediction import Prediction, clamped_normal_mse
from sottovoce.protocols import one_round


def risk(law: Law, *, users: float, low: float, high: float, epsilon: float, clamp: bool = False) -> Prediction:
    """Sampling is the variance of the users' averages, privacy the table's variance at the places where they lie.

    `clamp`: the estimate itself never leaves the range, which shows when the noise is as wide as the range.
    """
    width = high - low
    places = np.clip((law.points - low) / width, 0, 1)
    privacy = width**2 * float(law.weights @ one_round.best_table(epsilon).variance(places)) / users
    free = Prediction(sampling=law.variance / users, privacy=privacy)
    if not clamp or free.mse <= 0:
        return free
    return free.scaled(clamped_normal_mse(free.mse, mean=law.mean, low=low, high=high) / free.mse)
