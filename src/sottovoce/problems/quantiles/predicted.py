"""The error to expect, for users whose observations form bells around means that may differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.design import best_position_table, subset
from sottovoce.messages import Fact, exact
from sottovoce.methods import CHECKED, normal_below, response, users_for_lengths, usual_quantile
from sottovoce.problems.quantiles.seen import by_items, full_variance, item_variance, share_variance
from sottovoce.problems.quantiles.settings import Cdf, Distributed, Quantiles
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider, average, crowd_fact, table_reach

Floats = NDArray[np.float64]
TENTH = 0.1
"""How much users' own means may differ when nobody says: this part of the range."""
_WITHIN = 1 / 6
"""The standard deviation of one user's observations when nobody says: this part of the range."""
_NODES = 21
PER_LEVEL = 3
"""Places close to each quantile."""
STAGE = 0.15
"""The part of the users whom a stage between the first and the last asks."""
POOLED = 0.45
"""What a line through the places close to a quantile leaves of their variance."""
_WIDER = 1.2
"""How much the square of a radius is overestimated, from few lengths in coarse bins."""
_SETTLED = 0.7
"""Where users differ the others are asked in two rounds, at first from farther away: so many count in full."""
_ALONG = 1.0
"""How much larger the error is along the one direction in which users vary."""
_WORSE = 0.8


@dataclass(frozen=True, kw_only=True)
class Bells:
    """Observations of a user: a bell with the deviation `within` around the user's mean; means differ by `spread`."""

    centre: float
    within: float
    spread: float

    @property
    def deviation(self) -> float:
        return math.hypot(self.within, self.spread)

    def quantile(self, q: float) -> float:
        return self.centre + self.deviation * _normal_quantile(q)

    def slope(self, q: float) -> float:
        """The density at a quantile."""
        return math.exp(-(_normal_quantile(q) ** 2) / 2) / (math.sqrt(2 * math.pi) * self.deviation)

    def below(self, places: Sequence[float]) -> Floats:
        """F at places."""
        return normal_below((np.array(places) - self.centre) / self.deviation)

    def differing(self, places: Sequence[float]) -> Floats:
        """The variance over users of their own F at places."""
        return np.diag(self.covarying(places))

    def covarying(self, places: Sequence[float]) -> Floats:
        """How users' own F at places varies together."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        means = self.centre + self.spread * nodes
        own = normal_below((np.array(places)[:, None] - means[None, :]) / self.within)
        weights = weights / weights.sum()
        away = own - (own @ weights)[:, None]
        return np.asarray((away * weights) @ away.T)


@cache
def _normal_quantile(q: float) -> float:
    from statistics import NormalDist  # costs 15 ms at import; most callers never ask

    return NormalDist().inv_cdf(q)


def stated(settings: Distributed, crowd: Crowd) -> Crowd:
    """The users as the caller describes them: in a plan, else in the survey."""
    return crowd if crowd.spread is not None else replace(crowd, spread=settings.spread)


def assumed(settings: Distributed, crowd: Crowd) -> tuple[Crowd, ...]:
    """What auto decides by: users as stated; else users alike and users who differ by a tenth, which count alike."""
    told = stated(settings, crowd)
    if told.spread is not None or told.law is not None:
        return (told,)
    return tuple(replace(told, spread=part * (settings.high - settings.low)) for part in (0.0, TENTH))


def assumed_crowd(crowds: Sequence[Crowd]) -> Fact:
    """What a plan assumes."""
    return crowd_fact(crowds, "crowd" if crowds[0].within is not None else "crowd-over-a-sixth")


def laws(settings: Distributed, crowd: Crowd) -> list[Bells]:
    """The users at each place that the crowd leaves open."""
    crowd.check_range(settings.low, settings.high)
    width = settings.high - settings.low
    spread = math.sqrt(crowd.law.variance) if crowd.law is not None else crowd.spread or 0.0
    within = max(1e-6 * width, _WITHIN * width if crowd.within is None else crowd.within)
    centres = [crowd.law.mean] if crowd.law is not None else crowd.centres(settings.low, settings.high, step=0.0)
    if crowd.law is None and crowd.around is None:
        centres = [settings.low + part * width for part in (0.35, 0.5)]
    return [Bells(centre=centre, within=within, spread=spread) for centre in centres]


def looks(settings: Distributed, law: Bells) -> list[tuple[float, float]]:
    """Places that count, and what turns an error of F there into one of the answer."""
    if isinstance(settings, Cdf):
        return [(place, 1.0) for place in settings.places]
    assert isinstance(settings, Quantiles)
    return [(law.quantile(q), 1 / law.slope(q)) for q in settings.levels]


def wider(settings: Distributed, crowd: Crowd) -> tuple[Wider, ...]:
    """Users without data may count for any distribution: see `emptied`."""
    share, found = settings.empty_at_most, []
    for law in laws(settings, crowd):
        if isinstance(settings, Cdf):
            found += [Wider.by(share, below, 1 - below) for below in law.below(settings.places).tolist()]
            continue
        assert isinstance(settings, Quantiles)
        for q in settings.levels:
            levels = (1 - share) * q, q, (1 - share) * q + share
            low, at, high = (min(settings.high, max(settings.low, law.quantile(level))) for level in levels)
            found.append(Wider(stretch=1.0, down=at - low, up=high - at))
    return tuple(found)


def full_risk(settings: Distributed, places: Sequence[float], users: float, law: Bells) -> Prediction:
    """Of one look at the whole function, on average over what is wanted."""
    return average([_full_at(settings, places, users, law, at, scale) for at, scale in looks(settings, law)])


def _full_at(
    settings: Distributed, places: Sequence[float], users: float, law: Bells, at: float, scale: float
) -> Prediction:
    width, count = settings.high - settings.low, len(places)
    share = float(law.below([at])[0])
    if by_items(count, settings.epsilon):
        own, other = subset(settings.epsilon, count + 1).inclusion
        before = min(count, max(1.0, (count + 1) * (at - settings.low) / width))
        noise = before * (1 - before / (count + 1)) * other * (1 - other) / (own - other) ** 2 / users
        sampling = share * (1 - share) / users
    else:
        table = best_position_table(exact(settings.epsilon))
        noise = count * float(table.variance(np.array([share]))[0]) / users
        sampling = count * float(law.differing([at])[0] + share * (1 - share) / settings.observations) / users
    total = noise + sampling
    if isinstance(settings, Cdf):
        return clamped(Prediction(sampling=sampling, privacy=noise), 1.0)
    gap = width / (count + 1)
    if not by_items(count, settings.epsilon):
        pooled = max(1.0, (math.sqrt(total) * scale / gap) ** (2 / 3))
        noise, sampling = noise / pooled, sampling / pooled
    bent = abs(at - law.centre) / law.deviation**2 * gap**2 / 8 if settings.step is None else 0.0
    found = Prediction(sampling=sampling * scale**2, privacy=noise * scale**2, omission=min(bent, gap / 2) ** 2)
    return clamped(found, width)


def adaptive_risk(settings: Distributed, places: Sequence[float], first: float, law: Bells) -> Prediction:
    """Of a look at the whole range by the part `first` of the users, then from nearer and nearer by."""
    wanted = looks(settings, law)
    per = 1 if isinstance(settings, Cdf) else PER_LEVEL
    at = [place for place, _ in wanted]
    size, m2, users = per * len(at), response(settings.epsilon) ** 2, settings.users
    shares, apart = law.below(at), law.differing(at)
    own = _together(shares, settings.observations, law.covarying(at))
    degrees = _degrees(own)
    usual = _usual(degrees, users)
    mean_square = per * float(np.trace(own))
    asked = users_for_lengths(users, settings.epsilon) / users
    before = size * full_variance(len(places), settings.epsilon) / (first * users)
    radius = usual * (mean_square + before)
    nearer = usual * (mean_square + size * min(radius, 2.0) / m2 / (STAGE * users))
    if isinstance(settings, Cdf) and nearer / m2 > _WORSE * full_variance(size, settings.epsilon):
        return full_risk(settings, places, users * (1 - asked), law)
    if nearer / m2 < _WORSE * full_variance(size, settings.epsilon):
        last = users * (1 - first - 2 * asked - STAGE - CHECKED)
        noise = (POOLED * (1 + _ALONG / degrees) if per > 1 else 1.0) * nearer / m2 / last
        sampling = (shares * (1 - shares) / settings.observations + apart) / last
    else:
        last = users * (1 - first - asked)
        noise = min(item_variance(size, settings.epsilon), POOLED * share_variance(size, settings.epsilon)) / last
        sampling = np.minimum(noise, shares * (1 - shares) / last)
        noise = max(0.0, noise - float(sampling.mean())) / _SETTLED
    found = [
        clamped(
            Prediction(sampling=float(one) * scale**2, privacy=noise * scale**2),
            1.0 if isinstance(settings, Cdf) else settings.high - settings.low,
        )
        for (_, scale), one in zip(wanted, sampling, strict=True)
    ]
    return average(found)


def _together(shares: Floats, observations: int, between: Floats) -> Floats:
    """How users' own shares at places vary together: by chance, and as users differ."""
    least = np.minimum(shares[:, None], shares[None, :])
    return np.asarray((least - shares[:, None] * shares[None, :]) / observations + between)


def _degrees(covariance: Floats) -> float:
    """How many directions of their own the shares vary in: 1 where they rise and fall together."""
    return float(np.trace(covariance)) ** 2 / max(1e-300, float((covariance**2).sum()))


def _usual(degrees: float, users: int) -> float:
    """The square of the radius that is asked about, in units of the mean square: lengths are chi-squared, about."""
    part = 2 / (9 * degrees)
    return _WIDER * (1 - part + _normal_quantile(usual_quantile(users)) * math.sqrt(part)) ** 3


def clamped(found: Prediction, width: float) -> Prediction:
    """An error cannot be larger than the range lets it."""
    return found.scaled(1 / (1 + found.mse / (width / 2) ** 2))


def moved(settings: Distributed, count: int, bells: Sequence[Bells]) -> Poisoning:
    """What is easiest to move: a report counts for F, and an error of F for one of a place by the density there."""
    epsilon = settings.epsilon
    if by_items(count, epsilon):
        channel = subset(epsilon, count + 1)
        own, other = channel.inclusion
        reach = max(
            max(min(channel.size, bins) - bins * other, bins * other - max(0, channel.size - (count + 1 - bins)))
            for bins in range(1, count + 1)
        ) / (own - other)
        reach += 1
    else:
        reach = table_reach(best_position_table(exact(epsilon)), 1.0)
    return Poisoning(reach=reach * max(scale for law in bells for _, scale in looks(settings, law)))
