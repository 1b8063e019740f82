"""Kinds that explain the answers: generalised least squares, from a start, by Fisher's scoring with halved steps.

Kinds are found one after another, each where it explains most; then each is tried elsewhere. What some rounds say is
learned once: a replay comes here again for every step of a survey.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Question, Tally
from sottovoce.methods import Floats
from sottovoce.problems.mixture.user_kinds import Evidence, Kinds, narrowest_ratio, read_round, widest_ratio

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.mixture.fit:NAME VALUE … --problem mixture
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
class Fit:
    """Kinds in increasing order of their means, the loss that is left, and the covariance of what was fitted."""

    kinds: Kinds
    loss: float
    evidence: Evidence
    precision: Floats

    @cached_property
    def share_slopes(self) -> Floats:
        """How expected shares of symbols change with shares, means and logarithms of ratios."""
        point = _Point.of(self.evidence, self.kinds)
        return np.concatenate((point.laws, point.share_slopes(self.evidence)))

    @cached_property
    def covariance(self) -> Floats:
        """The covariance of shares, means and logarithms of ratios, in this order: the inverse of the information."""
        count = self.kinds.count
        information = self.share_slopes @ self.precision @ self.share_slopes.T
        places = np.arange(count)
        information[places, places] += EVEN / np.maximum(self.kinds.shares, 0.02) ** 2
        information[count + places, count + places] += ANYWHERE
        information[2 * count + places, 2 * count + places] += 1 / _doubt_about_ratios(self.kinds.ratios) ** 2
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
        return np.asarray(self.covariance[count : 2 * count] @ self.share_slopes @ self.precision)

    def deviations(self) -> tuple[Floats, Floats, Floats]:
        """Standard deviations of shares, means and logarithms of ratios."""
        deviations = np.sqrt(np.maximum(np.diag(self.covariance), 0.0))
        count = self.kinds.count
        return deviations[:count], deviations[count : 2 * count], deviations[2 * count :]


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
        doubt = ((np.log(kinds.ratios) - USUAL_RATIO) / _doubt_about_ratios(kinds.ratios)) ** 2
        even = -2 * EVEN * np.log(kinds.count * kinds.shares)
        return float(off @ precision @ off + doubt.sum() + even.sum() + 2 * kinds.elsewhere / ELSEWHERE)

    def share_slopes(self, evidence: Evidence) -> Floats:
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


def _doubt_about_ratios(ratios: Floats) -> Floats:
    return np.where(np.log(ratios) > USUAL_RATIO - _SAME, *DOUBT)


def fit(evidence: Evidence, start: Kinds, *, steps: int = STEPS, widest: float = math.inf) -> Fit:
    """The best kinds near a start, none with a larger r than `widest`."""
    widest = min(widest, widest_ratio(start.observations))
    point = _Point.of(evidence, start)
    precision = evidence.precision(point.kinds, point.expected)
    for _ in range(steps):
        loss = point.loss(evidence, precision)
        step = _scoring_step(evidence, precision, point)
        for halved in range(6):
            moved = _Point.of(evidence, _kinds_after_step(point.kinds, step / 2**halved, widest))
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
    return Fit(kinds=point.kinds.in_order(), loss=loss, evidence=evidence, precision=precision)


def _scoring_step(evidence: Evidence, precision: Floats, point: _Point) -> Floats:
    """Fisher's step in the share elsewhere, logits of the other shares, means and logarithms of ratios."""
    kinds, count = point.kinds, point.kinds.count
    shares, among = kinds.shares, kinds.shares / kinds.shares.sum()
    together = among @ point.laws
    slopes = np.concatenate(
        (
            (evidence.anywhere - together)[None, :],
            shares[:, None] * (point.laws - together),
            point.share_slopes(evidence),
        )
    )
    weighted = slopes @ precision
    gradient, information = weighted @ (evidence.found - point.expected), weighted @ slopes.T
    gradient[0] -= 1 / ELSEWHERE + EVEN * count / shares.sum()
    of_shares, ratios = slice(1, count + 1), 2 * count + 1 + np.arange(count)
    gradient[of_shares] -= EVEN * (count * among - 1)
    information[of_shares, of_shares] += EVEN * count * (np.diag(among) - np.outer(among, among))
    gradient[ratios] -= (np.log(kinds.ratios) - USUAL_RATIO) / _doubt_about_ratios(kinds.ratios) ** 2
    information[ratios, ratios] += 1 / _doubt_about_ratios(kinds.ratios) ** 2
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


def _kinds_after_step(kinds: Kinds, step: Floats, widest: float) -> Kinds:
    count, observations = kinds.count, kinds.observations
    elsewhere = min(MOST, max(LEAST, kinds.elsewhere + float(step[0])))
    logits = np.log(kinds.shares) + step[1 : count + 1]
    shares = np.exp(logits - logits.max())
    shares = np.maximum(shares / shares.sum(), LEAST)
    end = 1 - 0.2 / observations
    return Kinds(
        shares=(1 - elsewhere) * shares / shares.sum(),
        means=np.clip(kinds.means + step[count + 1 : 2 * count + 1], -end, end),
        ratios=np.clip(kinds.ratios * np.exp(step[2 * count + 1 :]), narrowest_ratio(observations), widest),
        elsewhere=elsewhere,
        observations=observations,
    )


RATIOS = np.array([0.8, 3.0])
_STEP, _MOST_PLACES = 0.7, 300
APART = 2.2
"""Kinds that are closer than so many spreads, in arcsin x, are not looked for."""
_VISIBLE = 0.005
_FIRST_SHARE = 0.02
CLOSE = 12.0
"""Another place is tried if, before it is fitted, it explains less by at most this much."""
_PASSES = 3
ROUGH = 5
"""Steps of a fit whose only use is to compare."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Grid:
    """Bells on a grid of places and widths."""

    evidence: Evidence
    means: Floats
    ratios: Floats
    laws: Floats
    step: float

    @classmethod
    def of(cls, evidence: Evidence) -> Grid:
        unit = 1 / math.sqrt(evidence.observations)
        count = int(min(_MOST_PLACES, max(24, math.pi / (_STEP * unit))))
        angles = np.linspace(-math.pi / 2, math.pi / 2, count + 2)[1:-1]
        means, ratios = np.repeat(np.sin(angles), len(RATIOS)), np.tile(RATIOS, count)
        laws = evidence.laws(means, ratios)
        return cls(evidence=evidence, means=means, ratios=ratios, laws=laws, step=float(angles[1] - angles[0]))

    def apart(self, kinds: Kinds | None) -> NDArray[np.intp]:
        """Bells that are apart from all kinds."""
        if kinds is None:
            return np.arange(len(self.means))
        gap = np.abs(np.arcsin(self.means)[:, None] - np.arcsin(kinds.means)[None, :])
        least = np.maximum(1.5 * self.step, APART * np.clip(kinds.ratios, 1.0, 1.5) / math.sqrt(kinds.observations))
        return np.flatnonzero((gap > least).all(axis=1))

    def with_one_more(self, kinds: Kinds | None, precision: Floats, more: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """What is left unexplained by the kinds with each of these bells, and all their shares, which are fitted."""
        count, evidence = 0 if kinds is None else kinds.count, self.evidence
        elsewhere = 10 * LEAST if kinds is None else kinds.elsewhere
        unexplained = evidence.found - elsewhere * evidence.anywhere
        own_laws = np.zeros((0, len(unexplained))) if kinds is None else evidence.laws(kinds.means, kinds.ratios)
        laws = self.laws[more]
        to_own, to_laws = own_laws @ precision, laws @ precision
        system = np.zeros((len(more), count + 2, count + 2))
        system[:, :count, :count] = to_own @ own_laws.T
        system[:, :count, count] = system[:, count, :count] = to_laws @ own_laws.T
        system[:, count, count] = (to_laws * laws).sum(axis=1)
        products = system[:, : count + 1, : count + 1].copy()
        system[:, range(count + 1), range(count + 1)] *= 1 + 1e-6
        system[:, count + 1, : count + 1] = system[:, : count + 1, count + 1] = 1.0
        known = np.empty((len(more), count + 2))
        known[:, :count], known[:, count], known[:, count + 1] = (
            to_own @ unexplained,
            to_laws @ unexplained,
            1 - elsewhere,
        )
        shares = np.linalg.solve(system, known[:, :, None])[:, : count + 1, 0]
        left = (shares * ((products @ shares[:, :, None])[:, :, 0] - 2 * known[:, : count + 1])).sum(axis=1)
        left = left + float(unexplained @ precision @ unexplained)
        left[(shares < _VISIBLE).any(axis=1)] = math.inf
        return np.asarray(left), np.asarray(shares, dtype=np.float64)

    def joined(self, kinds: Kinds | None, bell: int, shares: Floats) -> Kinds:
        """Kinds and one bell more, as a start for a fit."""
        kept_shares = np.maximum(shares, _FIRST_SHARE)
        elsewhere = 10 * LEAST if kinds is None else max(kinds.elsewhere, 10 * LEAST)
        none = np.zeros(0)
        means, ratios = (none, none) if kinds is None else (kinds.means, kinds.ratios)
        return Kinds(
            shares=(1 - elsewhere) * kept_shares / kept_shares.sum(),
            means=np.append(means, self.means[bell]),
            ratios=np.append(ratios, self.ratios[bell]),
            elsewhere=elsewhere,
            observations=self.evidence.observations,
        )

    def another(self, kinds: Kinds | None, precision: Floats) -> Kinds:
        """The kinds and the bell that explains most besides, apart from them while there is room."""
        more = self.apart(kinds)
        if not len(more):
            more = np.arange(len(self.means))
        left, shares = self.with_one_more(kinds, precision, more)
        best = int(np.argmin(left))
        if math.isinf(left[best]) and kinds is not None:  # nothing helps: the emptiest place
            best = int(np.argmax(np.abs(self.means[more][:, None] - kinds.means[None, :]).min(axis=1)))
        return self.joined(kinds, int(more[best]), shares[best])


@dataclass(frozen=True, kw_only=True, eq=False)
class Explanation:
    """The best kinds, and for each of them where else it may be: a chance for each place on a grid."""

    best: Fit
    places: Floats
    chances: Floats
    """``(kinds, places)``: that a kind is there instead of where it was found."""


def kinds_one_by_one(evidence: Evidence, count: int, *, widest: float = math.inf) -> list[Fit]:
    """One kind, two, and so on up to `count`, none wider than `widest`."""
    grid, precision = Grid.of(evidence), evidence.precision(None)
    fits: list[Fit] = []
    kinds: Kinds | None = None
    while len(fits) < count:
        fits.append(fit(evidence, grid.another(kinds, precision), steps=ROUGH, widest=widest))
        kinds, precision = fits[-1].kinds, fits[-1].precision
    return fits


def with_one_kind_more(fitted: Fit) -> Fit:
    """The fit with another kind where it explains most."""
    evidence = fitted.evidence
    return fit(evidence, Grid.of(evidence).another(fitted.kinds, fitted.precision))


def with_one_kind_less(fitted: Fit) -> Fit:
    """The fit without the kind that is missed least."""
    fits = []
    for number in range(fitted.kinds.count):
        rest = fitted.kinds.without(number)
        shares = (1 - rest.elsewhere) * rest.shares / rest.shares.sum()
        fits.append(fit(fitted.evidence, replace(rest, shares=shares), steps=ROUGH))
    return min(fits, key=lambda one: one.loss)


def best_explanation(first: Fit) -> Explanation:
    """Each kind is tried elsewhere; where that is better, it stays there."""
    grid, best = Grid.of(first.evidence), first
    for _ in range(_PASSES):
        before = best
        for number in range(best.kinds.count):
            start = _start_elsewhere(grid, best, number)
            if start is not None and (moved := fit(best.evidence, start, steps=ROUGH)).loss < best.loss - 1e-6:
                best = moved
                break
        if best is before:
            break
    best = fit(best.evidence, best.kinds)
    return Explanation(best=best, places=grid.means, chances=_chances_elsewhere(grid, best))


def _unexplained_elsewhere(
    grid: Grid, fitted: Fit, number: int
) -> tuple[NDArray[np.intp], Floats, Floats, Kinds | None]:
    """All places apart from the kinds, and what is left unexplained if one of them is there; shares, other kinds."""
    kinds = fitted.kinds
    rest = None if kinds.count == 1 else kinds.without(number)
    more = grid.apart(kinds)
    left, shares = grid.with_one_more(rest, fitted.precision, more)
    off = fitted.evidence.found - fitted.evidence.expected(kinds)
    return more, left - float(off @ fitted.precision @ off), shares, rest


def _start_elsewhere(grid: Grid, fitted: Fit, number: int) -> Kinds | None:
    """The kinds with one of them at the best place that is not its own, if that explains nearly as much."""
    more, left, shares, rest = _unexplained_elsewhere(grid, fitted, number)
    if not len(more) or left.min() > CLOSE:
        return None
    best = int(np.argmin(left))
    return grid.joined(rest, int(more[best]), shares[best])


def _chances_elsewhere(grid: Grid, fitted: Fit) -> Floats:
    """By Bayes' rule, places in arcsin x alike; the peak at the place that was found is a bell of the fitted width."""
    chances = np.zeros((fitted.kinds.count, len(grid.means)))
    angles = fitted.deviations()[1] / np.sqrt(np.maximum(1 - fitted.kinds.means**2, 1 / fitted.kinds.observations))
    for number in range(fitted.kinds.count):
        more, left, _, _ = _unexplained_elsewhere(grid, fitted, number)
        weights = np.exp(-np.maximum(left, 0.0) / 2) / len(RATIOS)
        peak = math.sqrt(2 * math.pi) * max(float(angles[number]) / grid.step, 1 / math.sqrt(2 * math.pi))
        chances[number, more] = weights / (weights.sum() + peak)
    return chances


MOST_KINDS = 8
"""Kinds that are looked for where their number is not known."""
PROMISING, CONVINCING = 6.0, 14.0
"""What a kind must explain to be asked about, and to be believed: by chance, the best of many places explains some."""
ALIKE = 1.5
"""Users of one kind are first taken to be about alike: otherwise one wide kind would take the place of two."""

Answered = tuple[Question, tuple[int, ...], int]
"""A question, the counts of its symbols, and how many answered."""


def round_as_numbers(asked: Question, tally: Tally) -> Answered:
    """A round as plain numbers."""
    return asked, tally.cells[0], tally.reports[0]


@lru_cache(maxsize=64)
def kinds_learned_from(
    rounds: tuple[Answered, ...], observations: int, low: float, high: float, count: int | None, last: bool
) -> Explanation:
    """The kinds after these rounds; `count` is their number, or None to find it; `last`: nobody will be asked again."""
    evidence = Evidence(rounds=tuple(read_round(*one, low, high) for one in rounds), observations=observations)
    if len(rounds) > 1:
        before = kinds_learned_from(rounds[:-1], observations, low, high, count, False)
        first = fit(evidence, before.best.kinds)
    else:
        first = _kinds_of_first_round(evidence, count)
    explanation = best_explanation(first)
    return explanation if count is not None or not last else _convincing_kinds(explanation)


def _kinds_of_first_round(evidence: Evidence, count: int | None) -> Fit:
    narrow, wide = (
        kinds_one_by_one(evidence, MOST_KINDS if count is None else count, widest=widest)
        for widest in (ALIKE, math.inf)
    )
    if count is not None:
        return min(narrow[-1], wide[-1], key=lambda one: one.loss)
    return min(*narrow, *wide, key=lambda one: one.loss + PROMISING * one.kinds.count)


def _convincing_kinds(explanation: Explanation) -> Explanation:
    """Kinds that do not explain enough are left out, and what else does is let in."""
    best = explanation.best
    while best.kinds.count > 1 and (less := with_one_kind_less(best)).loss < best.loss + CONVINCING:
        best = less
    while best.kinds.count < MOST_KINDS and (more := with_one_kind_more(best)).loss < best.loss - CONVINCING:
        best = more
    return explanation if best is explanation.best else best_explanation(best)
