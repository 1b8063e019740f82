"""The mechanisms of Duchi, Jordan and Wainwright (2018) for a ball and for a cube. Simulation only.

Given a vector x of the ball (or cube), a report z is a point of the sphere of radius B (or a corner of the cube ±B)
in the half-space of x with probability e^ε/(1 + e^ε), else in the other; B makes E z = x. Both have
E zzᵀ = v·I with v = B²/d on the sphere and v = B² on the cube, so Cov(z | x) = v·I − xxᵀ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sottovoce.answers import VectorEstimate
from sottovoce.baselines.simulated import (
    Floats,
    Level,
    People,
    averages,
    check_dimension,
    generator,
    items,
    vector_answer,
)
from sottovoce.messages import InvalidInput, check_epsilon
from sottovoce.methods import check_choice, check_confidence

Ball = Literal["l2", "linf"]
Drawing = Literal["exact", "normal"]
"""Every report is drawn, or their average from its central limit."""
_FULL_COVARIANCE = 256


def truly(epsilon: float) -> float:
    """The chance that a report lies on the side of its vector: e^ε/(1 + e^ε)."""
    return 1 / (1 + math.exp(-epsilon))


def sphere_radius(dimension: int, epsilon: float, radius: float) -> float:
    """B for the ball: r·coth(ε/2)·(√π/2)·d·Γ((d+1)/2)/Γ(d/2+1) (their Eq. 25)."""
    ratio = math.exp(math.lgamma((dimension + 1) / 2) - math.lgamma(dimension / 2 + 1))
    return radius / math.tanh(epsilon / 2) * math.sqrt(math.pi) / 2 * dimension * ratio


def cube_side(dimension: int, epsilon: float, radius: float) -> float:
    """B for the cube: r·coth(ε/2)·d/E|S|, S a sum of d random signs; ties of an even d keep 2^-d (ERRATA P4)."""
    pairs = dimension - 1 if dimension % 2 else dimension
    log = math.lgamma(pairs + 1) - 2 * math.lgamma(pairs / 2 + 1) - pairs * math.log(2)
    return radius / math.tanh(epsilon / 2) * math.exp(-log)


def sphere_reports(x: Floats, epsilon: float, radius: float, stream: np.random.Generator) -> Floats:
    """A report for each row of `x`; longer rows are projected on the ball."""
    count, dimension = x.shape
    lengths = np.minimum(np.sqrt((x**2).sum(axis=1)), radius)
    point = stream.standard_normal((count, dimension), dtype=np.float32).astype(np.float64)
    # x̃ = ±r·x/|x| with mean x, then the half-space of x̃ or the other: two signs, of which only the product matters.
    along = np.where(stream.random(count) < 0.5 + lengths / (2 * radius), 1.0, -1.0)
    kept = np.where(stream.random(count) < truly(epsilon), 1.0, -1.0)
    side = np.where((point * x).sum(axis=1) >= 0, 1.0, -1.0)
    scale = sphere_radius(dimension, epsilon, radius) / np.sqrt((point**2).sum(axis=1))
    return np.asarray(point * (scale * along * kept * side)[:, None])


def cube_reports(x: Floats, epsilon: float, radius: float, stream: np.random.Generator) -> Floats:
    """A report for each row of `x`, coordinates clamped; the sign vector is flipped as a whole (ERRATA P4)."""
    count, dimension = x.shape
    corner = stream.random(x.shape) < 0.5 + np.clip(x, -radius, radius) / (2 * radius)
    bits = stream.integers(0, 256, size=(count, -(-dimension // 8)), dtype=np.uint8)
    drawn = np.unpackbits(bits, axis=1, count=dimension).astype(bool)
    agree = 2 * (drawn == corner).sum(axis=1) - dimension
    kept = np.where(stream.random(count) < truly(epsilon), 1, -1)
    flip = np.where(agree * kept < 0, -1.0, 1.0)  # a tie is on either side and stays
    side = cube_side(dimension, epsilon, radius)
    return np.asarray(np.where(drawn, side, -side) * flip[:, None])


@dataclass(frozen=True, kw_only=True)
class Mechanism:
    """One of the two mechanisms, with the exact law of a report's first two moments."""

    ball: Ball
    dimension: int
    epsilon: float
    radius: float

    @property
    def variance(self) -> float:
        """The v of E zzᵀ = v·I."""
        if self.ball == "l2":
            return sphere_radius(self.dimension, self.epsilon, self.radius) ** 2 / self.dimension
        return cube_side(self.dimension, self.epsilon, self.radius) ** 2

    def inside(self, x: Floats) -> Floats:
        """Projected on the ball, or clamped to the cube."""
        if self.ball == "linf":
            return np.clip(x, -self.radius, self.radius)
        lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))
        return np.asarray(x * (self.radius / np.maximum(lengths, self.radius)))

    def average(
        self, blocks: Iterable[Floats], law: Drawing, stream: np.random.Generator
    ) -> tuple[Floats, Floats, int]:
        """The average report, the average vector's own variance by coordinate, and how many there were.

        ``"exact"`` draws every report. ``"normal"`` draws their average from the central limit with the exact
        covariance, or for more than 256 coordinates its diagonal: the rest is of order |x|²/(d·v).
        """
        reports: Callable[..., Floats] = sphere_reports if self.ball == "l2" else cube_reports
        total, first, second = (np.zeros(self.dimension) for _ in range(3))
        full = self.dimension <= _FULL_COVARIANCE
        products = np.zeros((self.dimension, self.dimension)) if full else np.zeros(self.dimension)
        count = 0
        for block in blocks:
            x = self.inside(block)
            count += len(x)
            first += x.sum(axis=0)
            second += (x**2).sum(axis=0)
            if law == "exact":
                total += reports(x, self.epsilon, self.radius, stream).sum(axis=0)
            else:
                products += x.T @ x if full else (x**2).sum(axis=0)
        if count == 0:
            raise InvalidInput("no observations: there is nothing to report")
        sampling = np.maximum(second / count - (first / count) ** 2, 0.0) / count
        if law == "exact":
            return total / count, sampling, count
        noise = stream.standard_normal(self.dimension)
        if full:
            spread, basis = np.linalg.eigh(self.variance * np.eye(self.dimension) - products / count)
            noise = basis @ (np.sqrt(np.maximum(spread, 0.0)) * noise)
        else:
            noise = np.sqrt(np.maximum(self.variance - products / count, 0.0)) * noise
        return first / count + noise / math.sqrt(count), sampling, count


@dataclass(frozen=True, kw_only=True)
class DuchiMean:
    """The mean vector from reports of Duchi, Jordan and Wainwright: the paper's item-level and semi-user baselines.

    `level`: ``"item"`` reports every observation; ``"user"`` every user's average (semi user level, L895). `law`:
    see `Mechanism.average`. Simulation only: it runs on no device and no engine.

    Privacy
    -------
    Of the scheme described, not of this code: ε for a single observation (item) or for the whole collection (user).

    Accuracy
    --------
    Squared error (d·v − |θ|²)/N for N reports, v ≈ (π/2)·coth²(ε/2)·r² (l2), d times as much (linf).
    """

    name: ClassVar[str] = "duchi"

    epsilon: float
    dimension: int
    ball: Ball = "l2"
    level: Level = "item"
    radius: float = 1.0
    centre: tuple[float, ...] | None = None
    law: Drawing = "exact"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_confidence(self.confidence)
        for field, allowed in (("ball", ("l2", "linf")), ("level", ("item", "user")), ("law", ("exact", "normal"))):
            check_choice(field, getattr(self, field), allowed)
        if not self.dimension >= 1 or not 0 < self.radius < math.inf:
            raise InvalidInput(rule="dimension must be at least 1, radius positive and finite")
        if self.centre is not None and len(self.centre) != self.dimension:
            raise InvalidInput(f"centre has {len(self.centre)} entries; dimension={self.dimension}")

    @property
    def mechanism(self) -> Mechanism:
        """The law of a report."""
        return Mechanism(ball=self.ball, dimension=self.dimension, epsilon=self.epsilon, radius=self.radius)

    def simulate(self, people: People, *, seed: int, repetition: int = 0) -> VectorEstimate:
        """What the reports of these people would give."""
        check_dimension(people, self.dimension)
        centre = np.zeros(self.dimension) if self.centre is None else np.array(self.centre)
        held = items(people) if self.level == "item" else averages(people)
        mean, sampling, count = self.mechanism.average(_moved(held, centre), self.law, generator(seed, repetition))
        noise = np.maximum(self.mechanism.variance - mean**2, 0.0) / count
        return vector_answer(
            centre + mean,
            sampling,
            noise,
            low=centre - self.radius,
            high=centre + self.radius,
            confidence=self.confidence,
            epsilon=self.epsilon,
            level=self.level,
            users=len(people.offsets) - 1,
            method=f"{self.name}-{self.ball}-{self.level}",
        )


def _moved(blocks: Iterable[Floats], centre: Floats) -> Iterator[Floats]:
    return (block - centre for block in blocks)
