"""One item first, then directions from what was found, where users lie close to it; else everybody falls back."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from sottovoce.answers import HistogramEstimate, two_sided
from sottovoce.messages import Question, Tally
from sottovoce.problems.base import Method
from sottovoce.problems.histogram.answer import Ends, answered, levels
from sottovoce.problems.histogram.assumed import apart, assumed
from sottovoce.problems.histogram.coefficients import coefficient_question, coefficient_reach, coefficients_found
from sottovoce.problems.histogram.foreseen import foreseen
from sottovoce.problems.histogram.items import farthest, item_question, item_reach, item_variance, items_found
from sottovoce.problems.histogram.one_round import OneRound
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.stages import ZOOM, Stages
from sottovoce.risk import Crowd, Poisoning, Prediction
from sottovoce.schemes import (
    Asking,
    Floats,
    Found,
    Outside,
    Script,
    directed_mean,
    direction_question,
    distance,
    length_question,
    lengths,
    pooled,
    response,
    rounded,
    to_simplex,
    users_for_lengths,
    usual_quantile,
    widen,
)

KIND = "guarded"
MODEL = "if no group of users hides far from the others, below the detection limit"
ALONE = "everybody was asked at once, as one-round does: {}"
LARGEST_ENTRY = 4.0
"""Of a direction: entries are about normal, and a colluder chooses among a few."""


@dataclass(frozen=True, kw_only=True)
class _Result:
    """What was found, and what may have been missed: `bias` is how far users who lie outside may have moved a share."""

    found: Found
    bias: float
    sampling: Floats
    limit: float | None
    reach: float


class AdaptiveStages(Method[Histogram]):
    """Items, lengths, directions."""

    name = "adaptive"
    help = "finds out how alike users are, and asks in which direction they lie from what it knows"

    def script(self, settings: Histogram) -> Script[HistogramEstimate]:
        stages = Stages.of(settings)
        if stages.unavailable is not None:
            alone = yield from OneRound().script(settings)
            return replace(alone, method=self.name, warnings=(*alone.warnings, ALONE.format(stages.unavailable)))
        asking = Asking(
            survey=settings.survey, epsilon=settings.epsilon, users=settings.users, seed=settings.public_seed
        )
        result = yield from _rounds(settings, stages, asking)
        value, error = result.found.value, np.sqrt(result.found.variance)
        reach = [two_sided(level) * error for level in levels(settings)]
        guarded: list[Ends] = [(value - one - result.bias, value + one + result.bias) for one in reach]
        model: list[Ends] = [(value - one, value + one) for one in reach]
        sampling = np.minimum(result.sampling, result.found.variance)
        return answered(
            settings,
            self.name,
            value,
            (sampling, result.found.variance - sampling),
            (guarded[0], guarded[1]),
            KIND,
            tuple(asking.rounds),
            poisoning=Poisoning(reach=result.reach),
            model=None if result.limit is None else (model[0], model[1]),
            model_assumes=MODEL,
            detection_limit=result.limit,
            hidden_shift=None if result.limit is None else result.bias,
        )

    def predict(self, settings: Histogram, crowd: Crowd) -> Prediction:
        if Stages.of(settings).unavailable is not None:
            return OneRound().predict(settings, crowd)
        return foreseen(settings, apart(settings, crowd)).prediction(settings.size)

    def guarded(self, settings: Histogram, crowd: Crowd) -> float:
        if Stages.of(settings).unavailable is not None:
            return OneRound().guarded(settings, crowd)
        return foreseen(settings, apart(settings, crowd)).halfwidth(settings.confidence)

    def assumed(self, settings: Histogram, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def users_per_round(self, settings: Histogram) -> tuple[int, ...]:
        if Stages.of(settings).unavailable is not None:
            return (settings.users,)
        return foreseen(settings, apart(settings, assumed(settings, Crowd())[0])).users

    def poisoning(self, settings: Histogram, crowd: Crowd) -> Poisoning:
        """The farthest of the ways to ask; colluders may decide which of them is taken."""
        if Stages.of(settings).unavailable is not None:
            return OneRound().poisoning(settings, crowd)
        reach = max(
            item_reach(settings.epsilon, settings.size),
            coefficient_reach(settings.epsilon, settings.size),
            _direction_reach(settings.epsilon, Stages.of(settings).farthest_radius(Stages.of(settings).by_item)),
        )
        return Poisoning(reach=reach)

    def words(self, settings: Histogram) -> str:
        if Stages.of(settings).unavailable is not None:
            return OneRound().words(settings)
        return "one item, then directions where users are alike"


def _direction_reach(epsilon: float, radius: float) -> float:
    return LARGEST_ENTRY * radius / response(epsilon)


def _on_lattice(shares: Floats) -> tuple[float, ...]:
    return rounded(to_simplex(shares).tolist(), 0.0, 1.0)


def _rounds(settings: Histogram, stages: Stages, asking: Asking) -> Generator[Question, Tally, _Result]:
    """All rounds; see `Stages` for what is decided between them."""
    vector, users = settings.vector, settings.users
    asked = item_question(asking, stages.first, vector=vector)
    first = items_found(asked, (yield asked))
    centre = _on_lattice(first.value)
    by_item = item_variance(settings.epsilon, np.array(centre))
    start = settings.size * by_item / first.reports
    seen: list[tuple[Found, tuple[float, ...], float]] = []
    while True:
        own = stages.own(np.array(centre))
        count = users_for_lengths(users, settings.epsilon)
        asked = length_question(asking, count, vector=vector, centre=centre, low=0.1 * math.sqrt(own), high=1.5)
        law = lengths(asked, (yield asked))
        (radius,) = rounded((min(1.5, law.quantile(usual_quantile(users))),), 0.0, 2.0)
        fall_back = stages.fall_back(by_item, law.median)
        after = stages.after(radius, own, start)
        zooms = stages.zooms(len(seen), asking.left, radius, after)
        if stages.stops(radius, fall_back, after, zooms=zooms):
            return (yield from _fallen_back(settings, stages, asking, first, by_item, law.median))
        if not zooms:
            break
        asked = direction_question(asking, ZOOM * users, role="zoom", vector=vector, centre=centre, radius=radius)
        found = directed_mean(asked, (yield asked))
        seen.append((found, centre, radius))
        moved = np.array(centre) + stages.weight(radius, own) * (found.value - np.array(centre))
        start, centre = settings.size * stages.noise(radius), _on_lattice(moved)
    far = farthest(np.array(centre))
    stop = stages.farthest_radius(fall_back)
    checked = yield from widen(asking, vector=vector, centre=centre, radius=radius, far=far, stop=stop)
    if checked.lost or stages.too_far(checked.radius, fall_back):
        return (yield from _fallen_back(settings, stages, asking, first, by_item, law.median))
    radius, outside = checked.radius, checked.outside
    assert outside is not None
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = directed_mean(asked, (yield asked))
    used, missed = [first, last], [0.0, 0.0]
    for found, before, reach in [] if checked.fired else seen:
        used.append(found)
        missed.append(max(0.0, radius + distance(centre, before) - reach))
    together, weights = pooled(used)
    limit = _unseen(outside, settings.confidence)
    clipped = (1 - float(weights[0])) * limit * max(radius, far - radius) if far > radius else 0.0
    sampling = np.full(settings.size, law.median**2 / settings.size / together.reports)
    return _Result(
        found=together,
        bias=clipped + float(weights @ np.array(missed)),
        sampling=sampling,
        limit=limit,
        reach=max(item_reach(settings.epsilon, settings.size), _direction_reach(settings.epsilon, radius)),
    )


def _unseen(outside: Outside, confidence: float) -> float:
    """The part of the users who may lie outside, but for one time in 1/(1 − confidence)."""
    errors = max(0.0, two_sided(max(0.0, 2 * confidence - 1)))
    return max(0.0, outside.mean) + errors * outside.error


def _fallen_back(
    settings: Histogram, stages: Stages, asking: Asking, first: Found, by_item: float, median: float
) -> Generator[Question, Tally, _Result]:
    """Everybody who is left says an item or a coefficient, on its full range; nobody is clipped."""
    if stages.coefficients_pay(by_item, median):
        asked = coefficient_question(asking, math.inf, vector=settings.vector)
        rest = coefficients_found(asked, (yield asked))
        reach = coefficient_reach(settings.epsilon, settings.size)
    else:
        asked = item_question(asking, math.inf, vector=settings.vector)
        rest = items_found(asked, (yield asked))
        reach = item_reach(settings.epsilon, settings.size)
    together, _ = pooled([first, rest])
    held = np.clip(together.value, 0.0, 1.0)
    return _Result(
        found=together,
        bias=0.0,
        sampling=np.asarray(held * (1 - held) / together.reports),
        limit=None,
        reach=max(reach, item_reach(settings.epsilon, settings.size)),
    )
