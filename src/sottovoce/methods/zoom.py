"""The mean of vectors in a ball: look from afar, look again from nearer by, learn how far users lie, check, and listen.

Users' lengths from the last centre set the radius of the last stage; nobody is assumed to be like anybody else. Stages
before the last count only where their radius held everybody that the last one holds.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from sottovoce.messages import Floats, Question, Tally, Vector
from sottovoce.methods.bins import on_lattice, separation
from sottovoce.methods.radius import (
    CHECKED,
    LengthLaw,
    OutsideCheck,
    check_radius,
    length_law,
    length_question,
    users_for_lengths,
    usual_quantile,
)
from sottovoce.methods.vector_reports import (
    Domain,
    MeanVector,
    Unclipped,
    decode_directions,
    direction_question,
    direction_response,
    direction_sway,
    pool_mean_vectors,
)
from sottovoce.methods.waves_and_folds import RoundMaker
from sottovoce.risk import COLLUDING, Prediction

# What a zoom found, and how far users whom its radii cut off may have moved each entry of it.


@dataclass(frozen=True, kw_only=True, eq=False)
class Stage:
    """Direction reports from one centre, with one radius."""

    found: MeanVector
    centre: tuple[float, ...]
    radius: float


@dataclass(frozen=True, kw_only=True)
class ZoomResult:
    """The mean of the vectors, from where it was asked about in the end."""

    found: MeanVector
    centre: tuple[float, ...]
    radius: float
    stages: int
    fired: bool
    """Whether a check found users outside."""
    outside: OutsideCheck | None = None
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
        apart = radius + math.dist(self.centre, stage.centre)  # whom the last stage holds, the earlier one may cut
        cut = max(0.0, 1 - stage.radius / apart)
        by_entry = (cut + position) * domain.farthest(stage.centre)
        by_length = position * max(radius, far - radius) + cut * apart
        return np.asarray((1 - weight) * position * reach + weight * np.minimum(by_entry, by_length))


# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.methods.zoom:NAME VALUE … --problem vector
MOST_STAGES = 3
FIRST = 0.15
_MOST, _LEFT = 0.35, 0.35
WORTH = 0.8
"""A radius is used when the variance of a report there is below this part of one that cuts nobody off."""


def reports_for_centre(size: int, epsilon: float) -> float:
    """How many direction reports place a centre of so many entries well enough to go on from there: six for each.

    Six reports without noise; chosen by hand: fewer leave a centre that is no better than the middle.
    """
    return 6 * size / direction_response(epsilon) ** 2


def stage_users(everybody: int, size: int, epsilon: float) -> float:
    """How many are asked in each stage but the last."""
    return min(_MOST * everybody, max(FIRST * everybody, reports_for_centre(size, epsilon)))


def room_for(count: float, *, left: int, everybody: int, epsilon: float) -> bool:
    """Whether enough users are left for another stage."""
    return left - count - users_for_lengths(everybody, epsilon) >= _LEFT * everybody


ROOM_FOR_NOISE, ROOM_FOR_USERS = 1.3, 1.5
"""How much more than expected the square of a next radius allows for, of an uncertain centre and of users' own lengths.
Chosen by hand: less cuts users off, more makes reports noisier."""


def next_squared_radius(size: int, uncertain: float, own: float) -> float:
    """From a centre whose entries have this variance, for users alike whose lengths have the square `own`."""
    return ROOM_FOR_NOISE * size * uncertain + ROOM_FOR_USERS * own


def near_enough(size: int, uncertain: float, own: float) -> bool:
    """Whether another stage would bring nothing."""
    return size * uncertain < 0.4 * own


def zoom(
    asking: RoundMaker, *, vector: Vector, domain: Domain, observations: float, unclipped: Unclipped
) -> Generator[Question, Tally, ZoomResult]:
    """Ask everybody who is left about the mean of `vector`.

    `unclipped` is how the last users are asked where a radius is not worth it, or was not found.
    """
    response, size, everybody = direction_response(asking.epsilon), vector.size, asking.users_left
    centre, radius = domain.middle, domain.radius
    own_square = radius**2 / observations
    stages: list[Stage] = []
    uncertain = math.inf  # variance of an entry of the centre
    for _ in range(MOST_STAGES):
        count = stage_users(everybody, size, asking.epsilon)
        if not room_for(count, left=asking.users_left, everybody=everybody, epsilon=asking.epsilon):
            break
        asked = direction_question(asking, count, role="zoom", vector=vector, centre=centre, radius=radius)
        directions = decode_directions(asked, (yield asked))
        stages.append(Stage(found=directions, centre=centre, radius=radius))
        noise = radius**2 / response**2 / directions.reports
        weight = 1.0 if math.isinf(uncertain) else uncertain / (uncertain + noise)
        uncertain = noise if math.isinf(uncertain) else uncertain * noise / (uncertain + noise)
        moved = [before + weight * (now - before) for before, now in zip(centre, directions.value, strict=True)]
        centre = domain.on_lattice(np.array(moved))
        (radius,) = on_lattice(
            (min(domain.radius, math.sqrt(next_squared_radius(size, uncertain, own_square))),), 0.0, 2 * domain.radius
        )
        if near_enough(size, uncertain, own_square):
            break
    far = domain.far(centre)
    low, high = 0.1 * math.sqrt(own_square), 1.5 * domain.radius
    asked_lengths = users_for_lengths(everybody, asking.epsilon)
    asked_far = length_question(asking, asked_lengths, vector=vector, centre=centre, low=low, high=high)
    lengths = yield asked_far
    law = length_law(asked_far, lengths)
    (radius,) = on_lattice((min(far, law.quantile(usual_quantile(everybody))),), 0.0, 2 * domain.radius)
    fired, lost, outside = False, not _worth(radius, law, unclipped, response), None
    if not lost:
        checked = yield from check_radius(
            asking, vector=vector, centre=centre, radius=radius, far=far, stop=domain.radius
        )
        fired, radius, outside = checked.fired, checked.radius, checked.outside
        lost = checked.lost or not _worth(radius, law, unclipped, response)
    if lost:
        last = yield from unclipped.script(asking)
        first = [stage.found for stage in stages[:1]]  # nobody was cut off there either
        together, _ = pool_mean_vectors([last, *first])
        return ZoomResult(
            found=together, centre=domain.middle, radius=domain.radius, stages=len(stages), fired=fired,
            typical=law.median, pulls=tuple((share, share * unclipped.reach) for share in COLLUDING),
        )  # fmt: skip
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = decode_directions(asked, (yield asked))
    assert outside is not None
    used, earlier = [last], None
    if not fired and stages:
        stage = stages[-1]
        if stage.found.spread < 20 * last.spread and radius <= 1.1 * stage.radius:
            used.append(stage.found)
    together, weights = pool_mean_vectors(used)
    if len(used) > 1:
        earlier = stages[-1], float(weights[1])
    claims = [length_law(asked_far, lengths, claimed=share).quantile(usual_quantile(everybody)) for share in COLLUDING]
    return ZoomResult(
        found=together, centre=centre, radius=radius, stages=len(stages), fired=fired, outside=outside,
        typical=law.median, earlier=earlier,
        pulls=tuple(
            (share, _pull(share, max(radius, claim), outside, domain, unclipped, asking.epsilon))
            for share, claim in zip(COLLUDING, claims, strict=True)
        ),
    )  # fmt: skip


def _worth(radius: float, law: LengthLaw, unclipped: Unclipped, m: float) -> bool:
    """Whether direction reports at this radius say more than those that cut nobody off."""
    return (radius / m) ** 2 < WORTH * unclipped.variance(law.median)


def _pull(
    share: float, radius: float, outside: OutsideCheck, domain: Domain, unclipped: Unclipped, epsilon: float
) -> float:
    """How far colluders could have moved an entry: by their reports, and before by claims that users are far away.

    They move the centre while it is sought, and the radius has to hold the others from there; they name the longest
    lengths; and where that makes the check fire, with some luck, nobody is cut off in the end.
    """
    longer = radius + share * domain.radius * direction_sway(epsilon)
    claimed = (1 - share) * outside.mean + share * outside.most
    if claimed + outside.error >= 2 * outside.error:
        return share * max(unclipped.reach, longer * (direction_sway(epsilon) + 1))
    return share * longer * (direction_sway(epsilon) + 1)


# What a zoom will be worth: the same course on reports without chance.

UNSURE = 0.08
"""What the law of lengths is blurred by, since it is learned from few users: on the scale of their logarithm."""
UNEVEN = 0.4
"""How much lengths vary where users differ, on the same scale: some lie nearer, some farther."""
SETTLED, SETTLED_APART = 10.0, 15.0
"""Users asked for their length, in units of coth²(ε/2), for each factor e by which it becomes rarer that no radius is
found although there is one: for users alike, and for users who differ. Fitted to simulations."""


@dataclass(frozen=True, kw_only=True)
class ZoomPrediction:
    """The error of an entry on average, and how many users each round asks."""

    prediction: Prediction
    users_per_round: tuple[int, ...]
    clipped: bool
    """Whether the last round has a radius that could cut somebody off."""


def predict_zoom(
    *,
    users: int,
    size: int,
    epsilon: float,
    radius: float,
    observations: float,
    alike: float,
    differing: float,
    plain: float,
    zooms: bool,
) -> ZoomPrediction:
    """For users whose vectors lie about a common point: E|X − EX|² is `alike` + `differing`.

    `alike` is what finitely many observations leave, `differing` comes from the users' own means. `plain` is the
    variance of an entry, times the reports, when nobody is cut off; with `zooms` false everybody is asked so.
    """
    response, total, everybody = direction_response(epsilon), alike + differing, users
    if not zooms:
        return _at_once(users, size, plain, total, radius)
    own_square, uncertain, left, reach = radius**2 / observations, math.inf, users, radius
    rounds: list[int] = []
    for _ in range(MOST_STAGES):
        count = stage_users(everybody, size, epsilon)
        if not room_for(count, left=left, everybody=everybody, epsilon=epsilon):
            break
        rounds.append(math.ceil(count))
        left -= rounds[-1]
        noise = (reach / response) ** 2 / rounds[-1]
        before = reach
        uncertain = noise if math.isinf(uncertain) else uncertain * noise / (uncertain + noise)
        reach = min(radius, math.sqrt(next_squared_radius(size, uncertain, own_square)))
        if near_enough(size, uncertain, own_square):
            break
    rounds += [math.ceil(users_for_lengths(everybody, epsilon)), math.ceil(CHECKED * everybody)]
    left -= sum(rounds[-2:])
    away = total + size * uncertain
    uneven = UNEVEN * differing / away if away > 0 else 0.0
    blur = math.sqrt(1 / (2 * size) + UNSURE**2 + uneven**2)
    last = math.sqrt(away) * math.exp(NormalDist().inv_cdf(usual_quantile(everybody)) * blur)
    if (last / response) ** 2 >= WORTH * plain:
        at_once = _at_once(left + rounds[0], size, plain, total, radius)
        return replace(at_once, users_per_round=(*rounds[:-1], left + rounds[-1]))
    variance = (last / response) ** 2 / left
    if last <= 1.1 * before:
        variance = 1 / (1 / variance + rounds[-3] * (response / before) ** 2)
    sampling = min(total / size / left, variance)
    told_lengths = users_for_lengths(everybody, epsilon) / separation(epsilon)
    lost = math.exp(-told_lengths / (SETTLED + (SETTLED_APART - SETTLED) * differing / away)) * plain / left
    return ZoomPrediction(
        prediction=Prediction(sampling=sampling, privacy=variance - sampling, localisation=lost),
        users_per_round=(*rounds, left),
        clipped=True,
    )


def _at_once(users: int, size: int, plain: float, total: float, radius: float) -> ZoomPrediction:
    """Everybody through what cuts nobody off; the estimate itself never leaves the ball."""
    variance = plain / users
    free = Prediction(sampling=min(total / size / users, variance), privacy=max(0.0, variance - total / size / users))
    room = radius**2 / size
    prediction = free.scaled(room / (room + variance))
    return ZoomPrediction(prediction=prediction, users_per_round=(users,), clipped=False)
