"""Means of vectors entry by entry: one entry a user, on its full range, through the best table. Nothing is assumed."""

from __future__ import annotations

import numpy as np

from sottovoce.messages import Encoder, Entry, Position, Question, Table, Tally, Vector
from sottovoce.methods.asking import Asking
from sottovoce.methods.directions import Floats, Found
from sottovoce.methods.full_range import ENOUGH_TO_MEASURE, best_table, decoded
from sottovoce.methods.guarded import ENOUGH_TO_SHOW

LEAST = 2.0**-50
"""Reports that all say the same have no variance, or by rounding one below zero; what is divided by it needs some."""


def entry_question(
    asking: Asking, count: float, *, role: str, vector: Vector, low: tuple[float, ...], high: tuple[float, ...]
) -> Question:
    """`count` users say how large the entry is that falls to them; entries are dealt in turn."""
    return asking.question(
        count,
        role=role,
        encoder=Encoder(statistic=Entry(vector=vector), placement=Position(low=low, high=high)),
        channel=best_table(asking.epsilon),
        groups=vector.size,
    )


def entry_means(asked: Question, tally: Tally) -> Found:
    """The mean vector from a tally of entries, with variances that allow for whatever users are.

    Entries with many reports have the variance that these show, those with some of them a little more, and those with
    hardly any the largest that users can give them.
    """
    means, reports = decoded(asked, tally), np.array(tally.reports, dtype=np.float64)
    shown = np.maximum(_spread(asked, tally) / np.maximum(1.0, reports - 1), means.privacy) * (1 + 2 / np.sqrt(reports))
    some = (reports >= ENOUGH_TO_SHOW) & (reports < ENOUGH_TO_MEASURE)
    variance = np.where(some, shown, means.sampling + means.privacy)
    return Found(value=np.asarray(means.value), variance=variance, reports=sum(tally.reports))


def entry_variance(asked: Question, tally: Tally) -> float:
    """Of one report, on average over entries: for decisions, where groups are too small to say it of each entry."""
    reports = np.array(tally.reports, dtype=np.float64)
    return float((_spread(asked, tally) * reports).sum() / max(1.0, (reports - 1).sum()))


def _spread(asked: Question, tally: Tally) -> Floats:
    """Mean squared distances of the reports about each entry from their mean."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    cells, reports = np.array(tally.cells, dtype=np.float64), np.array(tally.reports, dtype=np.float64)
    values, width = np.asarray(channel.decode), np.asarray(placement.high) - np.asarray(placement.low)
    squares = cells @ values**2 / reports - (cells @ values / reports) ** 2
    return np.asarray(width**2 * np.maximum(squares, LEAST))
