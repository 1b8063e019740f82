"""The error of `adaptive` before anyone is asked: the information of its three rounds, for components evenly placed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from sottovoce.design import subset
from sottovoce.messages import exact
from sottovoce.problems.mixture.design import bins, edges, levels, strength
from sottovoce.problems.mixture.evidence import Evidence, Round, bins_matrix, counted, joint_matrix
from sottovoce.problems.mixture.fit import DOUBT, USUAL_RATIO, Fitted
from sottovoce.problems.mixture.kinds import Floats, Kinds, narrowest_ratio, widest_ratio
from sottovoce.problems.mixture.predicted import laws
from sottovoce.problems.mixture.settings import MixtureMeans
from sottovoce.risk import Crowd, Poisoning, Prediction, capture_share

_OFF = 0.8
"""Centres lie this part of a standard error beside the means: as far as a normal error does on average."""
_LOST = 1.1
"""By how many standard errors the best of many empty places stands out, found once and looked at twice."""


def kinds(settings: MixtureMeans, crowd: Crowd) -> Kinds:
    """Components evenly over the range with equal shares, each as wide as the crowd says."""
    middle, half = (settings.low + settings.high) / 2, (settings.high - settings.low) / 2
    held = laws(settings, crowd)
    means = np.array([(law.mean - middle) / half for law in held])
    spread = np.sqrt([law.variance for law in held]) / half
    ratios = spread / np.sqrt((1 - means**2) / settings.observations)
    return Kinds(
        shares=np.full(len(means), 0.999 / len(means)),
        means=means,
        ratios=np.clip(ratios, narrowest_ratio(settings.observations), widest_ratio(settings.observations)),
        elsewhere=0.001,
        observations=settings.observations,
    )


def asked(settings: MixtureMeans, truth: Kinds, users: tuple[int, ...]) -> Fitted:
    """The three rounds, answered without chance by users of these kinds; centres are off as they would be."""
    matrix = bins_matrix(edges(bins(settings)))
    evidence = Evidence(rounds=(_round(settings, matrix, users[0], hard=True),), observations=settings.observations)
    turn = np.where(np.arange(truth.count) % 2 == 0, _OFF, -_OFF)
    for count, sharp in ((users[1], False), (users[2], True)):
        found = _fitted(evidence, truth)
        _, off, doubt = found.deviations()
        known = 1 - np.minimum(1.0, doubt / DOUBT[1]) ** 2  # before, all spreads are taken for the usual one
        guessed = replace(truth, ratios=np.exp(known * np.log(truth.ratios) + (1 - known) * USUAL_RATIO))
        reach, steps = levels(replace(found, kinds=guessed), sharp=sharp)
        centres = np.clip(truth.means + turn * np.minimum(off, guessed.spreads), -1, 1)
        evidence = evidence.with_round(
            _round(settings, joint_matrix(centres.tolist(), reach, steps), count, hard=False)
        )
    return _fitted(evidence, truth)


def _fitted(evidence: Evidence, truth: Kinds) -> Fitted:
    return Fitted(kinds=truth, loss=0.0, evidence=evidence, precision=evidence.precision(truth))


def _round(settings: MixtureMeans, matrix: tuple[Floats, Floats], users: int, *, hard: bool) -> Round:
    symbols = len(matrix[1])
    channel = subset(exact(settings.epsilon), symbols)
    return counted(*matrix, channel, np.zeros(symbols), users, hard=hard)


def error(settings: MixtureMeans, crowd: Crowd, users: tuple[int, ...]) -> Prediction:
    """Of a component's mean, on average: by information where components are found, by distance where one is lost."""
    truth = kinds(settings, crowd)
    found = asked(settings, truth, users)
    half = (settings.high - settings.low) / 2
    total = float((found.deviations()[1] ** 2).mean())
    sampling = min(total, float((truth.spreads**2 / truth.shares).mean()) / settings.users)
    lost = _lost(settings, truth, users)
    return Prediction(
        sampling=half**2 * sampling,
        privacy=half**2 * (total - sampling),
        localisation=half**2 * lost * _misplaced(truth.means),
    )


def _lost(settings: MixtureMeans, truth: Kinds, users: tuple[int, ...]) -> float:
    """The chance that some component is not found."""
    clear = strength(settings, users[0] + 0.5 * (users[1] + users[2])) / truth.count - _LOST
    return 1 - (1 - 0.5 * math.erfc(clear / math.sqrt(2))) ** truth.count


def _misplaced(means: Floats) -> float:
    """The squared error of a component's mean, on average, when one of them is somewhere else instead."""
    somewhere = np.sin(np.linspace(-math.pi / 2, math.pi / 2, 33)[1:-1])
    squares = []
    for own in range(len(means)):
        rest = np.delete(means, own)
        squares += [float(((np.sort(np.append(rest, place)) - means) ** 2).mean()) for place in somewhere]
    return float(np.mean(squares))


def poisoning(settings: MixtureMeans, crowd: Crowd, users: tuple[int, ...]) -> Poisoning:
    """Of one component's mean: to first order, what a report moves it by at most, in all rounds alike.

    A wrong bin looks like a component once it is held as often as the bin of the smallest component.
    """
    truth = kinds(settings, crowd)
    found = asked(settings, truth, users)
    weights = found.influence
    reach, start = np.zeros(truth.count), 0
    for one in found.evidence.rounds:
        part = weights[:, start : start + len(one.found)]
        start += len(one.found)
        channel = subset(exact(settings.epsilon), len(one.found))
        own, other = channel.inclusion
        ranked = np.sort(part, axis=1)
        most, least = ranked[:, -channel.size :].sum(axis=1), ranked[:, : channel.size].sum(axis=1)
        reach += (most - least) / (own - other)
    half, count = (settings.high - settings.low) / 2, bins(settings)
    own, other = subset(exact(settings.epsilon), count).inclusion
    cuts = settings.low + half * (1 + np.array([-1, *edges(count), 1]))
    fullest = min(float(law.shares(cuts).max()) for law in laws(settings, crowd))
    return Poisoning(reach=half * float(reach.max()), capture=capture_share(own, fullest / truth.count, base=other))
