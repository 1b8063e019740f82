"""Kinds that explain the answers: generalised least squares, from a start, by Fisher's scoring with halved steps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sottovoce.problems.mixture.evidence import Evidence
from sottovoce.problems.mixture.kinds import Floats, Kinds, narrowest_ratio, widest_ratio

STEPS = 14
USUAL_RATIO, DOUBT = 0.0, (0.6, 1.2)
"""What r is before anyone answered: its logarithm has this mean, and these deviations above and below."""
EVEN = 0.5
"""How much shares are pulled together: as if each kind had been seen by half a user without noise."""
ELSEWHERE = 0.03
"""Users of no kind are few: exponential with this mean."""
ANYWHERE = 3.0
"""Means lie on the range: as much as if each was known with the variance of a uniform law on it."""
LEAST, MOST = 1e-3, 0.5
"""Of a share: so that each can grow again, and most users are of some kind."""
_NEAR, _ENOUGH = 0.02, 0.01
_SAME = 1e-9
"""Of the logarithm of r: users who are alike often have r = 1, and its last digit must not decide about doubt."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fitted:
    """Kinds in increasing order of their means, the loss that is left, and the covariance of what was fitted."""

    kinds: Kinds
    loss: float
    evidence: Evidence
    precision: Floats

    @cached_property
    def slopes(self) -> Floats:
        """How expected shares of symbols change with shares, means and logarithms of ratios."""
        point = _Point.of(self.evidence, self.kinds)
        return np.concatenate((point.laws, point.slopes(self.evidence)))

    @cached_property
    def covariance(self) -> Floats:
        """Of shares, means and logarithms of ratios, in this order: the inverse of the information."""
        count = self.kinds.count
        information = self.slopes @ self.precision @ self.slopes.T
        places = np.arange(count)
        information[places, places] += EVEN / np.maximum(self.kinds.shares, 0.02) ** 2
        information[count + places, count + places] += ANYWHERE
        information[2 * count + places, 2 * count + places] += 1 / _doubt(self.kinds.ratios) ** 2
        free = np.zeros((3 * count, 3 * count - 1))  # shares add up to one: the last follows from the others
        free[: count - 1, : count - 1] = np.eye(count - 1)
        free[count - 1, : count - 1] = -1
        free[count:, count - 1 :] = np.eye(2 * count)
        inner = free.T @ information @ free
        scale = np.sqrt(np.diag(inner))
        inverse = np.linalg.inv(inner / np.outer(scale, scale) + 1e-9 * np.eye(len(inner))) / np.outer(scale, scale)
        return np.asarray(free @ inverse @ free.T)

    @property
    def influence(self) -> Floats:
        """By how much the means move, to first order, with the shares of symbols: ``(kinds, symbols)``."""
        count = self.kinds.count
        return np.asarray(self.covariance[count : 2 * count] @ self.slopes @ self.precision)

    def deviations(self) -> tuple[Floats, Floats, Floats]:
        """Standard deviations of shares, means and logarithms of ratios."""
        found = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        count = self.kinds.count
        return found[:count], found[count : 2 * count], found[2 * count :]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Point:
    """Kinds, the shares of symbols within each, and the shares of symbols that they make."""

    kinds: Kinds
    laws: Floats
    expected: Floats

    @classmethod
    def of(cls, evidence: Evidence, kinds: Kinds) -> _Point:
        laws = evidence.laws(kinds.means, kinds.ratios)
        expected = kinds.shares @ laws + kinds.elsewhere * evidence.anywhere
        return cls(kinds=kinds, laws=laws, expected=expected)

    def loss(self, evidence: Evidence, precision: Floats) -> float:
        """Weighted squares of what is not explained, and what was thought before."""
        off, kinds = evidence.found - self.expected, self.kinds
        doubt = ((np.log(kinds.ratios) - USUAL_RATIO) / _doubt(kinds.ratios)) ** 2
        even = -2 * EVEN * np.log(kinds.count * kinds.shares)
        return float(off @ precision @ off + doubt.sum() + even.sum() + 2 * kinds.elsewhere / ELSEWHERE)

    def slopes(self, evidence: Evidence) -> Floats:
        """How the expected shares change with means and logarithms of ratios."""
        kinds = self.kinds
        away, wider = _NEAR * kinds.spreads, math.exp(_NEAR)
        moved = evidence.laws(
            np.concatenate((kinds.means + away, kinds.means)),
            np.concatenate((kinds.ratios, kinds.ratios * wider)),
        )
        return np.concatenate(
            (
                (kinds.shares / away)[:, None] * (moved[: kinds.count] - self.laws),
                (kinds.shares / _NEAR)[:, None] * (moved[kinds.count :] - self.laws),
            )
        )


def _doubt(ratios: Floats) -> Floats:
    return np.where(np.log(ratios) > USUAL_RATIO - _SAME, *DOUBT)


def fit(evidence: Evidence, start: Kinds, *, steps: int = STEPS, widest: float = math.inf) -> Fitted:
    """The best kinds near a start, none with a larger r than `widest`."""
    widest = min(widest, widest_ratio(start.observations))
    point = _Point.of(evidence, start)
    precision = evidence.precision(point.kinds, point.expected)
    for _ in range(steps):
        loss = point.loss(evidence, precision)
        step = _step(evidence, precision, point)
        for halved in range(6):
            moved = _Point.of(evidence, _moved(point.kinds, step / 2**halved, widest))
            gain = loss - moved.loss(evidence, precision)
            if gain > 0:
                break
        else:
            break
        far = float(np.max(np.abs(moved.kinds.means - point.kinds.means) / point.kinds.spreads))
        point = moved
        precision = evidence.precision(point.kinds, point.expected)
        if gain < _ENOUGH and far < _NEAR:
            break
    loss = point.loss(evidence, precision)
    return Fitted(kinds=point.kinds.in_order(), loss=loss, evidence=evidence, precision=precision)


def _step(evidence: Evidence, precision: Floats, point: _Point) -> Floats:
    """Fisher's step in the share elsewhere, logits of the other shares, means and logarithms of ratios."""
    kinds, count = point.kinds, point.kinds.count
    held, among = kinds.shares, kinds.shares / kinds.shares.sum()
    together = among @ point.laws
    slopes = np.concatenate(
        (
            (evidence.anywhere - together)[None, :],
            held[:, None] * (point.laws - together),
            point.slopes(evidence),
        )
    )
    weighted = slopes @ precision
    gradient, information = weighted @ (evidence.found - point.expected), weighted @ slopes.T
    gradient[0] -= 1 / ELSEWHERE + EVEN * count / held.sum()
    own, ratios = slice(1, count + 1), 2 * count + 1 + np.arange(count)
    gradient[own] -= EVEN * (count * among - 1)
    information[own, own] += EVEN * count * (np.diag(among) - np.outer(among, among))
    gradient[ratios] -= (np.log(kinds.ratios) - USUAL_RATIO) / _doubt(kinds.ratios) ** 2
    information[ratios, ratios] += 1 / _doubt(kinds.ratios) ** 2
    scale = np.sqrt(np.maximum(np.diag(information), 1e-12))
    information = information / np.outer(scale, scale) + 1e-3 * np.eye(len(scale))
    step = np.linalg.solve(information, gradient / scale)
    room = np.array([LEAST, MOST]) - kinds.elsewhere
    if not room[0] <= step[0] / scale[0] <= room[1]:  # the share elsewhere ends at its bound; the others follow
        step[0] = scale[0] * float(np.clip(step[0] / scale[0], *room))
        step[1:] = np.linalg.solve(information[1:, 1:], (gradient / scale)[1:] - information[1:, 0] * step[0])
    most = np.concatenate(([MOST], np.full(count, 1.0), 1.5 * kinds.spreads, np.full(count, 0.7)))
    step = step / scale
    return np.asarray(step / max(1.0, float(np.max(np.abs(step) / most))))


def _moved(kinds: Kinds, step: Floats, widest: float) -> Kinds:
    count, observations = kinds.count, kinds.observations
    elsewhere = min(MOST, max(LEAST, kinds.elsewhere + float(step[0])))
    logits = np.log(kinds.shares) + step[1 : count + 1]
    held = np.exp(logits - logits.max())
    held = np.maximum(held / held.sum(), LEAST)
    end = 1 - 0.2 / observations
    return Kinds(
        shares=(1 - elsewhere) * held / held.sum(),
        means=np.clip(kinds.means + step[count + 1 : 2 * count + 1], -end, end),
        ratios=np.clip(kinds.ratios * np.exp(step[2 * count + 1 :]), narrowest_ratio(observations), widest),
        elsewhere=elsewhere,
        observations=observations,
    )
