"""What a zoom will be worth: the same course on reports without chance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from sottovoce.methods.bins import separation
from sottovoce.methods.directions import response
from sottovoce.methods.lengths import users_for_lengths, usual_quantile
from sottovoce.methods.outside import CHECKED
from sottovoce.methods.zoom import MOST_STAGES, WORTH, near_enough, next_radius, pays, room_for, stage_users
from sottovoce.risk import Prediction

UNSURE = 0.08
"""What the law of lengths is blurred by, since it is learned from few users: on the scale of their logarithm."""
UNEVEN = 0.4
"""How much lengths vary where users differ, on the same scale: some lie nearer, some farther."""
SETTLED, SETTLED_APART = 10.0, 15.0
"""Users asked for their length, in units of coth²(ε/2), for each factor e by which it becomes rarer that no radius is
found although there is one: for users alike, and for users who differ. Fitted to simulations."""


@dataclass(frozen=True, kw_only=True)
class Foreseen:
    """The error of an entry on average, how many users each round asks, and with what radius the last one."""

    prediction: Prediction
    users_per_round: tuple[int, ...]
    radius: float
    clipped: bool
    """Whether the last round has a radius that could cut somebody off."""


def foreseen(
    *,
    users: int,
    size: int,
    epsilon: float,
    radius: float,
    observations: float,
    alike: float,
    differing: float,
    plain: float,
    zooms: bool | None = None,
) -> Foreseen:
    """For users whose vectors lie about a common point: E|X − EX|² is `alike` + `differing`.

    `alike` is what finitely many observations leave, `differing` comes from the users' own means. `plain` is the
    variance of an entry, times the reports, when nobody is cut off; with `zooms` false everybody is asked so.
    """
    m, total, everybody = response(epsilon), alike + differing, users
    if not (pays(users, size, epsilon) if zooms is None else zooms):
        return _at_once(users, size, plain, total, radius)
    own, uncertain, left, reach = radius**2 / observations, math.inf, users, radius
    rounds: list[int] = []
    for _ in range(MOST_STAGES):
        count = stage_users(everybody, size, epsilon)
        if not room_for(count, left=left, everybody=everybody, epsilon=epsilon):
            break
        rounds.append(math.ceil(count))
        left -= rounds[-1]
        noise = (reach / m) ** 2 / rounds[-1]
        before = reach
        uncertain = noise if math.isinf(uncertain) else uncertain * noise / (uncertain + noise)
        reach = next_radius(radius, size, uncertain, own)
        if near_enough(size, uncertain, own):
            break
    rounds += [math.ceil(users_for_lengths(everybody, epsilon)), math.ceil(CHECKED * everybody)]
    left -= sum(rounds[-2:])
    away = total + size * uncertain
    uneven = UNEVEN * differing / away if away > 0 else 0.0
    blur = math.sqrt(1 / (2 * size) + UNSURE**2 + uneven**2)
    last = math.sqrt(away) * math.exp(NormalDist().inv_cdf(usual_quantile(everybody)) * blur)
    if (last / m) ** 2 >= WORTH * plain:
        found = _at_once(left + rounds[0], size, plain, total, radius)
        return Foreseen(
            prediction=found.prediction, users_per_round=(*rounds[:-1], left + rounds[-1]), radius=radius, clipped=False
        )
    variance = (last / m) ** 2 / left
    if last <= 1.1 * before:
        variance = 1 / (1 / variance + rounds[-3] * (m / before) ** 2)
    sampling = min(total / size / left, variance)
    told = users_for_lengths(everybody, epsilon) / separation(epsilon)
    lost = math.exp(-told / (SETTLED + (SETTLED_APART - SETTLED) * differing / away)) * plain / left
    return Foreseen(
        prediction=Prediction(sampling=sampling, privacy=variance - sampling, localisation=lost),
        users_per_round=(*rounds, left),
        radius=last,
        clipped=True,
    )


def _at_once(users: int, size: int, plain: float, total: float, radius: float) -> Foreseen:
    """Everybody through what cuts nobody off; the estimate itself never leaves the ball."""
    variance = plain / users
    free = Prediction(sampling=min(total / size / users, variance), privacy=max(0.0, variance - total / size / users))
    room = radius**2 / size
    return Foreseen(
        prediction=free.scaled(room / (room + variance)), users_per_round=(users,), radius=radius, clipped=False
    )
