"""A value with a lower mean squared error where few users speak through much noise, at the price of a bias.

The posterior mean of a position under a prior that knows nothing but the range: 85 % arcsine, which leaves room at the
ends, and 15 % normal around the middle. Its mean squared error, in parts of that of the unbiased value clamped to the
range (ε .25 to 1), by n·ε² and by where in the range the truth lies:

    n·ε²    .5         .7         .8         .9         .95        1
    25      .77–.81    .71–.76    .76–.77    .96–.97    1.2        1.4–1.5
    75      .94–.95    .97–.98    .87–.89    .78–.80    .91–.93    1.3
    250     .92        1.05       1.02       .84–.85    .79–.81    1.2–1.3
"""

from __future__ import annotations

import math

import numpy as np

PLACES = 2000
FINEST = (5 / PLACES) ** 2
"""A variance below which nothing is pulled: places are too far apart to tell, and there is nothing to gain."""
MIDDLE_SHARE = 0.15
MIDDLE_DEVIATION = 0.15


def shrunk(position: float, variance: float) -> float:
    """The posterior mean on [0, 1] of an unbiased position with this variance; never farther from the middle."""
    if variance < FINEST:
        return min(1.0, max(0.0, position))
    angles = (np.arange(PLACES) + 0.5) * math.pi / PLACES
    places = (1 - np.cos(angles)) / 2  # arcsine: even in the angle
    middle = np.exp(-(((places - 0.5) / MIDDLE_DEVIATION) ** 2) / 2) * np.sin(angles)
    prior = (1 - MIDDLE_SHARE) / PLACES + MIDDLE_SHARE * middle / middle.sum()
    squares = (places - position) ** 2
    weights = prior * np.exp(-(squares - squares.min()) / (2 * variance))
    found, plain = float(weights @ places / weights.sum()), min(1.0, max(0.0, position))
    return found if abs(found - 0.5) < abs(plain - 0.5) else plain
