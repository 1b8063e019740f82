"""The error to expect, for users whose observations form bells around means that may differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from sottovoce.design import best_position_table, subset
from sottovoce.messages import Fact, Floats, exact
from sottovoce.methods import CHECKED, direction_response, normal_below, users_for_lengths, usual_quantile
from sottovoce.problems.quantiles.settings import DistributionSettings
from sottovoce.problems.quantiles.shares_below import by_items, full_variance
from sottovoce.risk import Crowd, Prediction, average, crowd_fact

_WITHIN = 1 / 6
"""The standard deviation of one user's observations when nobody says: this part of the range."""
_CENTRES = 0.35, 0.5
"""Where the users' means lie when nobody says, as parts of the range."""
_NODES = 21
"""Of a quadrature over users' means: more change no digit that is shown."""
PER_LEVEL = 3
"""Places close to each quantile."""
STAGE = 0.15
"""The part of the users whom a stage between the first and the last asks."""

# Fitted by hand to simulated surveys of users alike and not (benchmarks/settings/curves.py repeats such).
POOLED = 0.45
"""What a line through the places close to a quantile leaves of their variance."""
_WIDER = 1.2
"""How much the square of a radius is overestimated, from few lengths in coarse bins."""
_SETTLED = 0.7
"""Where users differ the others are asked in two rounds, at first from farther away: so many count in full."""
_ALONG = 1.0
"""How much larger the error is along the one direction in which users vary."""
WORSE = 0.8
"""Directions are taken up to this part of the variance of what assumes nothing: less, and a wrong radius costs more."""


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
        return self.centre + self.deviation * NormalDist().inv_cdf(q)

    def wanted(self, settings: DistributionSettings) -> list[tuple[float, float]]:
        """Places that count, and what turns an error of F there into one of the answer: for quantiles 1/density."""
        density = NormalDist().pdf
        return [(place, 1.0) for place in settings.places] + [
            (self.quantile(q), self.deviation / density(NormalDist().inv_cdf(q))) for q in settings.levels
        ]

    def below(self, places: Sequence[float]) -> Floats:
        """F at places."""
        return normal_below((np.array(places) - self.centre) / self.deviation)

    def covarying(self, places: Sequence[float]) -> Floats:
        """How users' own F at places varies together, over users."""
        nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        means = self.centre + self.spread * nodes
        own_shares = normal_below((np.array(places)[:, None] - means[None, :]) / self.within)
        weights = weights / weights.sum()
        away = own_shares - (own_shares @ weights)[:, None]
        return np.asarray((away * weights) @ away.T)


def assumed_crowd(crowds: Sequence[Crowd]) -> Fact:
    """What a plan assumes."""
    return crowd_fact(crowds, "crowd" if crowds[0].within is not None else "crowd-over-a-sixth")


def laws_of_users(settings: DistributionSettings, crowd: Crowd) -> list[Bells]:
    """The users at each place that the crowd leaves open."""
    low, high, law = settings.low, settings.high, crowd.law
    crowd.check_range(low, high)
    width = high - low
    within = max(1e-6 * width, _WITHIN * width if crowd.within is None else crowd.within)
    if law is not None:
        return [Bells(centre=law.mean, within=within, spread=math.sqrt(law.variance))]
    centres = [low + part * width for part in _CENTRES] if crowd.around is None else [crowd.around]
    return [Bells(centre=centre, within=within, spread=crowd.spread or 0.0) for centre in centres]


def one_round_prediction(
    settings: DistributionSettings, places: Sequence[float], users: float, law: Bells
) -> Prediction:
    """The error of one look at the whole function, on average over what is wanted."""
    width, count, epsilon = settings.high - settings.low, len(places), settings.epsilon
    gap, items, every = width / (count + 1), by_items(count, epsilon), []
    for at, scale in law.wanted(settings):
        share = float(law.below([at])[0])
        if items:
            own, other = subset(epsilon, count + 1).inclusion
            before = min(count, max(1.0, (count + 1) * (at - settings.low) / width))
            noise = before * (1 - before / (count + 1)) * other * (1 - other) / (own - other) ** 2 / users
            sampling = share * (1 - share) / users
        else:
            table = best_position_table(exact(epsilon))
            noise = count * float(table.variance(np.array([share]))[0]) / users
            apart = float(law.covarying([at])[0, 0])
            sampling = count * (apart + share * (1 - share) / settings.observations) / users
        omission = 0.0
        if settings.levels:
            if not items:
                pooled = max(1.0, (math.sqrt(noise + sampling) * scale / gap) ** (2 / 3))
                noise, sampling = noise / pooled, sampling / pooled
            bent = abs(at - law.centre) / law.deviation**2 * gap**2 / 8 if settings.step is None else 0.0
            omission = min(bent, gap / 2) ** 2
        every.append(_limited_by_range(settings, sampling * scale**2, noise * scale**2, omission))
    return average(every)


def adaptive_prediction(
    settings: DistributionSettings, places: Sequence[float], first: float, law: Bells
) -> Prediction:
    """The error after a look at the whole range by the part `first` of the users, then from nearer and nearer."""
    at, scales = zip(*law.wanted(settings), strict=True)
    per = PER_LEVEL if settings.levels else 1
    size, response_squared, users, epsilon = (
        per * len(at),
        direction_response(settings.epsilon) ** 2,
        settings.users,
        settings.epsilon,
    )
    shares, apart = law.below(at), law.covarying(at)
    # How users' own shares at places vary together: by chance, and as users differ; and in how many directions of their
    # own: 1 where they rise and fall together.
    least = np.minimum(shares[:, None], shares[None, :])
    varying = (least - shares[:, None] * shares[None, :]) / settings.observations + apart
    degrees = float(np.trace(varying)) ** 2 / max(1e-300, float((varying**2).sum()))
    # The square of the radius that is asked about, in units of the mean square: lengths are chi-squared, about.
    part = 2 / (9 * degrees)
    usual = _WIDER * (1 - part + NormalDist().inv_cdf(usual_quantile(users)) * math.sqrt(part)) ** 3
    mean_square = per * float(np.trace(varying))
    asked = users_for_lengths(users, epsilon) / users
    radius = usual * (mean_square + size * full_variance(len(places), epsilon) / (first * users))
    nearer = usual * (mean_square + size * min(radius, 2.0) / response_squared / (STAGE * users))
    limit = WORSE * full_variance(size, epsilon)
    if not settings.levels and nearer / response_squared > limit:
        return one_round_prediction(settings, places, users * (1 - asked), law)
    sampling = shares * (1 - shares)
    if nearer / response_squared < limit:
        last = users * (1 - first - 2 * asked - STAGE - CHECKED)
        noise = (POOLED * (1 + _ALONG / degrees) if per > 1 else 1.0) * nearer / response_squared / last
        sampling = (sampling / settings.observations + np.diag(apart)) / last
    else:
        last = users * (1 - first - asked)
        noise = full_variance(size, epsilon, smoothed=POOLED) / last
        sampling = np.minimum(noise, sampling / last)
        noise = max(0.0, noise - float(sampling.mean())) / _SETTLED
    pairs = zip(scales, sampling.tolist(), strict=True)
    return average([_limited_by_range(settings, one * scale**2, noise * scale**2) for scale, one in pairs])


def _limited_by_range(
    settings: DistributionSettings, sampling: float, privacy: float, omission: float = 0.0
) -> Prediction:
    """An error cannot be larger than the range lets it."""
    free = Prediction(sampling=sampling, privacy=privacy, omission=omission)
    return free.scaled(1 / (1 + free.mse / (settings.answer_width / 2) ** 2))
