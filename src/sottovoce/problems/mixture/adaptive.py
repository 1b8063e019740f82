"""Find the kinds, then ask who is near which of them, and on which side: bells, fitted to every report."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sottovoce.answers import (
    Assumes,
    Note,
    NoteCode,
    StandardError,
    two_sided,
    within,
)
from sottovoce.design import subset
from sottovoce.messages import Average, Bins, Encoder, Fact, Free, Grid, Joint, Question, Rules, Way, exact
from sottovoce.methods import LATTICE, Floats, RoundMaker, Script, inner_edges, leaning_doubt, on_lattice, separation
from sottovoce.problems.alternatives import notes_on_few_reports
from sottovoce.problems.method import Method
from sottovoce.problems.mixture.answer import MixtureEstimate
from sottovoce.problems.mixture.fit import (
    DOUBT,
    MOST_KINDS,
    USUAL_RATIO,
    Answered,
    Explanation,
    Fit,
    kinds_learned_from,
    round_as_numbers,
)
from sottovoce.problems.mixture.paper import may_be_missed
from sottovoce.problems.mixture.settings import VISIBLE, MixtureMeans, clearness, component_laws, least_share
from sottovoce.problems.mixture.user_kinds import (
    Evidence,
    Kinds,
    RoundEvidence,
    bins_matrix,
    joint_matrix,
    narrowest_ratio,
    round_of_counts,
    widest_ratio,
)
from sottovoce.problems.rule_builders import waves_in_turn
from sottovoce.risk import Crowd, Poisoning, Prediction, capture_share

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.mixture.adaptive:NAME VALUE … --problem mixture
FIRST, SECOND = 0.40, 0.25
"""Parts of the users who say in which bin they are, and near which kind; the others say on which side of it."""
_MOST_BINS = 8
"""At most 2 to this power."""
_FARTHEST = 3.0


def bins_of_first_round(settings: MixtureMeans) -> int:
    """How many bins the first round has: three spreads of an average wide, wider where reports say little; odd.

    An even number would put an edge in the middle of the range, which is a likely average of whole numbers.
    """
    users, kinds = FIRST * settings.users, settings.kinds
    clear = min(1.0, max(0.7, 0.2 + 0.2 * clearness(settings, users) / kinds))
    most = 2 ** min(_MOST_BINS, 0.4 * users / separation(settings.epsilon))
    bins = max(6, 3 * kinds, math.ceil(min(clear * math.pi * math.sqrt(settings.observations) / 3, most)))
    return int(bins + 1 - bins % 2)


def bin_edges(count: int) -> list[float]:
    """Inner edges on [−1, 1], evenly in arcsin x."""
    edges: list[float] = np.sin(np.linspace(-math.pi / 2, math.pi / 2, count + 1)[1:-1]).tolist()
    return edges


def levels_around_kinds(fitted: Fit, *, sharp: bool) -> tuple[float, int]:
    """How far levels reach around a kind on [−1, 1], and how many there are.

    First four levels that hold most users of a kind, wherever its mean may be; then two levels that are nearly a sign,
    but no steeper than averages of whole numbers, which are 2/T apart, allow.
    """
    kinds = fitted.kinds
    wide = np.hypot(kinds.spreads, np.minimum(fitted.deviations()[1], _FARTHEST * kinds.spreads))
    finest = 2 / kinds.observations
    if sharp:
        return max(finest, 0.7 * float(wide.min())), 2
    return max(finest, 2.0 * math.sqrt(float(wide**2 @ kinds.shares) / float(kinds.shares.sum()))), 4


WIDER = 1.1
"""Standard errors are raised by so much, and by what the spread of a kind may be larger than it was fitted."""
MISSED = 0.4
"""The part of the chance of an error, 1 − confidence, that is left to places where a kind is not looked for."""
_FEW = 0.05
"""Of the users, who are near no component: more are worth a word."""
_HIDDEN = 0.1
"""Where larger components than this could be missed, their number is not reliable."""


def _estimate(
    method: Method[MixtureMeans], settings: MixtureMeans, explanation: Explanation, rounds: tuple[Answered, ...]
) -> MixtureEstimate:
    """The answer on the declared range."""
    fitted, half = explanation.best, settings.half
    middle, kinds = settings.low + half, explanation.best.kinds
    share_errors, mean_errors, doubts = fitted.deviations()
    error = WIDER * mean_errors * np.exp(np.minimum(doubts, 1.0) ** 2)  # on [−1, 1], the doubt about spreads included
    shares, share_errors = kinds.shares / kinds.shares.sum(), WIDER * share_errors
    seen = shares > VISIBLE * share_errors
    z, least = two_sided(settings.confidence), least_share(settings, rounds[0][2])
    means, intervals, errors = [], [], []
    for number, mean in enumerate(kinds.means.tolist()):
        reach = z * float(error[number]) + leaning_doubt(kinds.observations, mean, float(kinds.ratios[number]))[0]
        low, high = _stretched_interval(
            explanation, number, mean - reach, mean + reach, MISSED * (1 - settings.confidence)
        )
        if kinds.count > 1 and not seen[number]:
            low, high = -1.0, 1.0
        means.append(middle + half * mean)
        intervals.append(
            within((middle + half * max(-1.0, low), middle + half * min(1.0, high)), settings.low, settings.high)
        )
        sampling = float(kinds.spreads[number]) / math.sqrt(settings.users * float(shares[number]))
        errors.append(
            StandardError(
                sampling=half * min(sampling, float(error[number])),
                privacy=half * math.sqrt(max(0.0, float(error[number]) ** 2 - sampling**2)),
                localisation=half * math.sqrt(float(explanation.chances[number] @ (explanation.places - mean) ** 2)),
            )
        )
    asked = rounds[-1][0].encoder.statistic  # the means themselves if a component was found or dropped after it
    assert isinstance(asked, Joint)
    details = (Fact("components-were-counted"),) if settings.components is None else ()
    return MixtureEstimate(
        means=tuple(means),
        intervals=tuple(intervals),
        standard_errors=tuple(errors),
        shares=tuple(shares.tolist()),
        share_errors=tuple(share_errors.tolist()),
        share_intervals=tuple(
            within((share - z * off, share + z * off), 0.0, 1.0)
            for share, off in zip(shares.tolist(), share_errors.tolist(), strict=True)
        ),
        centres=asked.centres if len(asked.centres) == len(means) else tuple(means),
        low=settings.low,
        high=settings.high,
        interval_kind=Fact("by-model"),
        assumes=Assumes.MODEL_OF_COMPONENTS,
        least_share=least if least < 1 else None,
        **method.survey_facts(settings, tuple(reports for _, _, reports in rounds), *details),
        notes=_notes(settings, explanation, share_errors, rounds[0][2]),
    )


def _stretched_interval(
    explanation: Explanation, number: int, low: float, high: float, missed: float
) -> tuple[float, float]:
    """The interval, stretched to where else the component may be, until the chance of what is left out is small."""
    chances = np.where((explanation.places > low) & (explanation.places < high), 0.0, explanation.chances[number])
    left = float(chances.sum())
    for place in np.argsort(-chances, kind="stable").tolist():
        if left <= missed:
            break
        left -= float(chances[place])
        low, high = min(low, float(explanation.places[place])), max(high, float(explanation.places[place]))
    return low, high


def _notes(settings: MixtureMeans, explanation: Explanation, share_errors: Floats, voters: int) -> tuple[Note, ...]:
    notes, kinds, epsilon = [], explanation.best.kinds, settings.epsilon
    shares = kinds.shares / kinds.shares.sum()
    smallest, half = float(shares.min()), settings.half
    for number in range(kinds.count):
        share, off, elsewhere = (
            float(shares[number]),
            float(share_errors[number]),
            float(explanation.chances[number].sum()),
        )
        if kinds.count > 1 and share < VISIBLE * off:
            notes.append(Note(NoteCode.COMPONENT_MAY_NOT_EXIST, number=number + 1, share=share, error=off))
        elif elsewhere > 1 - settings.confidence:
            notes.append(Note(NoteCode.COMPONENT_MAY_BE_ELSEWHERE, number=number + 1, chance=elsewhere))
    notes += notes_on_few_reports(settings.users, epsilon)
    visible = least_share(settings, voters)
    if kinds.count > 1 and smallest < visible:
        notes.append(may_be_missed(visible, voters, epsilon, smallest, others_move=True))
    # Components that are wider than any observations on the range can make them, beyond doubt.
    doubt = explanation.best.deviations()[2]
    differ = np.flatnonzero(np.log(kinds.ratios) > np.log(1.25) + 2 * doubt).tolist()
    for number in differ:
        spread = {"spread": half * float(kinds.spreads[number]), "observations": settings.observations}
        notes.append(Note(NoteCode.COMPONENT_OF_USERS_WHO_DIFFER, number=number + 1, **spread))
    for left, right in pairwise(range(kinds.count)):
        if kinds.means[right] - kinds.means[left] < 2 * (kinds.spreads[left] + kinds.spreads[right]):
            notes.append(Note(NoteCode.COMPONENTS_OVERLAP, first=left + 1, second=right + 1))
    if kinds.elsewhere > _FEW:
        notes.append(Note(NoteCode.USERS_NEAR_NO_COMPONENT, share=kinds.elsewhere))
    if settings.components is None:
        doubtful = bool(differ) or kinds.elsewhere > _FEW or smallest < visible or visible > _HIDDEN
        counted = {"count": kinds.count, "visible": min(1.0, visible), "doubtful": doubtful}
        notes.append(Note(NoteCode.COMPONENTS_COUNTED, **counted))
    return tuple(notes)


_OFF = 0.8
"""Centres lie this part of a standard error beside the means: as far as a normal error does on average."""
_LOST = 1.1
"""By how many standard errors the best of many empty places stands out, found once and looked at twice."""


def assumed_kinds(settings: MixtureMeans, crowd: Crowd) -> Kinds:
    """Components evenly over the range with equal shares, each as wide as the crowd says."""
    middle, half = (settings.low + settings.high) / 2, settings.half
    laws = component_laws(settings, crowd)
    means = np.array([(law.mean - middle) / half for law in laws])
    spread = np.sqrt([law.variance for law in laws]) / half
    ratios = spread / np.sqrt((1 - means**2) / settings.observations)
    return Kinds(
        shares=np.full(len(means), 0.999 / len(means)),
        means=means,
        ratios=np.clip(ratios, narrowest_ratio(settings.observations), widest_ratio(settings.observations)),
        elsewhere=0.001,
        observations=settings.observations,
    )


def foreseen_fit(settings: MixtureMeans, truth: Kinds, users: tuple[int, ...]) -> Fit:
    """The three rounds, answered without chance by users of these kinds; centres are off as they would be."""
    matrix = bins_matrix(bin_edges(bins_of_first_round(settings)))
    evidence = Evidence(rounds=(_round(settings, matrix, users[0], hard=True),), observations=settings.observations)
    turn = np.where(np.arange(truth.count) % 2 == 0, _OFF, -_OFF)
    for count, sharp in ((users[1], False), (users[2], True)):
        fitted = Fit(kinds=truth, loss=0.0, evidence=evidence, precision=evidence.precision(truth))
        _, off, doubt = fitted.deviations()
        known = 1 - np.minimum(1.0, doubt / DOUBT[1]) ** 2  # before, all spreads are taken for the usual one
        guessed = replace(truth, ratios=np.exp(known * np.log(truth.ratios) + (1 - known) * USUAL_RATIO))
        reach, steps = levels_around_kinds(replace(fitted, kinds=guessed), sharp=sharp)
        centres = np.clip(truth.means + turn * np.minimum(off, guessed.spreads), -1, 1)
        evidence = evidence.with_round(
            _round(settings, joint_matrix(centres.tolist(), reach, steps), count, hard=False)
        )
    return Fit(kinds=truth, loss=0.0, evidence=evidence, precision=evidence.precision(truth))


def _round(settings: MixtureMeans, matrix: tuple[Floats, Floats], users: int, *, hard: bool) -> RoundEvidence:
    symbols = len(matrix[1])
    channel = subset(exact(settings.epsilon), symbols)
    return round_of_counts(*matrix, channel, np.zeros(symbols), users, hard=hard)


AT_MOST = 20


class AdaptiveRounds(Method[MixtureMeans]):
    """Bins; the nearest kind and levels around it; the nearest kind and its two sides."""

    name = "adaptive"
    help = "finds the kinds, then asks who is near which of them, and on which side"

    def why_unavailable(self, settings: MixtureMeans) -> Fact | None:
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
        asking, (first, second, _) = settings.round_maker(), self.users_per_round(settings)
        middle, half = (settings.low + settings.high) / 2, settings.half
        cuts = inner_edges(
            (middle + half * edge for edge in bin_edges(bins_of_first_round(settings))), settings.low, settings.high
        )
        asked = asking.question(
            first,
            role="bins",
            encoder=Encoder(statistic=Average(), placement=Bins(edges=cuts)),
            channel=subset(exact(settings.epsilon), len(cuts) + 1),
        )
        rounds: tuple[Answered, ...] = (round_as_numbers(asked, (yield asked)),)
        asked = _question_around_kinds(settings, asking, second, rounds, sharp=False)
        rounds = (*rounds, round_as_numbers(asked, (yield asked)))
        asked = _question_around_kinds(settings, asking, math.inf, rounds, sharp=True)
        rounds = (*rounds, round_as_numbers(asked, (yield asked)))
        return _estimate(self, settings, _explanation(settings, rounds, last=True), rounds)

    def users_per_round(self, settings: MixtureMeans) -> tuple[int, ...]:
        asking, users = settings.round_maker(), settings.users
        for part, spare in ((FIRST * users, 2), (SECOND * users, 1)):
            asking.rounds.append(asking.in_whole_waves(min(part, asking.users_left - spare)))
        return (*asking.rounds, asking.users_left)

    def predict(self, settings: MixtureMeans, crowd: Crowd) -> Prediction:
        """The error of a component's mean: by information where components are found, by distance where one is lost.

        For parts that are not rounded to whole waves, so that more users never look worse.
        """
        first, second = (max(1, round(part * settings.users)) for part in (FIRST, SECOND))
        users, truth = (first, second, max(1, settings.users - first - second)), assumed_kinds(settings, crowd)
        total = float((foreseen_fit(settings, truth, users).deviations()[1] ** 2).mean())
        sampling = min(total, float((truth.spreads**2 / truth.shares).mean()) / settings.users)
        clear = clearness(settings, users[0] + 0.5 * (users[1] + users[2])) / truth.count - _LOST
        lost = 1 - (1 - 0.5 * math.erfc(clear / math.sqrt(2))) ** truth.count  # the chance that one is not found
        # The squared error of a component's mean, on average, when one of them is somewhere else instead.
        squares, somewhere = [], np.sin(np.linspace(-math.pi / 2, math.pi / 2, 33)[1:-1])
        for number in range(truth.count):
            rest = np.delete(truth.means, number)
            squares += [float(((np.sort(np.append(rest, place)) - truth.means) ** 2).mean()) for place in somewhere]
        scale = settings.half**2
        return Prediction(
            sampling=scale * sampling,
            privacy=scale * (total - sampling),
            localisation=scale * lost * float(np.mean(squares)),
        )

    def rules(self, settings: MixtureMeans) -> Rules:
        first, second, rest = self.users_per_round(settings)
        most = MOST_KINDS if settings.components is None else settings.components
        where = Way.of(next(self.script(settings)), opening=True)
        near, side = _way_around(settings, "near", most, 4), _way_around(settings, "side", most, 2)
        turns = [(first, (where.role,)), (second, (near.role,)), (rest, (side.role,))]
        return Rules(waves=waves_in_turn(turns, epsilon=settings.epsilon), ways=(where, near, side))

    def poisoning(self, settings: MixtureMeans, crowd: Crowd) -> Poisoning:
        """How far colluders move a component's mean: to first order, by what a report does at most, in all rounds.

        A wrong bin looks like a component once it is held as often as the bin of the smallest component.
        """
        truth = assumed_kinds(settings, crowd)
        fitted = foreseen_fit(settings, truth, self.users_per_round(settings))
        weights = fitted.influence
        reach, start = np.zeros(truth.count), 0
        for asked in fitted.evidence.rounds:
            part = weights[:, start : start + len(asked.found)]
            start += len(asked.found)
            channel = subset(exact(settings.epsilon), len(asked.found))
            own, other = channel.inclusion
            ranked = np.sort(part, axis=1)
            most, least = ranked[:, -channel.size :].sum(axis=1), ranked[:, : channel.size].sum(axis=1)
            reach += (most - least) / (own - other)
        half, count = settings.half, bins_of_first_round(settings)
        own, other = subset(exact(settings.epsilon), count).inclusion
        cuts = settings.low + half * (1 + np.array([-1, *bin_edges(count), 1]))
        fullest = min(float(law.shares(cuts).max()) for law in component_laws(settings, crowd))
        return Poisoning(reach=half * float(reach.max()), capture=capture_share(own, fullest / truth.count, base=other))

    def words(self, settings: MixtureMeans) -> Fact:
        return Fact("components-then-nearest", components=settings.components, bins=bins_of_first_round(settings))


def _explanation(settings: MixtureMeans, rounds: tuple[Answered, ...], *, last: bool) -> Explanation:
    return kinds_learned_from(rounds, settings.observations, settings.low, settings.high, settings.components, last)


def _question_around_kinds(
    settings: MixtureMeans, asking: RoundMaker, count: float, rounds: tuple[Answered, ...], *, sharp: bool
) -> Question:
    fitted = _explanation(settings, rounds, last=False).best
    middle, half = (settings.low + settings.high) / 2, settings.half
    reach, steps = levels_around_kinds(fitted, sharp=sharp)
    centres = _distinct_centres(
        [middle + half * float(mean) for mean in fitted.kinds.means], settings.low, settings.high
    )
    (reach,) = on_lattice((half * reach,), 0.0, 2 * half)
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


def _way_around(settings: MixtureMeans, role: str, most: int, steps: int) -> Way:
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


def _distinct_centres(means: list[float], low: float, high: float) -> tuple[float, ...]:
    """On the lattice, and strictly increasing: two kinds that were found in one place are put beside each other."""
    places = on_lattice(means, low, high)
    if all(left < right for left, right in pairwise(places)):
        return places
    step = (high - low) * LATTICE
    numbers = [round((place - low) / step) for place in places]
    for number in range(1, len(numbers)):
        numbers[number] = max(numbers[number], numbers[number - 1] + 1)
    beyond = max(0, numbers[-1] - round((high - low) / step))
    return tuple(low + step * (number - beyond) for number in numbers)
