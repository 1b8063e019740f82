"""Channels for votes (subset selection, unary encoding), and the paper's own: two-sided geometric noise on a grid."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache

from sottovoce.design.tables import ratio
from sottovoce.messages import (
    MAX_CHANNEL_EPSILON,
    ONE,
    ONE_WIDE,
    STEPS,
    Laplace,
    Subset,
    Unary,
    check,
    exact,
    exp_below,
)


@lru_cache(maxsize=512, typed=True)  # a float is the number that a person means by it, a fraction itself
def subset(epsilon: float | Fraction, items: int, *, size: int | None = None) -> Subset:
    """Subset selection; the default size K / (1 + e^ε) is the best one (Ye and Barg 2018)."""
    most = ratio(exact(epsilon))
    size = max(1, min(items - 1, round(items / (1 + most)))) if size is None else size
    return Subset(items=items, size=size, threshold=math.floor(ONE * most * size / (most * size + items - size)))


def unary(epsilon: float | Fraction, items: int, *, reach: int = 0) -> Unary:
    """Unary encoding: each of the bits in which two hot sets can differ pays an equal part of ε."""
    parts = Unary(items=items, reach=reach, threshold=ONE // 2).disagreements() or 2 * (2 * reach + 1)
    most = ratio(exact(epsilon) / parts)
    return Unary(items=items, reach=reach, threshold=math.floor(ONE * most / (1 + most)))


# Two-sided geometric noise on an integer grid: the paper's own mode.

LAPLACE_CLAMP_SCALES = 16
"""How far beyond the grid noise is clamped, in scales: it gets there with probability e^-16. Chosen by hand."""
LAPLACE_SLACK = Fraction(1, 2**33)
"""Of ε, which pays for the rounding of the digits; chosen by hand, and grown where it does not suffice."""
_LAPLACE_ROOM = 26
"""Scales that the digits reach beyond the clamp: what they cut off costs e^-26 in ε. Chosen by hand."""
MIN_LAPLACE_EPSILON = Fraction(1, 10**7)


def laplace(epsilon: float | Fraction, *, steps: int = STEPS) -> Laplace:
    """Two-sided geometric noise of scale steps / ε, clamped 16 scales beyond the grid."""
    return _best_laplace(exact(epsilon), steps)


@cache
def _best_laplace(budget: Fraction, steps: int) -> Laplace:
    check(
        MIN_LAPLACE_EPSILON <= budget <= Fraction(MAX_CHANNEL_EPSILON),
        f"a laplace channel has ε in [1e-07, {MAX_CHANNEL_EPSILON:g}]",
    )
    slack = LAPLACE_SLACK
    while (channel := _laplace(budget - slack, steps)).epsilon_bound() > budget:
        slack *= 4  # few steps and a large ε: the rarest digits round more coarsely
    return channel


def _laplace(target: Fraction, steps: int) -> Laplace:
    rate = target / steps
    bound = math.ceil(LAPLACE_CLAMP_SCALES / rate)
    places = math.ceil(math.log2(bound + steps + _LAPLACE_ROOM / rate))
    digits = [math.floor(ONE_WIDE / (1 + exp_below(2**place * rate))) for place in range(places)]
    return Laplace(steps=steps, bound=bound, digits=tuple(digits))
