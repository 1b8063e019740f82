"""The regime diagram (L663–L746): user-level against nT items, by T and y = nα²/d.

Constants and logarithmic factors are left out of the diagram, so the boundaries are places to look at, not numbers to
plan with. They are written as the paper draws them: all meet at T = 1, y = 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from sottovoce.messages import Fact, InvalidInput
from sottovoce.theory.rate import check_positive, exp

Panel = Literal["l2", "sparse"]
Region = Literal["both impossible", "user-level easier", "user-level harder", "equivalent"]
REGIMES: dict[Region, Fact] = {region: Fact(f"regime-{region.replace(' ', '-')}") for region in get_args(Region)}
"""What each region means for a survey."""
DRAWN_CORNER = 4.0
"""Where the drawn boundary T = (d/nα²)·e^{nα²} meets y = 1; the paper draws y = 4/T."""


@dataclass(frozen=True)
class Boundary:
    """A curve y(T) between two regions, for `first` ≤ T ≤ `last`."""

    formula: str
    curve: Callable[[float], float]
    first: float = 1.0
    last: float = math.inf


def boundaries(panel: Panel, *, corner: float = DRAWN_CORNER) -> tuple[Boundary, ...]:
    """The curves of a panel, lowest first; `corner` is e^{nα²}, held fixed along the sparse panel's last curve."""
    top = Boundary("T = e^{nα²/d}", lambda T: 1 + math.log(T))
    if panel == "l2":
        return Boundary("T = d/(nα²)", lambda T: 1 / T), top
    if panel != "sparse":
        raise InvalidInput(rule="panel must be l2 or sparse", got=panel)
    return (
        Boundary("T = log(d/(nα²))", lambda T: exp(1 - T)),
        Boundary("nα² = d", lambda T: 1.0, last=corner),
        Boundary("T = (d/nα²)·e^{nα²}", lambda T: corner / T, first=corner),
        top,
    )


def regime(panel: Panel, *, observations: float, level: float, corner: float = DRAWN_CORNER) -> Region:
    """The region of the point (T, y = nα²/d); on a boundary, the region above it."""
    check_positive(observations=observations, level=level, corner=corner)
    if observations < 1:
        raise InvalidInput(rule="observations must be at least 1", got=observations)
    curves = boundaries(panel, corner=corner)
    heights = [b.curve(observations) for b in curves if b.first <= observations <= b.last]
    if level < heights[0]:
        return "both impossible"
    if level >= heights[-1]:
        return "equivalent"
    if panel == "l2" or level >= heights[1]:
        return "user-level harder"
    return "user-level easier"


def regime_of(panel: Panel, *, users: float, observations: float, epsilon: float, dimension: int) -> Region:
    """The region of a collection: y = n·min(α, α²)/d, and the sparse panel's corner at e^{n·min(α, α²)}."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension)
    strength = users * min(epsilon, epsilon**2)
    corner = max(1.0, min(exp(strength), 1e300))
    return regime(panel, observations=observations, level=strength / dimension, corner=corner)
