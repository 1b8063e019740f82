"""Two-sided geometric noise on an integer grid: the paper's own mode."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from sottovoce.messages import MAX_CHANNEL_EPSILON, ONE_WIDE, STEPS, Laplace, check, exact, exp_below

LAPLACE_CLAMP_SCALES = 16
LAPLACE_SLACK = Fraction(1, 2**33)
_LAPLACE_ROOM = 26
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
    return _fitting_laplace(budget, steps)


@cache
def _fitting_laplace(budget: Fraction, steps: int) -> Laplace:
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
