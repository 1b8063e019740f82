"""The mean of vectors in a ball: look from afar, look again from nearer by, learn how far users lie, check, and listen.

Users' lengths from the last centre set the radius of the last stage; nobody is assumed to be like anybody else. Stages
before the last count only where their radius held everybody that the last one holds.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from sottovoce.messages import Question, Tally, Vector
from sottovoce.methods.adaptive import COLLUDING
from sottovoce.methods.asking import Asking
from sottovoce.methods.bins import rounded
from sottovoce.methods.directions import directed_mean, direction_question, distance, pooled, response
from sottovoce.methods.lengths import Lengths, length_question, lengths, users_for_lengths, usual_quantile
from sottovoce.methods.outside import Outside, widen
from sottovoce.methods.unclipped import FromMiddle, Unclipped, sway
from sottovoce.methods.zoomed import Domain, Stage, Zoomed

MOST_STAGES = 3
FIRST = 0.15
_MOST, _LEFT = 0.35, 0.35
WORTH = 0.8
"""A radius is used when the variance of a report there is below this part of one that cuts nobody off."""


def pays(users: int, size: int, epsilon: float) -> bool:
    """Whether there are enough users to look twice."""
    return users >= 6 * size / response(epsilon) ** 2


def stage_users(everybody: int, size: int, epsilon: float) -> float:
    """How many are asked in each stage but the last."""
    return min(_MOST * everybody, max(FIRST * everybody, 6 * size / response(epsilon) ** 2))


def room_for(count: float, *, left: int, everybody: int, epsilon: float) -> bool:
    """Whether enough users are left for another stage."""
    return left - count - users_for_lengths(everybody, epsilon) >= _LEFT * everybody


def next_radius(domain_radius: float, size: int, uncertain: float, own: float) -> float:
    """From a centre whose entries have this variance, for users alike whose lengths have the square `own`."""
    return min(domain_radius, math.sqrt(1.3 * size * uncertain + 1.5 * own))


def near_enough(size: int, uncertain: float, own: float) -> bool:
    """Whether another stage would bring nothing."""
    return size * uncertain < 0.4 * own


def zoom(
    asking: Asking, *, vector: Vector, domain: Domain, observations: float, unclipped: Unclipped | None = None
) -> Generator[Question, Tally, Zoomed]:
    """Ask everybody who is left about the mean of `vector`.

    `unclipped` is how the last users are asked where a radius is not worth it, or was not found; left out, with
    directions from the middle of the domain.
    """
    m, size, everybody = response(asking.epsilon), vector.size, asking.left
    centre, radius = domain.middle, domain.radius
    plain = FromMiddle(vector=vector, domain=domain, epsilon=asking.epsilon) if unclipped is None else unclipped
    if not pays(everybody, size, asking.epsilon):
        found = yield from plain.script(asking)
        return Zoomed(found=found, bias=0.0, centre=centre, radius=radius, stages=0, fired=False, lost=False)
    own = radius**2 / observations
    stages: list[Stage] = []
    uncertain = math.inf  # variance of an entry of the centre
    for _ in range(MOST_STAGES):
        count = stage_users(everybody, size, asking.epsilon)
        if not room_for(count, left=asking.left, everybody=everybody, epsilon=asking.epsilon):
            break
        asked = direction_question(asking, count, role="zoom", vector=vector, centre=centre, radius=radius)
        found = directed_mean(asked, (yield asked))
        stages.append(Stage(found=found, centre=centre, radius=radius))
        noise = radius**2 / m**2 / found.reports
        weight = 1.0 if math.isinf(uncertain) else uncertain / (uncertain + noise)
        uncertain = noise if math.isinf(uncertain) else uncertain * noise / (uncertain + noise)
        moved = [before + weight * (now - before) for before, now in zip(centre, found.value, strict=True)]
        centre = domain.on_lattice(np.array(moved))
        (radius,) = rounded((next_radius(domain.radius, size, uncertain, own),), 0.0, 2 * domain.radius)
        if near_enough(size, uncertain, own):
            break
    far = domain.far(centre)
    low, high = 0.1 * math.sqrt(own), 1.5 * domain.radius
    asked_lengths = users_for_lengths(everybody, asking.epsilon)
    asked_far = length_question(asking, asked_lengths, vector=vector, centre=centre, low=low, high=high)
    told_far = yield asked_far
    law = lengths(asked_far, told_far)
    (radius,) = rounded((min(far, law.quantile(usual_quantile(everybody))),), 0.0, 2 * domain.radius)
    fired, lost, outside = False, not _worth(radius, law, plain, m), None
    if not lost:
        checked = yield from widen(asking, vector=vector, centre=centre, radius=radius, far=far, stop=domain.radius)
        fired, radius, outside = checked.fired, checked.radius, checked.outside
        lost = checked.lost or not _worth(radius, law, plain, m)
    if lost:
        last = yield from plain.script(asking)
        first = [stage.found for stage in stages[:1]]  # nobody was cut off there either
        together, _ = pooled([last, *first])
        return Zoomed(
            found=together, bias=0.0, centre=domain.middle, radius=domain.radius, stages=len(stages), fired=fired,
            lost=True, typical=law.median, pulls=tuple((share, share * plain.reach) for share in COLLUDING),
        )  # fmt: skip
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = directed_mean(asked, (yield asked))
    assert outside is not None
    used, shift, earlier = [last], outside.bias(radius, far), None
    if not fired and stages:
        stage = stages[-1]
        if stage.found.spread < 20 * last.spread and radius <= 1.1 * stage.radius:
            used.append(stage.found)
    together, weights = pooled(used)
    if len(used) > 1:
        earlier = stages[-1], float(weights[1])
        shift += earlier[1] * max(0.0, radius + distance(centre, earlier[0].centre) - earlier[0].radius)
    claims = [lengths(asked_far, told_far, claimed=share).quantile(usual_quantile(everybody)) for share in COLLUDING]
    return Zoomed(
        found=together, bias=shift, centre=centre, radius=radius, stages=len(stages), fired=fired, lost=False,
        outside=outside, typical=law.median, earlier=earlier,
        pulls=tuple(
            (share, _pull(share, max(radius, claim), outside, domain, plain, asking.epsilon))
            for share, claim in zip(COLLUDING, claims, strict=True)
        ),
    )  # fmt: skip


def _worth(radius: float, law: Lengths, unclipped: Unclipped, m: float) -> bool:
    """Whether direction reports at this radius say more than those that cut nobody off."""
    return (radius / m) ** 2 < WORTH * unclipped.variance(law.median)


def _pull(share: float, radius: float, outside: Outside, domain: Domain, plain: Unclipped, epsilon: float) -> float:
    """How far colluders could have moved an entry: by their reports, and before by claims that users are far away.

    They move the centre while it is sought, and the radius has to hold the others from there; they name the longest
    lengths; and where that makes the check fire, with some luck, nobody is cut off in the end.
    """
    longer = radius + share * domain.radius * sway(epsilon)
    claimed = (1 - share) * outside.mean + share * outside.most
    if claimed + outside.error >= 2 * outside.error:
        return share * max(plain.reach, longer * (sway(epsilon) + 1))
    return share * longer * (sway(epsilon) + 1)
