"""The mean of vectors in a ball: look from afar, look again from nearer by, learn how far users lie, check, and listen.

Users' lengths from the last centre set the radius of the last stage; nobody is assumed to be like anybody else. Stages
before the last count only where their radius held everybody that the last one holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np

from sottovoce.messages import Question, Tally, Vector
from sottovoce.schemes.asking import Asking
from sottovoce.schemes.directions import Floats, Found, directed_mean, direction_question, distance, pooled, response
from sottovoce.schemes.histogram import rounded
from sottovoce.schemes.lengths import length_question, lengths, users_for_lengths, usual_quantile
from sottovoce.schemes.outside import widen

MOST_STAGES = 3
FIRST = 0.15
_MOST, _LEFT = 0.35, 0.35


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


@dataclass(frozen=True, kw_only=True)
class Zoomed:
    """The mean of the vectors, and how far whoever lies outside may have moved it (`bias`)."""

    found: Found
    bias: float
    centre: tuple[float, ...]
    radius: float
    stages: int
    fired: bool
    lost: bool
    """Only the full ball was left."""


def pays(users: int, size: int, epsilon: float) -> bool:
    """Whether there are enough users to look twice."""
    return users >= 6 * size / response(epsilon) ** 2


def zoom(asking: Asking, *, vector: Vector, domain: Domain, observations: float) -> Generator[Question, Tally, Zoomed]:
    """Ask everybody who is left about the mean of `vector`."""
    m, size, everybody = response(asking.epsilon), vector.size, asking.left
    centre, radius = domain.middle, domain.radius
    if not pays(everybody, size, asking.epsilon):
        asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
        found = directed_mean(asked, (yield asked))
        return Zoomed(found=found, bias=0.0, centre=centre, radius=radius, stages=0, fired=False, lost=False)
    own = radius**2 / observations
    asked_lengths = users_for_lengths(everybody, asking.epsilon)
    stages: list[tuple[Found, tuple[float, ...], float]] = []
    uncertain = math.inf  # variance of an entry of the centre
    for _ in range(MOST_STAGES):
        count = min(_MOST * everybody, max(FIRST * everybody, 6 * size / m**2))
        if asking.left - count - asked_lengths < _LEFT * everybody:
            break
        asked = direction_question(asking, count, role="zoom", vector=vector, centre=centre, radius=radius)
        found = directed_mean(asked, (yield asked))
        stages.append((found, centre, radius))
        noise = radius**2 / m**2 / found.reports
        weight = 1.0 if math.isinf(uncertain) else uncertain / (uncertain + noise)
        uncertain = noise if math.isinf(uncertain) else uncertain * noise / (uncertain + noise)
        moved = [before + weight * (now - before) for before, now in zip(centre, found.value, strict=True)]
        centre = domain.on_lattice(np.array(moved))
        (radius,) = rounded(
            (min(domain.radius, math.sqrt(1.3 * size * uncertain + 1.5 * own)),), 0.0, 2 * domain.radius
        )
        if size * uncertain < 0.4 * own:
            break
    far = domain.far(centre)
    low, high = 0.1 * math.sqrt(own), 1.5 * domain.radius
    asked = length_question(asking, asked_lengths, vector=vector, centre=centre, low=low, high=high)
    law = lengths(asked, (yield asked))
    (radius,) = rounded((min(far, law.quantile(usual_quantile(everybody))),), 0.0, 2 * domain.radius)
    fired = lost = False
    bias = 0.0
    if radius < far:
        checked = yield from widen(asking, vector=vector, centre=centre, radius=radius, far=far, stop=domain.radius)
        fired, lost = checked.fired, checked.lost
        radius = far if lost else checked.radius
        bias = 0.0 if lost else checked.bias(far)
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = directed_mean(asked, (yield asked))
    used, missed = [last], [0.0]
    if not fired and stages:
        found, before, reach = stages[-1]
        if found.spread < 20 * last.spread and radius <= 1.1 * reach:
            used.append(found)
            missed.append(max(0.0, radius + distance(centre, before) - reach))
    together, weights = pooled(used)
    shift = bias + sum(float(weight) * more for weight, more in zip(weights, missed, strict=True))
    return Zoomed(found=together, bias=shift, centre=centre, radius=radius, stages=len(stages), fired=fired, lost=lost)
