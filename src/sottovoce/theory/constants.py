"""C_α of the paper's experiments: its four values, and by its own recipe the others (L1034, L1081).

The paper sets .5 at α = ½ and 1 and .25 at α = 2 and 4 after looking at curves of the mean squared error over C, and
leaves other α to "further simulations". The rule here needs no looking, and gives the paper's four values: of C = .25,
.5, .75 and 1 the one with the least geometric mean of the exact risk over setting 2 (`SETTING_2`: ±1 observations with
a shift uniform on ± .3). Where even then the widened interval misses the mean in half of the surveys or more, on
average, as at α = ¼ and below, the setting says nothing, and the value at ½ is kept.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from sottovoce.theory.exact_risk import exact_risk
from sottovoce.theory.laws import Rademacher
from sottovoce.theory.rate import check_positive, log1

CANDIDATES = (0.25, 0.5, 0.75, 1.0)
SETTING_2 = ((100, 100), (300, 100), (500, 100), (100, 300), (100, 500))
"""(n, T): one of them grows from 100 to 500 while the other stays (L1034)."""
SHIFT = (-0.3, 0.3)
_TABLE = {0.5: 0.5, 1.0: 0.5, 1.25: 0.5, 1.5: 0.5, 1.75: 0.25, 2.0: 0.25, 3.0: 0.25, 4.0: 0.25, 8.0: 0.25, 16.0: 0.25}
"""By `recipe`; ``python -m benchmarks.tuning_constant`` computes it again."""


def experiment_constant(epsilon: float) -> float:
    """C_α: the table of the recipe, a straight line between its points, and its ends beyond them."""
    check_positive(epsilon=epsilon)
    points = tuple(_TABLE)
    place = bisect_right(points, epsilon)
    if place in (0, len(points)):
        return _TABLE[points[min(place, len(points) - 1)]]
    left, right = points[place - 1], points[place]
    part = (epsilon - left) / (right - left)
    return _TABLE[left] + part * (_TABLE[right] - _TABLE[left])


def tabled() -> dict[float, float]:
    """The points of the table: α and its C."""
    return dict(_TABLE)


def recipe(
    epsilon: float, *, sizes: Sequence[tuple[int, int]] = SETTING_2, compiled: bool = False
) -> tuple[float | None, dict[float, float]]:
    """The C that the rule takes, None where the setting says nothing; and each candidate's risk, in parts of the least.

    `sizes` are the (n, T) that it looks at; `compiled` uses numba (extra ``fast``).
    """
    check_positive(epsilon=epsilon)
    logs, misses = dict.fromkeys(CANDIDATES, 0.0), dict.fromkeys(CANDIDATES, 0.0)
    for users, observations in sizes:
        wide = math.sqrt(log1(users * observations * epsilon**2) / observations)
        for constant in CANDIDATES:
            found = exact_risk(
                users=users,
                observations=observations,
                epsilon=epsilon,
                delta=constant * wide,
                law=Rademacher(),
                shift=SHIFT,
                resolution=1.0,
                compiled=compiled,
            )
            logs[constant] += math.log(found.mse) / len(sizes)
            misses[constant] += found.misses / len(sizes)
    best = min(CANDIDATES, key=logs.__getitem__)
    relative = {constant: math.exp(value - logs[best]) for constant, value in logs.items()}
    return (best if misses[best] < 0.5 else None), relative
