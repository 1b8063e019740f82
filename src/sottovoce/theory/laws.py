"""Distributions of observations, and the exact law of the mean of T of them, on the paper's scale [−1, 1].

Each is a frozen value with ``of_means(observations)``, which gives what exact risk needs of the law of one user's mean:
masses and moments up to a point. What leaves the range is the user's affair: bins at the ends catch it (ERRATA P5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SNAP = 1e-12
"""An atom this close to an edge lies on it, and so in the bin above (half-open bins, L413)."""


def log_choose(trials: int, k: Floats) -> Floats:
    """The logarithms of binomial coefficients."""
    from scipy.special import gammaln

    return np.asarray(gammaln(trials + 1) - gammaln(k + 1) - gammaln(trials - k + 1))


def binomial_at(trials: int, k: Floats, chance: float | Floats) -> Floats:
    """The chance of k successes, with relative error about 1e-13 in the tails too."""
    from scipy.special import xlog1py, xlogy

    return np.asarray(np.exp(log_choose(trials, k) + xlogy(k, chance) + xlog1py(trials - k, -chance)))


def binomial(trials: int, chance: float | Floats) -> Floats:
    """The binomial law on 0 … trials, a row for each chance."""
    return binomial_at(trials, np.arange(trials + 1, dtype=np.float64), np.asarray(chance)[..., None])


class MeanLaw(Protocol):
    """A law of user means: where it lies, its mean, and its partial moments."""

    @property
    def mean(self) -> float:
        """The expectation: what is estimated."""

    @property
    def support(self) -> tuple[float, float]:
        """An interval that holds all of the mass but `neglected`."""

    @property
    def neglected(self) -> float:
        """Mass left out of the law to keep it finite."""

    @property
    def step(self) -> float:
        """The mean distance of neighbouring atoms; 0 for a density."""

    def partial(self, points: Floats) -> Floats:
        """``(3, len(points))``: the expectations of 1, x − mean and (x − mean)² over x below each point."""


@dataclass(frozen=True)
class Atoms:
    """Finitely many values with probabilities, in increasing order."""

    values: Floats
    probabilities: Floats
    neglected: float = 0.0
    mean: float = field(init=False, repr=False)
    _sums: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        mean = float(self.values @ self.probabilities)
        apart = self.values - mean
        moments = self.probabilities * np.stack([np.ones_like(apart), apart, apart**2])
        sums = np.concatenate([np.zeros((3, 1)), np.cumsum(moments, axis=1)], axis=1)
        object.__setattr__(self, "_sums", sums)
        object.__setattr__(self, "mean", mean)

    @property
    def support(self) -> tuple[float, float]:
        return float(self.values[0]), float(self.values[-1])

    @property
    def step(self) -> float:
        return float(self.values[-1] - self.values[0]) / max(len(self.values) - 1, 1)

    def partial(self, points: Floats) -> Floats:
        below = np.searchsorted(self.values, np.asarray(points) - SNAP, side="left")
        return np.asarray(self._sums[:, below])


@dataclass(frozen=True)
class Smooth:
    """A density tabulated finely with its slope; integrals between nodes by cubics through values and slopes."""

    mean: float
    start: float
    spacing: float
    sums: Floats
    slopes: Floats
    neglected: float = 0.0
    step: ClassVar[float] = 0.0

    @classmethod
    def of(cls, mean: float, nodes: Floats, density: Floats, slope: Floats, neglected: float) -> Smooth:
        """From equally spaced nodes, measured from the mean: trapezoids with the end-slope correction, O(step⁴)."""
        step = float(nodes[1] - nodes[0])
        powers = np.stack([np.ones_like(nodes), nodes, nodes**2])
        integrands = density * powers
        rises = slope * powers
        rises[1] += density
        rises[2] += 2 * nodes * density
        pieces = step * (integrands[:, 1:] + integrands[:, :-1]) / 2 - step**2 * (rises[:, 1:] - rises[:, :-1]) / 12
        sums = np.concatenate([np.zeros((3, 1)), np.cumsum(pieces, axis=1)], axis=1)
        total = sums[0, -1]
        return cls(mean, float(nodes[0]), step, sums / total, integrands / total, neglected)

    @property
    def support(self) -> tuple[float, float]:
        return self.mean + self.start, self.mean + self.start + self.spacing * (self.sums.shape[1] - 1)

    def partial(self, points: Floats) -> Floats:
        last = self.sums.shape[1] - 1
        place = np.clip((np.asarray(points) - self.mean - self.start) / self.spacing, 0.0, last)
        cell = np.minimum(place.astype(np.int64), last - 1)
        t = place - cell
        left, right = self.sums[:, cell], self.sums[:, cell + 1]
        rise_left, rise_right = self.spacing * self.slopes[:, cell], self.spacing * self.slopes[:, cell + 1]
        return np.asarray(
            left
            + (3 * t**2 - 2 * t**3) * (right - left)
            + (t - 2 * t**2 + t**3) * rise_left
            + (t**3 - t**2) * rise_right
        )


TAIL = 1e-18
_NODES = 2**14
_REACH = 10.0


class Law(Protocol):
    """Observations of one user, given how many there are."""

    def of_means(self, observations: int) -> MeanLaw:
        """The law of the mean of that many observations."""


@dataclass(frozen=True, kw_only=True)
class Rademacher:
    """±1 with P(+1) = `chance`, plus `shift`: means are scaled binomials (L1003)."""

    chance: float = 0.5
    shift: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.chance <= 1:
            raise InvalidInput(rule="chance must lie between 0 and 1", got=self.chance)

    def of_means(self, observations: int) -> MeanLaw:
        T, p = observations, self.chance
        reach = 9.5 * math.sqrt(T * p * (1 - p)) + 40  # outside: below TAIL by Bernstein's inequality
        ones = np.arange(max(0, math.floor(T * p - reach)), min(T, math.ceil(T * p + reach)) + 1, dtype=np.float64)
        mass = binomial_at(T, ones, p)
        return _atoms(2 * ones / T - 1 + self.shift, mass / mass.sum(), TAIL if len(ones) <= T else 0.0)


@dataclass(frozen=True, kw_only=True)
class BetaBinomial:
    """Users differ: each has an own chance of +1 drawn from Beta(`a`, `b`), and observations ±1 given it."""

    a: float
    b: float

    def __post_init__(self) -> None:
        if not (0 < self.a < math.inf and 0 < self.b < math.inf):
            raise InvalidInput(rule="a and b must be positive and finite", wrong=f"got a={self.a!r}, b={self.b!r}")

    def of_means(self, observations: int) -> MeanLaw:
        from scipy.special import betaln

        T = observations
        ones = np.arange(T + 1, dtype=np.float64)
        mass = np.exp(log_choose(T, ones) + betaln(ones + self.a, T - ones + self.b) - betaln(self.a, self.b))
        return _atoms(2 * ones / T - 1, mass / mass.sum(), 0.0)


@dataclass(frozen=True, kw_only=True)
class Lattice:
    """Values ``first, first + step, …`` with `probabilities` (ratings, counts): T-fold convolution, error 1e-15."""

    first: float
    step: float
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        _check_law(np.asarray(self.probabilities, dtype=np.float64))

    def of_means(self, observations: int) -> MeanLaw:
        size = (len(self.probabilities) - 1) * observations + 1
        spectrum = np.fft.rfft(np.asarray(self.probabilities), n=2 ** math.ceil(math.log2(max(2, size))))
        mass = np.fft.irfft(spectrum**observations)[:size]
        mass = np.where(mass > 1e-16, mass, 0.0)  # below: rounding of the transform
        return _atoms(self.first + self.step * np.arange(size) / observations, mass / mass.sum(), 1e-13)


@dataclass(frozen=True, kw_only=True)
class Uniform:
    """Uniform on [`low`, `high`]: the mean has the Irwin–Hall law.

    Up to 8 observations by its formula, then from its characteristic function on 2^14 nodes over ± 10 standard
    deviations; masses are right to 1e-11 either way.
    """

    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise InvalidInput(rule="low must be below high", wrong=f"got low={self.low:g}, high={self.high:g}")

    def of_means(self, observations: int) -> MeanLaw:
        mean, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        if observations <= 8:
            return _IrwinHall(mean=mean, half=half, terms=observations)
        sd = half / math.sqrt(3 * observations)
        step = 2 * _REACH * sd / _NODES
        nodes = step * (np.arange(_NODES, dtype=np.float64) - _NODES // 2)
        frequency = 2 * math.pi * np.fft.fftfreq(_NODES, d=step)
        transform = np.sinc(frequency * half / observations / math.pi) ** observations
        density = np.fft.fftshift(np.fft.ifft(transform)).real / step
        slope = np.fft.fftshift(np.fft.ifft(1j * frequency * transform)).real / step
        return Smooth.of(mean, nodes, np.maximum(density, 0.0), slope, 1e-15)


@dataclass(frozen=True, kw_only=True)
class Point:
    """Every observation is `value`: infinitely many observations a user (L155)."""

    value: float

    def of_means(self, observations: int) -> MeanLaw:
        return _atoms(np.array([self.value]), np.array([1.0]), 0.0)


@dataclass(frozen=True, kw_only=True)
class UserMeans:
    """User means given as they are, whatever the number of observations; without `probabilities`, all alike."""

    values: tuple[float, ...]
    probabilities: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.values or not np.isfinite(self.values).all():
            raise InvalidInput(rule="values must be finite, and at least one")
        if self.probabilities is not None:
            _check_law(np.asarray(self.probabilities, dtype=np.float64))
            if len(self.probabilities) != len(self.values):
                raise InvalidInput(rule=f"{len(self.values)} values need as many probabilities")

    def of_means(self, observations: int) -> MeanLaw:
        count = len(self.values)
        mass = np.full(count, 1 / count) if self.probabilities is None else np.asarray(self.probabilities, dtype=float)
        values, place = np.unique(np.asarray(self.values, dtype=np.float64), return_inverse=True)
        return _atoms(values, np.asarray(np.bincount(place, weights=mass), dtype=np.float64), 0.0)


@dataclass(frozen=True, kw_only=True)
class _IrwinHall:
    """The mean of a few uniform numbers, by the alternating sum (exact to 1e-12 for up to 8 terms)."""

    mean: float
    half: float
    terms: int
    neglected: float = 0.0
    step: ClassVar[float] = 0.0

    @property
    def support(self) -> tuple[float, float]:
        return self.mean - self.half, self.mean + self.half

    def partial(self, points: Floats) -> Floats:
        unit = 2 * self.half / self.terms  # the mean is low + unit · sum
        x = np.clip((np.asarray(points, dtype=np.float64) - self.mean + self.half) / unit, 0.0, self.terms)
        signs = [(-1) ** k * math.comb(self.terms, k) for k in range(self.terms + 1)]
        mass, once, twice = (  # the density of a sum of uniforms on [0, 1], integrated once, twice and three times
            np.asarray(
                sum(sign * np.where(x >= k, np.maximum(x - k, 0.0) ** power, 0.0) for k, sign in enumerate(signs))
            )
            / math.factorial(power)
            for power in range(self.terms, self.terms + 3)
        )
        y = x - self.terms / 2
        return np.stack([mass, unit * (y * mass - once), unit**2 * (y**2 * mass - 2 * (y * once - twice))])


def _check_law(mass: Floats) -> None:
    if len(mass) < 1 or not (mass >= 0).all() or abs(mass.sum() - 1) > 1e-9:
        raise InvalidInput(rule="probabilities must not be negative and must sum to one")


def _atoms(values: Floats, mass: Floats, neglected: float) -> Atoms:
    positive = mass > 0
    return Atoms(values[positive], mass[positive], neglected)
