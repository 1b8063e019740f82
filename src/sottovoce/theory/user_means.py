"""The law of one user's mean, as what exact risk needs of it: masses and moments up to a point."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SNAP = 1e-12
"""An atom this close to an edge lies on it, and so in the bin above (half-open bins, L413)."""


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
    _sums: Floats = field(init=False, repr=False)
    _mean: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        mean = float(self.values @ self.probabilities)
        apart = self.values - mean
        moments = self.probabilities * np.stack([np.ones_like(apart), apart, apart**2])
        sums = np.concatenate([np.zeros((3, 1)), np.cumsum(moments, axis=1)], axis=1)
        object.__setattr__(self, "_sums", sums)
        object.__setattr__(self, "_mean", mean)

    @property
    def mean(self) -> float:
        return self._mean

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
        integrands = density * np.stack([np.ones_like(nodes), nodes, nodes**2])
        rises = slope * np.stack([np.ones_like(nodes), nodes, nodes**2])
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
