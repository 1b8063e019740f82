"""A value with a lower mean squared error where few users speak through much noise, at the price of a bias.

The posterior mean of a position under a prior that knows nothing but the range: 85 % arcsine, which leaves room at the
ends, and 15 % normal around the middle. With deviation s of the unbiased value the mean squared error is, in parts of
that of the unbiased value clamped to the range (truth at .5, .7, .9 and 1 of the range):
s = .2 (n·ε² about 25) .77 .76 .95 1.4; s = .115 (75) .92 1.0 .74 1.2; s = .063 (250) .91 1.1 .76 1.1.
"""

from __future__ import annotations

import math

import numpy as np

PLACES = 2000
MIDDLE_SHARE = 0.15
MIDDLE_DEVIATION = 0.15


def shrunk(position: float, variance: float) -> float:
    """The posterior mean on [0, 1] of an unbiased position with this variance."""
    angles = (np.arange(PLACES) + 0.5) * math.pi / PLACES
    places = (1 - np.cos(angles)) / 2  # arcsine: even in the angle
    middle = np.exp(-(((places - 0.5) / MIDDLE_DEVIATION) ** 2) / 2) * np.sin(angles)
    prior = (1 - MIDDLE_SHARE) / PLACES + MIDDLE_SHARE * middle / middle.sum()
    squares = (places - position) ** 2
    weights = prior * np.exp(-(squares - squares.min()) / (2 * variance))
    return float(weights @ places / weights.sum())
