"""Find the kinds, then ask who is near which of them, and on which side: bells, fitted to every report."""

from __future__ import annotations

import math
from itertools import pairwise

from sottovoce.design import subset
from sottovoce.messages import Average, Bins, Encoder, Fact, Free, Grid, Joint, Question, Rules, Way, exact
from sottovoce.methods import LATTICE, Asking, Script, inner_edges, rounded
from sottovoce.problems.method import Method
from sottovoce.problems.mixture import expected
from sottovoce.problems.mixture.design import FIRST, SECOND, bins, edges, levels
from sottovoce.problems.mixture.estimate import MixtureEstimate
from sottovoce.problems.mixture.learned import MOST, Answered, answered, learned
from sottovoce.problems.mixture.said import estimate
from sottovoce.problems.mixture.search import Explained
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.problems.ruling import in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction

AT_MOST = 20


class AdaptiveRounds(Method[MixtureMeans]):
    """Bins; the nearest kind and levels around it; the nearest kind and its two sides."""

    name = "adaptive"
    help = "finds the kinds, then asks who is near which of them, and on which side"

    def unavailable(self, settings: MixtureMeans) -> Fact | None:
        if settings.delta is not None or settings.membership != "nearest":
            return Fact("adaptive-without-constants")
        width = settings.high - settings.low
        step = width * LATTICE**2
        if not (settings.low + step > settings.low and settings.high - step < settings.high and 1e-120 < width < 1e120):
            return Fact("adaptive-needs-wide-range", low=settings.low, high=settings.high)
        if settings.users < 3:
            return Fact("adaptive-needs-users", users=settings.users)
        if settings.components is not None and settings.components > AT_MOST:
            return Fact("adaptive-components", most=AT_MOST, components=settings.components)
        return None

    def script(self, settings: MixtureMeans) -> Script[MixtureEstimate]:
        """Who is in which bin; who is near which kind; who is on which side of it."""
        asking, (first, second, _) = _asking(settings), self.users_per_round(settings)
        asked = _where(settings, asking, first)
        rounds: tuple[Answered, ...] = (answered(asked, (yield asked)),)
        asked = _near(settings, asking, second, rounds, sharp=False)
        rounds = (*rounds, answered(asked, (yield asked)))
        asked = _near(settings, asking, math.inf, rounds, sharp=True)
        rounds = (*rounds, answered(asked, (yield asked)))
        return estimate(settings, self.name, _learned(settings, rounds, last=True), rounds)

    def users_per_round(self, settings: MixtureMeans) -> tuple[int, ...]:
        asking, users = _asking(settings), settings.users
        for part, spare in ((FIRST * users, 2), (SECOND * users, 1)):
            asking.rounds.append(asking.within(min(part, asking.left - spare)))
        return (*asking.rounds, asking.left)

    def predict(self, settings: MixtureMeans, crowd: Crowd) -> Prediction:
        """For parts that are not rounded to whole waves, so that more users never look worse."""
        first, second = (max(1, round(part * settings.users)) for part in (FIRST, SECOND))
        return expected.error(settings, crowd, (first, second, max(1, settings.users - first - second)))

    def rules(self, settings: MixtureMeans) -> Rules:
        first, second, rest = self.users_per_round(settings)
        most = MOST if settings.components is None else settings.components
        where = Way.of(next(self.script(settings)), opening=True)
        near, side = _around(settings, "near", most, 4), _around(settings, "side", most, 2)
        turns = [(first, (where.role,)), (second, (near.role,)), (rest, (side.role,))]
        return Rules(waves=in_turn(turns, epsilon=settings.epsilon), ways=(where, near, side))

    def poisoning(self, settings: MixtureMeans, crowd: Crowd) -> Poisoning:
        return expected.poisoning(settings, crowd, self.users_per_round(settings))

    def words(self, settings: MixtureMeans) -> Fact:
        return Fact("components-then-nearest", components=settings.components, bins=bins(settings))


def _asking(settings: MixtureMeans) -> Asking:
    return Asking(survey=settings.survey, epsilon=settings.epsilon, users=settings.users)


def _learned(settings: MixtureMeans, rounds: tuple[Answered, ...], *, last: bool) -> Explained:
    return learned(rounds, settings.observations, settings.low, settings.high, settings.components, last)


def _where(settings: MixtureMeans, asking: Asking, count: int) -> Question:
    middle, half = (settings.low + settings.high) / 2, (settings.high - settings.low) / 2
    cuts = inner_edges((middle + half * edge for edge in edges(bins(settings))), settings.low, settings.high)
    return asking.question(
        count,
        role="bins",
        encoder=Encoder(statistic=Average(), placement=Bins(edges=cuts)),
        channel=subset(exact(settings.epsilon), len(cuts) + 1),
    )


def _near(
    settings: MixtureMeans, asking: Asking, count: float, rounds: tuple[Answered, ...], *, sharp: bool
) -> Question:
    found = _learned(settings, rounds, last=False).best
    middle, half = (settings.low + settings.high) / 2, (settings.high - settings.low) / 2
    reach, steps = levels(found, sharp=sharp)
    centres = _apart([middle + half * float(mean) for mean in found.kinds.means], settings.low, settings.high)
    (reach,) = rounded((half * reach,), 0.0, 2 * half)
    symbols = len(centres) * steps
    return asking.question(
        count,
        role="side" if sharp else "near",
        encoder=Encoder(
            statistic=Joint(centres=centres, reach=max(reach, 2 * half * LATTICE), levels=steps),
            placement=Grid(low=(0.0,), high=(float(symbols),), count=symbols),
        ),
        channel=subset(exact(settings.epsilon), symbols),
    )


def _around(settings: MixtureMeans, role: str, most: int, steps: int) -> Way:
    """Around at most so many centres of the declared range, in `steps` levels each."""
    low, high = settings.low, settings.high
    encoder = Encoder(
        statistic=Joint(centres=(low,), reach=high - low, levels=steps),
        placement=Grid(low=(0.0,), high=(1.0,), count=1),
    )
    return Way.by(
        encoder,
        Free(field="statistic.centres", low=low, high=high, most=most),
        Free(field="statistic.reach", low=0.0, high=high - low),
        Free(field="placement.count", low=1.0, high=float(steps * most)),
        Free(field="placement.high", low=0.0, high=float(steps * most)),
        role=role,
        channel="subset",
    )


def _apart(means: list[float], low: float, high: float) -> tuple[float, ...]:
    """On the lattice, and strictly increasing: two kinds that were found in one place are put beside each other."""
    places = rounded(means, low, high)
    if all(left < right for left, right in pairwise(places)):
        return places
    step = (high - low) * LATTICE
    numbers = [round((place - low) / step) for place in places]
    for number in range(1, len(numbers)):
        numbers[number] = max(numbers[number], numbers[number - 1] + 1)
    beyond = max(0, numbers[-1] - round((high - low) / step))
    return tuple(low + step * (number - beyond) for number in numbers)
