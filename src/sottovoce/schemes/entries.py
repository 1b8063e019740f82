"""Means of vectors entry by entry: one entry a user, on its full range, through the best table. Nothing is assumed."""

from __future__ import annotations

import numpy as np

from sottovoce.messages import Encoder, Entry, Position, Question, Table, Tally, Vector
from sottovoce.schemes.asking import Asking
from sottovoce.schemes.directions import Found
from sottovoce.schemes.full_range import best_table, decoded


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
    """The mean vector from a tally of entries."""
    means = decoded(asked, tally)
    return Found(
        value=np.asarray(means.value), variance=np.asarray(means.sampling + means.privacy), reports=sum(tally.reports)
    )


def usual_variance(asked: Question, tally: Tally) -> float:
    """Of one report, on average over entries: for decisions, where groups are too small to say it of each entry."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    cells, reports = np.array(tally.cells, dtype=np.float64), np.array(tally.reports, dtype=np.float64)
    values = np.asarray(channel.decode)
    apart = (cells @ values**2 - (cells @ values) ** 2 / reports).sum() / max(1.0, float((reports - 1).sum()))
    width = max(high - low for low, high in zip(placement.low, placement.high, strict=True))
    return float(width**2 * apart)
