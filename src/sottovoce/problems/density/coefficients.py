"""What is believed about the coefficients of a density before and after they are measured: they fall off, somehow.

θ_j = (a + (−1)^j b)/j² + η_j. The first part is what slopes at the two ends of the range do to every wave, however far
out: with f as smooth as one likes inside, θ_j tends to √2(±f′(high) − f′(low))/(πj)². The second is whatever else there
is, η_j ~ N(0, (B·j^−β)²). Neither B nor β is known, nor how steep ends are: all of them count by how well they explain
what was measured. Beliefs choose where to look and which curve is published; no band rests on them.

A user's vector of cosine averages lies in the hull of the curve γ(x) = (√2 cos(πjx))_j, x in [0, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sottovoce.answers import cosines
from sottovoce.methods import Floats, on_lattice

# What each number below is worth:
# python -m benchmarks.accuracy.tuning sottovoce.problems.density.coefficients:NAME VALUE … --problem density
DECAYS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
"""β: from densities with jumps to very smooth ones."""
SIZES = tuple(2.0 ** (half / 2) for half in range(-6, 9))
"""B."""
STEEP = (1.0, 3.0)
"""Standard deviations of a and b, beside none at all, which counts for as much as both."""
MOST = 2.0
"""The largest square of a coefficient."""
SPARED = 0.1
"""Waves are left out while together they hold less than this part of the error that the others have."""
_FAR = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Belief:
    """Means and variances of the coefficients, given what was measured; and a and b."""

    value: Floats
    variance: Floats
    ends: tuple[float, float]

    @property
    def waves_to_show(self) -> int:
        """How many of the waves are worth showing: the others are believed to hold hardly anything."""
        size = len(self.value)
        squares = np.append(self.value, (_ends(_FAR * size) @ np.array(self.ends))[size:]) ** 2
        behind = np.append(np.cumsum(squares[::-1])[::-1][1:], 0.0)
        return min(size, 1 + int(np.argmax(behind <= SPARED * self.variance.sum())))


def decays_to_consider(smoothness: float | None) -> tuple[float, ...]:
    """All decays that are possible, or those of densities at least so smooth."""
    return DECAYS if smoothness is None else (smoothness, *(decay for decay in DECAYS if decay > smoothness))


def belief_about(value: Floats, variance: Floats, betas: tuple[float, ...]) -> Belief:
    """The average over all decays, sizes and ends, by likelihood."""
    return Prior.of(variance, betas).given(value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Prior:
    """All decays, sizes and ends, for waves measured with these variances: all that does not depend on the values."""

    variance: Floats
    total: Floats
    """Of a measured wave, by decay and size."""
    pull: Floats
    noise: Floats
    steep: tuple[tuple[Floats, Floats, Floats], ...]
    """By steepness of the ends: the variance of a and b, those of the waves, and what it costs the likelihood."""

    @classmethod
    def of(cls, variance: Floats, betas: tuple[float, ...]) -> Prior:
        """What is believed before, of waves that are measured with these variances."""
        waves, ends, steep = np.arange(1, len(variance) + 1, dtype=np.float64), _ends(len(variance)), []
        prior = np.array([np.minimum((size * waves**-beta) ** 2, MOST) for beta in betas for size in SIZES])
        total = prior + variance
        pull, noise = prior / total, variance / total
        for each in STEEP:
            matrix = np.einsum("ji,kj,jl->kil", ends, 1 / total, ends) + np.eye(2) / each**2
            inverse = np.linalg.inv(matrix)
            spread = pull * variance + noise**2 * np.einsum("ji,kil,jl->kj", ends, inverse, ends)
            steep.append((inverse, spread, 0.5 * np.log(np.linalg.det(matrix) * each**4)))
        return cls(variance=variance, total=total, pull=pull, noise=noise, steep=tuple(steep))

    def given(self, value: Floats) -> Belief:
        """What is believed once the waves have come out like this."""
        ends, drawn = _ends(len(value)), self.pull * value
        plain = -0.5 * (np.log(self.total) + value**2 / self.total).sum(axis=1)
        means, spreads, slopes, support = [drawn], [self.pull * self.variance], [np.zeros((len(drawn), 2))], [plain]
        pulled = np.einsum("ji,kj->ki", ends, value / self.total)
        for inverse, spread, cost in self.steep:
            slope = np.einsum("kil,kl->ki", inverse, pulled)
            means.append(drawn + self.noise * (slope @ ends.T))
            spreads.append(spread)
            slopes.append(slope)
            support.append(plain + (0.5 * (pulled * slope).sum(axis=1) - cost) - np.log(len(STEEP)))
        every, mean_of = np.concatenate(support), np.concatenate(means)
        weight = np.exp(every - every.max())
        weight /= weight.sum()
        mean = weight @ mean_of
        low, high = weight @ np.concatenate(slopes)
        return Belief(
            value=mean,
            variance=weight @ (np.concatenate(spreads) + (mean_of - mean) ** 2),
            ends=(float(low), float(high)),
        )


def _ends(count: int) -> Floats:
    """What a and b add to each wave: ``(waves, 2)``."""
    waves = np.arange(1, count + 1)
    return np.stack([1.0 / waves**2, (-1.0) ** waves / waves**2], axis=1)


PEAK = math.sqrt(2)
"""The largest value of a basis function: coefficients lie in [−√2, √2] (ERRATA 15: the rescaling the paper omits)."""
_CELLS = 512
_FINE = 16
"""Points a wave: between them a curve of so many waves rises by less than half a percent of its height."""
_BETWEEN = 1.005
_HALVINGS = 60


def hull_points(size: int) -> Floats:
    """Points of γ, close together."""
    return cosines(np.linspace(0.0, 1.0, _FINE * size + 1), size + 1)[:, 1:]


def farthest_distance(centre: tuple[float, ...]) -> float:
    """The largest distance that anybody can have from a point: that of an end of the hull, which lies on the curve."""
    away = hull_points(len(centre)) - np.asarray(centre)
    return _BETWEEN * math.sqrt(float((away**2).sum(axis=1).max()))


def centre_of_nearest_density(value: Floats) -> tuple[float, ...]:
    """The coefficients of the density nearest to these, on the lattice: a centre that goes into a question."""
    basis = cosines((np.arange(_CELLS) + 0.5) / _CELLS, len(value) + 1)[:, 1:]
    heights = 1 + basis @ value
    least, most = min(0.0, float(heights.min())), float(heights.max())
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        if np.maximum(heights - middle, 0.0).mean() > 1:
            least = middle
        else:
            most = middle
    inside = np.maximum(heights - least, 0.0) @ basis / _CELLS
    return on_lattice((float(one) for one in inside), -PEAK, PEAK)
