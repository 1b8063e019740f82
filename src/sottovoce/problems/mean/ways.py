"""The ways in which a mean is asked for."""

from __future__ import annotations

from sottovoce.messages import Way
from sottovoce.problems.mean.settings import Mean


def last_way(settings: Mean, *, role: str = "mean", beyond: float = 0.0) -> Way:
    """Through a table, between ends inside the declared range, or at most so far beyond it."""
    return Way(
        role=role,
        statistic="average",
        placement="position",
        channel="table",
        low=settings.low - beyond,
        high=settings.high + beyond,
    )


def bins_way(settings: Mean, *, role: str = "bins", channel: str = "subset") -> Way:
    """In which of some bins inside the declared range."""
    return Way(role=role, statistic="average", placement="bins", channel=channel, low=settings.low, high=settings.high)
