"""One Hadamard coefficient of the shares from each user, on its full range: unbiased, nothing clipped.

With K the next power of two, shares are (1 + Σ_g H_jg μ_g)/K over the K − 1 coefficients besides the first, which is
known: a user's shares add up to one.
"""

from __future__ import annotations

import numpy as np

from sottovoce.messages import Categories, Coefficient, Encoder, Position, Question, Table, Tally, walsh_hadamard
from sottovoce.methods.asking import Asking
from sottovoce.methods.directions import Found
from sottovoce.methods.full_range import best_table
from sottovoce.risk import table_reach

MOST_CATEGORIES = 32
"""Up to so many categories coefficients can say more than items: the noise of each is shared by all of them."""


def coefficient_groups(size: int) -> int:
    """K − 1."""
    return (1 << (size - 1).bit_length()) - 1


def coefficient_question(asking: Asking, count: float, *, vector: Categories) -> Question:
    """`count` users say what a public half of their shares adds up to, less the other half."""
    return asking.question(
        count,
        role="coefficient",
        encoder=Encoder(statistic=Coefficient(vector=vector), placement=Position(low=(-1.0,), high=(1.0,))),
        channel=best_table(asking.epsilon),
        groups=coefficient_groups(vector.size),
    )


def coefficients_found(asked: Question, tally: Tally) -> Found:
    """The shares that a tally of coefficients says."""
    statistic, channel = asked.encoder.statistic, asked.channel
    assert isinstance(statistic, Coefficient) and isinstance(channel, Table)
    counts, reports = tally.counts(), np.array(tally.reports, dtype=np.float64)
    values = 2 * np.asarray(channel.decode) - 1
    means = counts @ values / reports
    inside = (np.clip(means, -1.0, 1.0) + 1) / 2
    variance = np.maximum(counts @ values**2 / reports - means**2, 4 * channel.variance(inside)) / reports
    whole, size = asked.groups + 1, statistic.vector.size
    shares = walsh_hadamard(np.concatenate(([1.0], means)))[:size] / whole
    known = (1 - 1 / size) / (
        1 - 1 / whole
    )  # what lies beyond the last category is nothing, and its error is taken off
    return Found(
        value=shares - (float(shares.sum()) - 1) / size,
        variance=np.full(size, known * float(variance.sum()) / whole**2),
        reports=int(reports.sum()),
    )


def coefficient_variance(epsilon: float, size: int, apart: float) -> float:
    """Of what one report says of a share, for users whose shares lie so far apart (mean squared distance)."""
    whole, groups = coefficient_groups(size) + 1, coefficient_groups(size)
    noise = 4 * float(best_table(epsilon).variance(np.linspace(0.0, 1.0, 257)).mean())
    known = (1 - 1 / size) / (1 - 1 / whole)
    return known * (groups / whole) ** 2 * (noise + apart * whole / groups)


def coefficient_reach(epsilon: float, size: int) -> float:
    """How far one colluder can pull a share: one of K − 1 coefficients, by the most that a report can say."""
    return table_reach(best_table(epsilon), 2.0) * coefficient_groups(size) / (coefficient_groups(size) + 1)
