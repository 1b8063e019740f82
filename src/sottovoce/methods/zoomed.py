"""What a zoom found, and how far users whom its radii cut off may have moved each entry of it.

A vector v = X − centre longer than the radius r counts as r·v/|v|, so that entry j loses (1 − r/|v|)·|v_j|. With the
position x = clip((|v| − r)/r, 0, 1) of a check, that is at most x·r·|v_j|/|v| up to |v| = 2r, and (1 − r/|v|)·|v_j|
beyond, where x = 1: never more than E[x] times the farthest that anybody can lie from the centre in entry j. In a box
this is far less than the farthest that anybody can lie away in length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.methods.bins import rounded
from sottovoce.methods.directions import Floats, Found, distance
from sottovoce.methods.outside import Outside


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Where vectors can lie: in a ball around `middle`, and in whatever `project` returns to."""

    middle: tuple[float, ...]
    radius: float
    low: tuple[float, ...]
    high: tuple[float, ...]
    project: Callable[[Floats], Floats]
    far: Callable[[Sequence[float]], float]
    """The largest distance that anybody can have from a point."""

    def on_lattice(self, centre: Floats) -> tuple[float, ...]:
        """A centre that goes into a question."""
        inside = self.project(centre)
        return tuple(
            rounded((float(value),), low, high)[0] for value, low, high in zip(inside, self.low, self.high, strict=True)
        )

    def farthest(self, centre: Sequence[float]) -> Floats:
        """The same in each entry."""
        at = np.asarray(centre)
        return np.asarray(np.maximum(np.asarray(self.high) - at, at - np.asarray(self.low)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """Direction reports from one centre, with one radius."""

    found: Found
    centre: tuple[float, ...]
    radius: float


@dataclass(frozen=True, kw_only=True)
class Zoomed:
    """The mean of the vectors, and how far whoever lies outside may have moved it (`bias`, in length)."""

    found: Found
    bias: float
    centre: tuple[float, ...]
    radius: float
    stages: int
    fired: bool
    lost: bool
    """Only the full ball was left."""
    outside: Outside | None = None
    """What the last check said; None where nobody can be cut off."""
    typical: float | None = None
    """The users' median distance from the centre, where it was asked for."""
    earlier: tuple[Stage, float] | None = None
    """A stage that counts beside the last one, and its weight."""
    pulls: tuple[tuple[float, float], ...] = ()
    """How far colluders could have moved an entry: pairs of a share of the users and a distance."""

    def moved(self, position: float, domain: Domain) -> Floats:
        """At most how far each entry is moved, if the mean position of a check is truly this."""
        if self.outside is None:
            return np.zeros(len(self.centre))
        own, far, radius = domain.farthest(self.centre), domain.far(self.centre), self.radius
        reach = np.maximum(np.minimum(radius, own), np.minimum(far - radius, (1 - radius / far) * own))
        if self.earlier is None:
            return np.asarray(position * reach)
        stage, weight = self.earlier
        apart = radius + distance(self.centre, stage.centre)  # whom the last stage holds, the earlier one may cut
        cut = max(0.0, 1 - stage.radius / apart)
        by_entry = (cut + position) * domain.farthest(stage.centre)
        by_length = position * max(radius, far - radius) + cut * apart
        return np.asarray((1 - weight) * position * reach + weight * np.minimum(by_entry, by_length))
