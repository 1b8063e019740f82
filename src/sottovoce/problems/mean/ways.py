"""The ways in which a mean is asked for, after the first question."""

from __future__ import annotations

from sottovoce.messages import Average, Way
from sottovoce.methods import bins_way, position_way
from sottovoce.problems.mean.settings import Mean


def numbers(settings: Mean, *, role: str = "mean", beyond: float = 0.0) -> Way:
    """Through a table, between ends inside the declared range, or at most so far beyond it."""
    return position_way(role, statistic=Average(), low=settings.low - beyond, high=settings.high + beyond)


def binned(settings: Mean, *, role: str = "bins") -> Way:
    """In which of some bins inside the declared range."""
    return bins_way(role, statistic=Average(), low=settings.low, high=settings.high)
