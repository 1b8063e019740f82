"""Centres as points: which is nearest, where users may lie, and how many then hold each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Fact, InvalidInput
from sottovoce.problems.cover.settings import CoverSelect
from sottovoce.risk import Crowd

Floats = NDArray[np.float64]
_DRAWS = 4096
_BLOCK_CELLS = 2**21


def points(settings: CoverSelect) -> Floats:
    """The centres ``(N, d)``; a cover by its size alone has none."""
    if settings.centres is None:
        raise InvalidInput("a cover given by its size alone has no distances", fix="a plan needs centres")
    return np.asarray(settings.centres, dtype=np.float64)


def nearest(settings: CoverSelect, places: Floats) -> NDArray[np.intp]:
    """The index of the centre nearest to each place ``(m, d)``, ties to the lower index."""
    centres = points(settings)
    size = max(1, _BLOCK_CELLS // centres.size)
    found = []
    for first in range(0, len(places), size):
        apart = np.abs(places[first : first + size, None, :] - centres[None, :, :])
        far = (apart**2).sum(axis=2) if settings.metric == "l2" else apart.max(axis=2)
        found.append(far.argmin(axis=1))
    return np.concatenate(found)


def worst_place(settings: CoverSelect) -> Floats:
    """A point about halfway between the middle centre and its nearest neighbour: nearly the worst place."""
    centres = points(settings)
    middle = centres[((centres - centres.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    others = ((centres - middle) ** 2).sum(axis=1)
    next_ = centres[np.where(others > 0, others, np.inf).argmin()]
    return np.asarray(middle + 0.45 * (next_ - middle))


def place(settings: CoverSelect, crowd: Crowd) -> Floats:
    """Where the users lie: as stated, the same in every coordinate, or the worst place."""
    if crowd.around is None:
        return worst_place(settings)
    return np.full(points(settings).shape[1], crowd.around)


def shares(settings: CoverSelect, crowd: Crowd) -> Floats:
    """How many users are nearest to each centre, from a fixed sample of a bell."""
    deviation = math.hypot(crowd.spread or 0.0, crowd.within or 0.0)
    crowd.check_range(*(float(end) for end in (points(settings).min(), points(settings).max())))
    truth = place(settings, crowd)
    draws = _DRAWS if deviation else 1
    bell = np.random.Generator(np.random.PCG64(1)).standard_normal((draws, len(truth)))
    held = nearest(settings, truth + deviation * bell)
    return np.asarray(np.bincount(held, minlength=settings.count) / draws)


def half_width(settings: CoverSelect) -> float:
    """Half the width of the cover."""
    return float(np.ptp(points(settings), axis=0).max()) / 2


def assumed_crowd(crowds: Sequence[Crowd]) -> Fact:
    """What a plan of a cover assumes."""
    crowd = crowds[0]
    spread = math.hypot(crowd.spread or 0.0, crowd.within or 0.0)
    return Fact("crowd-of-centres", around=crowd.around, spread=spread)
