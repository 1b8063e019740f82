"""Which kinds explain the answers: one after another, each where it explains most; then each is tried elsewhere."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.problems.mixture.evidence import Evidence
from sottovoce.problems.mixture.fit import LEAST, Fitted, fit
from sottovoce.problems.mixture.kinds import Floats, Kinds

RATIOS = np.array([0.8, 3.0])
_STEP, _MOST = 0.7, 300
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
        count = int(min(_MOST, max(24, math.pi / (_STEP * unit))))
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
        found = evidence.found - elsewhere * evidence.anywhere
        own = np.zeros((0, len(found))) if kinds is None else evidence.laws(kinds.means, kinds.ratios)
        laws = self.laws[more]
        to_own, to_laws = own @ precision, laws @ precision
        system = np.zeros((len(more), count + 2, count + 2))
        system[:, :count, :count] = to_own @ own.T
        system[:, :count, count] = system[:, count, :count] = to_laws @ own.T
        system[:, count, count] = (to_laws * laws).sum(axis=1)
        products = system[:, : count + 1, : count + 1].copy()
        system[:, range(count + 1), range(count + 1)] *= 1 + 1e-6
        system[:, count + 1, : count + 1] = system[:, : count + 1, count + 1] = 1.0
        known = np.empty((len(more), count + 2))
        known[:, :count], known[:, count], known[:, count + 1] = to_own @ found, to_laws @ found, 1 - elsewhere
        shares = np.linalg.solve(system, known[:, :, None])[:, : count + 1, 0]
        left = (shares * ((products @ shares[:, :, None])[:, :, 0] - 2 * known[:, : count + 1])).sum(axis=1)
        left = left + float(found @ precision @ found)
        left[(shares < _VISIBLE).any(axis=1)] = math.inf
        return np.asarray(left), np.asarray(shares, dtype=np.float64)

    def joined(self, kinds: Kinds | None, bell: int, shares: Floats) -> Kinds:
        """Kinds and one bell more, as a start for a fit."""
        held = np.maximum(shares, _FIRST_SHARE)
        elsewhere = 10 * LEAST if kinds is None else max(kinds.elsewhere, 10 * LEAST)
        none = np.zeros(0)
        means, ratios = (none, none) if kinds is None else (kinds.means, kinds.ratios)
        return Kinds(
            shares=(1 - elsewhere) * held / held.sum(),
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
class Explained:
    """The best kinds, and for each of them where else it may be: a chance for each place on a grid."""

    best: Fitted
    places: Floats
    chances: Floats
    """``(kinds, places)``: that a kind is there instead of where it was found."""


def grown(evidence: Evidence, count: int, *, widest: float = math.inf) -> list[Fitted]:
    """One kind, two, and so on up to `count`, none wider than `widest`."""
    grid, precision = Grid.of(evidence), evidence.precision(None)
    found: list[Fitted] = []
    kinds: Kinds | None = None
    while len(found) < count:
        found.append(fit(evidence, grid.another(kinds, precision), steps=ROUGH, widest=widest))
        kinds, precision = found[-1].kinds, found[-1].precision
    return found


def one_more(fitted: Fitted) -> Fitted:
    """With another kind where it explains most."""
    evidence = fitted.evidence
    return fit(evidence, Grid.of(evidence).another(fitted.kinds, fitted.precision))


def one_less(fitted: Fitted) -> Fitted:
    """Without the kind that is missed least."""
    found = []
    for own in range(fitted.kinds.count):
        rest = fitted.kinds.without(own)
        held = (1 - rest.elsewhere) * rest.shares / rest.shares.sum()
        found.append(fit(fitted.evidence, replace(rest, shares=held), steps=ROUGH))
    return min(found, key=lambda one: one.loss)


def improved(first: Fitted) -> Explained:
    """Each kind is tried elsewhere; where that is better, it stays there."""
    grid, best = Grid.of(first.evidence), first
    for _ in range(_PASSES):
        before = best
        for own in range(best.kinds.count):
            start = _elsewhere(grid, best, own)
            if start is not None and (found := fit(best.evidence, start, steps=ROUGH)).loss < best.loss - 1e-6:
                best = found
                break
        if best is before:
            break
    best = fit(best.evidence, best.kinds)
    return Explained(best=best, places=grid.means, chances=_chances(grid, best))


def _scan(grid: Grid, fitted: Fitted, own: int) -> tuple[NDArray[np.intp], Floats, Floats, Kinds | None]:
    """All places apart from the kinds, and what is left unexplained if one of them is there; shares, other kinds."""
    kinds = fitted.kinds
    rest = None if kinds.count == 1 else kinds.without(own)
    more = grid.apart(kinds)
    left, shares = grid.with_one_more(rest, fitted.precision, more)
    off = fitted.evidence.found - fitted.evidence.expected(kinds)
    return more, left - float(off @ fitted.precision @ off), shares, rest


def _elsewhere(grid: Grid, fitted: Fitted, own: int) -> Kinds | None:
    """The kinds with one of them at the best place that is not its own, if that explains nearly as much."""
    more, left, shares, rest = _scan(grid, fitted, own)
    if not len(more) or left.min() > CLOSE:
        return None
    best = int(np.argmin(left))
    return grid.joined(rest, int(more[best]), shares[best])


def _chances(grid: Grid, fitted: Fitted) -> Floats:
    """By Bayes' rule, places in arcsin x alike; the peak at the place that was found is a bell of the fitted width."""
    found = np.zeros((fitted.kinds.count, len(grid.means)))
    angles = fitted.deviations()[1] / np.sqrt(np.maximum(1 - fitted.kinds.means**2, 1 / fitted.kinds.observations))
    for own in range(fitted.kinds.count):
        more, left, _, _ = _scan(grid, fitted, own)
        weights = np.exp(-np.maximum(left, 0.0) / 2) / len(RATIOS)
        peak = math.sqrt(2 * math.pi) * max(float(angles[own]) / grid.step, 1 / math.sqrt(2 * math.pi))
        found[own, more] = weights / (weights.sum() + peak)
    return found
