"""One item first, then directions from what was found, where users lie close to it; else everybody falls back."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np

from sottovoce.answers import GUARDED, Assumes, Note, NoteCode, two_sided
from sottovoce.design import one_bit
from sottovoce.messages import Fact, Question, Rules, Tally, Way
from sottovoce.methods import (
    ENOUGH_TO_MEASURE,
    Asking,
    Floats,
    Found,
    Script,
    Widened,
    best_table,
    coefficient_question,
    coefficient_reach,
    coefficients_found,
    directed_mean,
    direction_question,
    distance,
    length_question,
    lengths,
    pooled,
    response,
    rounded,
    share_beyond,
    to_simplex,
    users_for_lengths,
    usual_quantile,
    widen,
    zoom_ways,
)
from sottovoce.problems.histogram.answer import Ends, answered, levels
from sottovoce.problems.histogram.assumed import apart, assumed
from sottovoce.problems.histogram.estimate import HistogramEstimate
from sottovoce.problems.histogram.foreseen import foreseen
from sottovoce.problems.histogram.items import Items, farthest, item_question, item_reach, item_variance
from sottovoce.problems.histogram.one_round import OneRound, fallen_wider
from sottovoce.problems.histogram.settings import Histogram
from sottovoce.problems.histogram.stages import ZOOM, Stages
from sottovoce.problems.histogram.unseen import FIRST, LATER, Unseen, balanced, mixed, reaches
from sottovoce.problems.method import Method, StandIn
from sottovoce.problems.ruling import announced
from sottovoce.risk import Crowd, Poisoning, Prediction, Wider

MOST_GUARDED = 2.6
"""What earlier stages may have missed is not to make guarded intervals so many times as wide as those of one round."""
MOST_SEEN = 2.2
"""Nor are users whom the check saw outside; where they would, nobody is cut off."""
LONGEST = 1.5
"""Radius of users' shares around a centre at most: no two users' shares are farther than √2 apart."""
LARGEST_ENTRY = 4.0
"""Of a direction: entries are about normal, and a colluder chooses among a few."""


@dataclass(frozen=True, kw_only=True)
class _Result:
    """What was found; what users who lie `unseen` outside may have moved; the `items`, where they are all there is."""

    found: Found
    sampling: Floats
    reach: float
    unseen: Unseen | None = None
    items: Items | None = None
    risk: float = 1.0
    """The part of what may go wrong that is left for the items: a check that saw nobody may have been wrong."""


class AdaptiveStages(Method[Histogram]):
    """Items, lengths, directions."""

    name = "adaptive"
    help = "finds out how alike users are, and asks in which direction they lie from what it knows"
    not_empty = None

    def replacement(self, settings: Histogram) -> Method[Histogram] | None:
        why = Stages.of(settings).unavailable
        return None if why is None else StandIn(self, OneRound(), Note(NoteCode.ASKED_AT_ONCE, why=why))

    def script(self, settings: Histogram) -> Script[HistogramEstimate]:
        stages = Stages.of(settings)
        asking = Asking(
            survey=settings.survey, epsilon=settings.epsilon, users=settings.users, seed=settings.public_seed
        )
        result = yield from _rounds(settings, stages, asking)
        found, unseen, confidence = result.found, result.unseen, settings.confidence
        errors = [two_sided(1 - result.risk * (1 - level)) for level in levels(settings)]
        reach = [error * np.sqrt(found.variance) for error in errors]
        model: tuple[Ends, ...] = tuple((found.value - one, found.value + one) for one in reach)
        each, joint = model
        if unseen is not None:
            each, joint = unseen.each(found, confidence), unseen.together(found, confidence)
        if result.items is not None:
            each, joint = (result.items.ends(error) for error in errors)
        sampling = np.minimum(result.sampling, result.found.variance)
        return answered(
            settings,
            self.name,
            found.value,
            (sampling, found.variance - sampling),
            (each, joint),
            GUARDED,
            tuple(asking.rounds),
            poisoning=Poisoning(reach=result.reach),
            model=None if unseen is None or settings.users < ENOUGH_TO_MEASURE else (model[0], model[1]),
            model_assumes=Assumes.NO_HIDDEN_GROUP,
            detection_limit=None if unseen is None else min(1.0, unseen.limit(confidence)),
            hidden_shift=None if unseen is None else min(1.0, unseen.shift(confidence)),
        )

    def predict(self, settings: Histogram, crowd: Crowd) -> Prediction:
        return foreseen(settings, apart(settings, crowd)).prediction(settings.size)

    def guarded(self, settings: Histogram, crowd: Crowd) -> float:
        return foreseen(settings, apart(settings, crowd)).halfwidth(settings.confidence)

    def wider(self, settings: Histogram, crowd: Crowd) -> tuple[Wider, ...]:
        """Of an item they count for the middle category, of a direction as the centre, which is near the shares."""
        return fallen_wider(settings, centred=True)

    def assumed(self, settings: Histogram, crowd: Crowd) -> tuple[Crowd, ...]:
        return assumed(settings, crowd)

    def users_per_round(self, settings: Histogram) -> tuple[int, ...]:
        return foreseen(settings, apart(settings, assumed(settings, Crowd())[0])).users

    def rules(self, settings: Histogram) -> Rules:
        """No centre has a larger radius than 1.5, and none is checked beyond twice that."""
        stages, vector, epsilon = Stages.of(settings), settings.vector, settings.epsilon
        ways = [replace(way, opening=False) for way in OneRound().rules(settings).ways]
        ways += zoom_ways(vector=vector, epsilon=epsilon, longest=2 * LONGEST, inside=(0.0, 1.0))
        tables = [one_bit(epsilon)]
        if stages.coefficients:
            asking = Asking(survey=settings.survey, epsilon=epsilon, users=settings.users)
            ways.append(Way.of(coefficient_question(asking, math.inf, vector=vector)))
            tables.append(best_table(epsilon))
        return announced(next(self.script(settings)), ways, tables, users=settings.users)

    def poisoning(self, settings: Histogram, crowd: Crowd) -> Poisoning:
        """The farthest of the ways to ask; colluders may decide which of them is taken."""
        reach = max(
            item_reach(settings.epsilon, settings.size),
            coefficient_reach(settings.epsilon, settings.size),
            _direction_reach(settings.epsilon, Stages.of(settings).farthest_radius(Stages.of(settings).by_item)),
        )
        return Poisoning(reach=reach)

    def words(self, settings: Histogram) -> Fact:
        return Fact("item-then-directions")


def _direction_reach(epsilon: float, radius: float) -> float:
    return LARGEST_ENTRY * radius / response(epsilon)


def _on_lattice(shares: Floats) -> tuple[float, ...]:
    return rounded(to_simplex(shares).tolist(), 0.0, 1.0)


def _rounds(settings: Histogram, stages: Stages, asking: Asking) -> Generator[Question, Tally, _Result]:
    """All rounds; see `Stages` for what is decided between them."""
    vector, users = settings.vector, settings.users
    asked = item_question(asking, stages.first, vector=vector)
    items = Items.of(asked, (yield asked))
    first = items.found
    centre = _on_lattice(first.value)
    by_item = item_variance(settings.epsilon, np.array(centre))
    start = settings.size * by_item / first.reports
    seen: list[tuple[Found, tuple[float, ...], float, float]] = []
    while True:
        own = stages.own(np.array(centre))
        count = users_for_lengths(users, settings.epsilon)
        asked = length_question(asking, count, vector=vector, centre=centre, low=0.1 * math.sqrt(own), high=LONGEST)
        tally = yield asked
        law = lengths(asked, tally)
        (radius,) = rounded((min(LONGEST, law.quantile(usual_quantile(users))),), 0.0, 2.0)
        fall_back = stages.fall_back(by_item, law.median)
        after = stages.after(radius, own, start)
        zooms = stages.zooms(len(seen), asking.left, radius, after)
        if stages.stops(radius, fall_back, after, zooms=zooms):
            return (yield from _fallen_back(settings, stages, asking, items, by_item, law.median))
        if not zooms:
            break
        beyond = share_beyond(asked, tally, radius)
        asked = direction_question(asking, ZOOM * users, role="zoom", vector=vector, centre=centre, radius=radius)
        found = balanced(directed_mean(asked, (yield asked)))
        seen.append((found, centre, radius, beyond))
        moved = np.array(centre) + stages.weight(radius, own) * (found.value - np.array(centre))
        start, centre = settings.size * stages.noise(radius), _on_lattice(moved)
    far = farthest(np.array(centre))
    stop = stages.farthest_radius(fall_back)
    checked = yield from widen(
        asking, vector=vector, centre=centre, radius=radius, far=far, stop=stop, part=stages.checked, first=FIRST
    )
    one_round = two_sided(settings.confidence) * math.sqrt(by_item / users)
    ends = [reaches(centre, checked.radius, checked.radius)]
    if (
        checked.lost
        or stages.too_far(checked.radius, fall_back)
        or _moved(checked, ends[0], settings.confidence) > MOST_SEEN * one_round
    ):
        found_back = yield from _fallen_back(settings, stages, asking, items, by_item, law.median)
        return replace(found_back, risk=LATER)
    radius = checked.radius
    asked = direction_question(asking, math.inf, role="direction", vector=vector, centre=centre, radius=radius)
    last = balanced(directed_mean(asked, (yield asked)))
    assert checked.outside is not None
    earlier = [] if checked.fired else seen
    missed = [0.0, 0.0]  # inside the last ball, and outside an earlier one
    missed += [share * max(0.0, radius + distance(centre, before) - reach) for _, before, reach, share in earlier]
    room = MOST_GUARDED * one_round - checked.errors(settings.confidence) * checked.outside.error
    together, weights = mixed([first, last, *(stage[0] for stage in earlier)], missed, max(0.0, room))
    ends += [reaches(before, reach, radius) for _, before, reach, _ in earlier]
    return _Result(
        found=together,
        sampling=np.full(settings.size, law.median**2 / settings.size / together.reports),
        unseen=Unseen(
            up=weights[1:] @ np.stack([up for up, _ in ends]),
            down=weights[1:] @ np.stack([down for _, down in ends]),
            missed=float(weights @ np.array(missed)),
            checked=checked,
        ),
        reach=max(item_reach(settings.epsilon, settings.size), _direction_reach(settings.epsilon, radius)),
    )


def _moved(checked: Widened, reach: Ends, confidence: float) -> float:
    """How much wider intervals are on average for users whom the check saw outside; 0 where it saw none."""
    outside = checked.outside
    if outside is None or outside.mean < 2 * outside.error:
        return 0.0
    limit = outside.mean + checked.errors(confidence) * outside.error
    return limit * float(sum(side.mean() for side in reach)) / 2


def _fallen_back(
    settings: Histogram, stages: Stages, asking: Asking, items: Items, by_item: float, median: float
) -> Generator[Question, Tally, _Result]:
    """Everybody who is left says an item or a coefficient, on its full range; nobody is clipped."""
    reach, everything = item_reach(settings.epsilon, settings.size), None
    if stages.coefficients_pay(by_item, median):
        asked = coefficient_question(asking, math.inf, vector=settings.vector)
        together, _ = pooled([items.found, coefficients_found(asked, (yield asked))])
        reach = max(reach, coefficient_reach(settings.epsilon, settings.size))
    else:
        asked = item_question(asking, math.inf, vector=settings.vector)
        everything = items + Items.of(asked, (yield asked))
        together = everything.found
    held = np.clip(together.value, 0.0, 1.0)
    sampling = np.asarray(held * (1 - held) / together.reports)
    return _Result(found=together, sampling=sampling, reach=reach, items=everything)
