"""The likelihood ratio that an ε allows."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from sottovoce.messages import MAX_CHANNEL_EPSILON, check, exp_below


@cache
def ratio(epsilon: Fraction) -> Fraction:
    """A rational E ≤ e^ε, close to it: what every table starts from."""
    check(0 < epsilon <= Fraction(MAX_CHANNEL_EPSILON), f"a channel has ε in (0, {MAX_CHANNEL_EPSILON:g}]")
    return exp_below(epsilon)


def coth_half(epsilon: Fraction) -> float:
    """coth(ε/2), how far one bit decodes: the same float on every processor."""
    most = ratio(epsilon)
    return float((most + 1) / (most - 1))
