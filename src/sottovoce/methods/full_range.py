"""Everybody at once, on the full range, through the best finite channel: nothing is assumed about the users.

With the one-bit table (ε below about 1) the interval is exact; with larger tables it is a normal approximation. The
same reports say how many users lie at the ends of the range, and give a value with less error at the price of a bias.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sottovoce.answers import StandardError, two_sided, within
from sottovoce.design import best_position_table
from sottovoce.messages import (
    Average,
    Bins,
    Encoder,
    Fact,
    Knots,
    Position,
    Question,
    Slots,
    Statistic,
    Subset,
    Table,
    Tally,
    exact,
)
from sottovoce.methods.bins import BinShares
from sottovoce.methods.interval_limits import guaranteed_interval
from sottovoce.methods.waves_and_folds import GroupMeans
from sottovoce.risk import Averages, Poisoning, Prediction, full_range_risk, reach_from, table_reach

AVERAGE = Average()
ENOUGH_TO_MEASURE = 200
"""Reports from which their own variance is trusted; with fewer, users are taken to differ as much as they can."""


def best_table(epsilon: float) -> Table:
    """One bit or a piecewise table, whichever has the lower variance at this ε."""
    return best_position_table(exact(epsilon))


@dataclass(frozen=True, kw_only=True)
class FullRange:
    """One question to all `slots`: the statistic on the full range of each group, one group a user.

    `low` and `high` have one entry for all groups, or one for each. `channel` is the closed form unless given.
    """

    survey: str
    slots: Slots
    low: tuple[float, ...]
    high: tuple[float, ...]
    epsilon: float
    statistic: Statistic = AVERAGE
    groups: int = 1
    round: int = 0
    channel: Table | None = None

    @property
    def users_per_round(self) -> tuple[int, ...]:
        return (self.slots.count,)

    @property
    def step(self) -> float:
        return 0.0

    @cached_property
    def table(self) -> Table:
        return best_table(self.epsilon) if self.channel is None else self.channel

    def question(self) -> Question:
        """The only question."""
        return Question(
            survey=self.survey,
            round=self.round,
            role="mean",
            slots=self.slots,
            encoder=Encoder(statistic=self.statistic, placement=Position(low=self.low, high=self.high)),
            channel=self.table,
            epsilon=self.epsilon,
            groups=self.groups,
        )

    def script(self) -> Generator[Question, Tally, GroupMeans]:
        """Ask, then decode."""
        asked = self.question()
        return decode_means(asked, (yield asked))

    def risk(self, averages: Averages, *, clamp: bool = False) -> Prediction:
        """`clamp`: the estimate itself never leaves the range, which shows when the noise is as wide as the range."""
        users = self.slots.count / self.groups
        low, high = self.low[0], self.high[0]
        return full_range_risk(averages, users=users, low=low, high=high, table=self.table, clamp=clamp)

    def poisoning(self, laws: Sequence[Averages]) -> Poisoning:
        width = max(high - low for low, high in zip(self.low, self.high, strict=True))
        return Poisoning(reach=table_reach(self.table, width))

    def poisoned(self, value: float) -> Poisoning:
        """What colluders could have done to the first group, as it was found."""
        width = self.high[0] - self.low[0]
        return Poisoning(reach=reach_from(self.table, width, (value - self.low[0]) / width))

    def words(self) -> Fact:
        return Fact("full-range", folds=self.groups)


def decode_position(channel: Table, cells: tuple[int, ...], reports: int) -> tuple[float, float, float]:
    """The unbiased position on [0, 1] from counts of symbols, its variance, and the part of it that is noise."""
    counts, values = np.array(cells, dtype=np.float64), np.asarray(channel.whole)
    mean = float(counts @ values) / reports
    inside = np.array([min(1.0, max(0.0, mean))])
    noise = float(channel.variance(inside)[0]) / reports
    if reports >= ENOUGH_TO_MEASURE:
        return mean, max(noise, (float(counts @ values**2) / reports - mean**2) / (reports - 1)), noise
    # Users at both ends: the widest they can differ, the share at each moved toward a half as Wilson's interval does.
    share = (reports * float(inside[0]) + 2) / (reports + 4)
    return mean, noise + share * (1 - share) / reports, noise


def decode_means(asked: Question, tally: Tally) -> GroupMeans:
    """Unbiased means of every group from counts of table symbols."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    low = np.broadcast_to(placement.low, asked.groups)
    width = np.broadcast_to(placement.high, asked.groups) - low
    pairs = zip(tally.cells, tally.reports, strict=True)
    decoded = np.array([decode_position(channel, cells, reports) for cells, reports in pairs])
    return GroupMeans(
        value=low + width * decoded[:, 0],
        sampling=width**2 * (decoded[:, 1] - decoded[:, 2]),
        privacy=width**2 * decoded[:, 2],
        localisation=np.zeros(asked.groups),
        answered=(sum(tally.reports) // asked.uses,),
        uses=asked.uses,
    )


def decode_with_interval(
    asked: Question, tally: Tally, confidence: float, group: int = 0
) -> tuple[float, tuple[float, float], Fact, StandardError]:
    """Unbiased value, interval, the kind of interval, and the standard error of one group."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    part = group if placement.parts > 1 else 0
    low, high = placement.low[part], placement.high[part]
    reports, cells = tally.reports[group], tally.cells[group]
    mean, total, noise = decode_position(channel, cells, reports)
    error = StandardError(sampling=(high - low) * math.sqrt(total - noise), privacy=(high - low) * math.sqrt(noise))
    if channel.cells == 2:
        values = np.asarray(channel.whole)
        ends = [_bit_bound(cells, reports, values, confidence, upper=upper) for upper in (False, True)]
        kind = Fact("exact-binomial")
    else:
        reach = two_sided(confidence) * math.sqrt(total)
        ends = [mean - reach, mean + reach]
        kind = Fact("normal-without-assumption")
    interval = within((low + (high - low) * ends[0], low + (high - low) * ends[1]), low, high)
    return low + (high - low) * mean, interval, kind, error


def decode_with_guarantee(
    asked: Question, tally: Tally, confidence: float
) -> tuple[float, tuple[float, float], StandardError]:
    """The unbiased value of the only group, an interval around it that assumes nothing, and the standard error."""
    channel, placement = asked.channel, asked.encoder.placement
    assert isinstance(channel, Table) and isinstance(placement, Position)
    low, width = placement.low[0], placement.high[0] - placement.low[0]
    cells, reports = tally.cells[0], tally.reports[0]
    mean, total, noise = decode_position(channel, cells, reports)
    error = StandardError(sampling=width * math.sqrt(total - noise), privacy=width * math.sqrt(noise))
    ends = guaranteed_interval(channel, cells, reports, confidence)
    return low + width * mean, (low + width * ends[0], low + width * ends[1]), error


def _bit_bound(cells: tuple[int, ...], reports: int, values: np.ndarray, confidence: float, *, upper: bool) -> float:
    """Clopper–Pearson on the number of ones, mapped to a position. Also valid when users differ (Hoeffding 1956)."""
    from scipy.special import betaincinv  # 100 ms at import; only this interval needs it

    ones, tail = cells[1], (1 - confidence) / 2
    if upper:
        rate = 1.0 if ones == reports else float(betaincinv(ones + 1, reports - ones, 1 - tail))
    else:
        rate = 0.0 if ones == 0 else float(betaincinv(ones, reports - ones + 1, tail))
    return float(values[0] + (values[1] - values[0]) * rate)


# How many users lie at the ends of the declared range, from reports alone: a range that misses them shows there.


@dataclass(frozen=True, kw_only=True)
class AtEnd:
    """The share of the users within `reach` of an end of the range, in units of the observations.

    Reports are clamped, so those beyond the end are among them. `error` is the standard error of `share`.
    """

    share: float
    error: float
    reach: float


def shares_at_ends(
    asked: Question, tally: Tally, *, low: float, high: float, reach: float
) -> tuple[AtEnd | None, AtEnd | None]:
    """The share of the users at the low end and at the high end, as one question shows them; None where it does not.

    *Bins* through subset selection: the unbiased shares of the outermost bins, where these are no wider than `reach`.

    *Positions* through a table that decodes without bias, on an interval that begins at the end in question: let X ≥ 0
    be how far a user lies from that end. Markov's inequality, P(X ≥ r) ≤ E X / r, gives P(X < r) ≥ 1 − E X / r, and the
    right-hand side is estimated without bias by the decoded mean. So this is a lower bound on the share within r:
    `reach`, or the whole interval where that is shorter. One bit says no more than that; tables with more symbols
    could, and are read the same way. *Along knots* X goes on to the first knot that is no nearer than `reach`, and no
    further: from there on everybody counts alike.
    """
    channel, placement = asked.channel, asked.encoder.placement
    if asked.encoder.parts != 1 or asked.uses != 1:
        return None, None
    if isinstance(channel, Subset) and isinstance(placement, Bins):
        shares = BinShares.of(asked, tally)
        outer = (placement.edges[0] - low, high - placement.edges[-1])
        weights = np.eye(shares.bins)
        errors = np.sqrt(shares.variance(weights))
        first, last = (
            AtEnd(share=float(shares.share[place]), error=float(errors[place]), reach=width)
            if 0 < width <= reach
            else None
            for place, width in zip((0, -1), outer, strict=True)
        )
        return first, last
    if isinstance(channel, Table) and isinstance(placement, Position) and channel.whole:
        start, stop = placement.low[0], placement.high[0]
        cells = tuple(tally.counts().sum(axis=0).tolist())
        mean, total, _ = decode_position(channel, cells, sum(tally.reports))
        part = min(1.0, reach / (stop - start))
        error, width = math.sqrt(total) / part, part * (stop - start)
        return (
            AtEnd(share=1 - mean / part, error=error, reach=width) if start == low else None,
            AtEnd(share=1 - (1 - mean) / part, error=error, reach=width) if stop == high else None,
        )
    if isinstance(channel, Table) and isinstance(placement, Knots):
        shares, knots = tally.counts().sum(axis=0) / sum(tally.reports), np.array(placement.places)
        away = np.stack((knots - low, high - knots))
        first = np.where(away < reach, np.inf, away).min(axis=1, keepdims=True)
        decode = np.linalg.pinv(channel.probabilities) @ np.where(away <= first, 1 - away / reach, 0.0).T
        found, squares = shares @ decode, shares @ decode**2
        errors = np.sqrt(np.maximum(squares - found**2, 0.0) / sum(tally.reports))
        below, above = (
            AtEnd(share=share, error=error, reach=reach)
            for share, error in zip(found.tolist(), errors.tolist(), strict=True)
        )
        return (below if placement.low == low else None, above if placement.high == high else None)
    return None, None


# A value with a lower mean squared error where few users speak through much noise, at the price of a bias.
#
# The posterior mean of a position under a prior that knows nothing but the range: 85 % arcsine, which leaves room at
# the ends, and 15 % normal around the middle. Its mean squared error, in parts of that of the unbiased value clamped to
# the range (ε .25 to 1), by n·ε² and by where in the range the truth lies:
#
#     n·ε²    .5         .7         .8         .9         .95        1
#     25      .77–.81    .71–.76    .76–.77    .96–.97    1.2        1.4–1.5
#     75      .94–.95    .97–.98    .87–.89    .78–.80    .91–.93    1.3
#     250     .92        1.05       1.02       .84–.85    .79–.81    1.2–1.3

PLACES = 2000
FINEST = (5 / PLACES) ** 2
"""A variance below which nothing is pulled: places are too far apart to tell, and there is nothing to gain."""
MIDDLE_SHARE = 0.15
MIDDLE_DEVIATION = 0.15


def shrink_to_middle(position: float, variance: float) -> float:
    """The posterior mean on [0, 1] of an unbiased position with this variance; never farther from the middle."""
    if variance < FINEST:
        return min(1.0, max(0.0, position))
    angles = (np.arange(PLACES) + 0.5) * math.pi / PLACES
    places = (1 - np.cos(angles)) / 2  # arcsine: even in the angle
    middle = np.exp(-(((places - 0.5) / MIDDLE_DEVIATION) ** 2) / 2) * np.sin(angles)
    prior = (1 - MIDDLE_SHARE) / PLACES + MIDDLE_SHARE * middle / middle.sum()
    squares = (places - position) ** 2
    weights = prior * np.exp(-(squares - squares.min()) / (2 * variance))
    pulled, plain = float(weights @ places / weights.sum()), min(1.0, max(0.0, position))
    return pulled if abs(pulled - 0.5) < abs(plain - 0.5) else plain
