"""The error to expect in a group, before anyone is asked."""

from __future__ import annotations

import numpy as np

from sottovoce.design import subset
from sottovoce.messages import exact
from sottovoce.problems.groups.levels import SPREAD, contrast_variance, mean_variance
from sottovoce.problems.groups.settings import ByGroup
from sottovoce.risk import Crowd, Poisoning, Prediction


def predicted(settings: ByGroup, crowd: Crowd, *, drawn: bool) -> Prediction:
    """Of a group's mean, of a share on average, or of a quantile in the middle of evenly spread observations."""
    copies, reports = (settings.count, settings.users) if drawn else (1, settings.users / settings.count)
    share, epsilon, size = settings.assumed_share, settings.epsilon, settings.size
    if settings.of == "mean":
        assert settings.low is not None and settings.high is not None
        width = settings.high - settings.low
        spread = SPREAD if crowd.spread is None else min(0.5, crowd.spread / width)
        total = width**2 * mean_variance(size, epsilon, copies, share, spread) / reports
        sampling = width**2 * spread**2 / share / reports
    else:
        law = np.full(size, 1 / size)
        if settings.of == "histogram":
            weights, scale = -law + np.eye(size)[0], 1.0
        else:
            weights = np.where(np.arange(size) < size / 2, 0.5, -0.5)
            scale = (settings.asked.high - settings.asked.low) ** 2
        total = scale * contrast_variance(weights, law, epsilon, copies, share) / share**2 / reports
        sampling = scale * float(law @ weights**2) / share / reports
    sampling = min(sampling, total)
    return Prediction(sampling=sampling, privacy=total - sampling)


def poisoned(settings: ByGroup, *, drawn: bool) -> Poisoning:
    """Whoever colludes sends the symbol that pulls the most, over the users who have something in the group."""
    copies = settings.count if drawn else 1
    own, other = subset(exact(settings.epsilon), copies * settings.size + 1).inclusion
    width = 1.0 if settings.of == "histogram" else settings.asked.high - settings.asked.low
    return Poisoning(reach=width * max(own, 1 - other) / (own - other) / settings.assumed_share)
