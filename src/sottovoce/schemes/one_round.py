"""Everybody at once, on the full range, through the best finite channel: nothing is assumed about the users.

With the one-bit table (ε below about 1) the interval is exact; with larger tables it is a normal approximation.
"""

from __future__ import annotations

import math

import numpy as np

from sottovoce.messages import Average, Encoder, Position, Question, Slots, StandardError, Table, Tally, design
from sottovoce.messages.exact import exact
from sottovoce.protocols.base import two_sided, within

ENOUGH_TO_MEASURE = 200
"""Reports from which their own variance is trusted; with fewer, users are taken to differ as much as they can."""


def best_table(epsilon: float) -> Table:
    """One bit or a piecewise table, whichever has the lower variance at this ε."""
    return design.best_position_table(exact(epsilon))


def question(*, survey: str, users: int, low: float, high: float, epsilon: float) -> Question:
    """The only question of a one-round mean."""
    return Question(
        survey=survey,
        round=0,
        role="mean",
        slots=Slots(first=0, count=users),
        encoder=Encoder(statistic=Average(), placement=Position(low=(low,), high=(high,))),
        channel=best_table(epsilon),
        epsilon=epsilon,
    )


def position(channel: Table, cells: tuple[int, ...], reports: int) -> tuple[float, float, float]:
    """The unbiased position on [0, 1] from counts of symbols, its variance, and the part of it that is noise."""
    counts, values = np.array(cells, dtype=np.float64), np.asarray(channel.decode)
    mean = float(counts @ values) / reports
    inside = np.array([min(1.0, max(0.0, mean))])
    noise = float(channel.variance(inside)[0]) / reports
    if reports >= ENOUGH_TO_MEASURE:
        return mean, max(noise, (float(counts @ values**2) / reports - mean**2) / (reports - 1)), noise
    # Users at both ends: the widest they can differ, the share at each moved toward a half as Wilson's interval does.
    share = (reports * float(inside[0]) + 2) / (reports + 4)
    return mean, noise + share * (1 - share) / reports, noise


def decode(
    asked: Question, tally: Tally, confidence: float, group: int = 0
) -> tuple[float, tuple[float, float], str, StandardError]:
    """Value, interval, the kind of interval, and the standard error of one group, from the counts of symbols."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    own = group if placement.parts > 1 else 0
    low, high = placement.low[own], placement.high[own]
    reports, cells = tally.reports[group], tally.cells[group]
    mean, total, noise = position(channel, cells, reports)
    error = StandardError(sampling=(high - low) * math.sqrt(total - noise), privacy=(high - low) * math.sqrt(noise))
    if channel.cells == 2:
        values = np.asarray(channel.decode)
        ends = [_bit_bound(cells, reports, values, confidence, upper=upper) for upper in (False, True)]
        kind = "guaranteed (exact binomial)"
    else:
        reach = two_sided(confidence) * math.sqrt(total)
        ends = [mean - reach, mean + reach]
        kind = "normal approximation, no assumption on the users"
    interval = within((low + (high - low) * ends[0], low + (high - low) * ends[1]), low, high)
    return min(high, max(low, low + (high - low) * mean)), interval, kind, error


def _bit_bound(cells: tuple[int, ...], reports: int, values: np.ndarray, confidence: float, *, upper: bool) -> float:
    """Clopper–Pearson on the number of ones, mapped to a position. Also valid when users differ (Hoeffding 1956)."""
    from scipy.special import betaincinv  # 100 ms at import; only this interval needs it

    ones, tail = cells[1], (1 - confidence) / 2
    if upper:
        rate = 1.0 if ones == reports else float(betaincinv(ones + 1, reports - ones, 1 - tail))
    else:
        rate = 0.0 if ones == 0 else float(betaincinv(ones, reports - ones + 1, tail))
    return float(values[0] + (values[1] - values[0]) * rate)


def predicted_mse(
    *, users: float, observations: int, low: float, high: float, epsilon: float, sampling: float | None = None
) -> float:
    """Mean squared error, positions spread evenly, users alike with the largest spread that T observations allow.

    `sampling` is the variance of a user's average where more is known than the range.
    """
    noise = (high - low) ** 2 * float(best_table(epsilon).variance(np.linspace(0, 1, 257)).mean())
    return (noise + ((high - low) ** 2 * 0.25 / observations if sampling is None else sampling)) / users
