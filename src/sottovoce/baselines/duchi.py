"""The mechanisms of Duchi, Jordan and Wainwright (2018) for a ball and for a cube. Simulation only.

Given a vector x of the ball (or cube), a report z is a point of the sphere of radius B (or a corner of the cube ±B)
in the half-space of x with probability e^ε/(1 + e^ε), else in the other; B makes E z = x. Both have
E zzᵀ = v·I with v = B²/d on the sphere and v = B² on the cube, so Cov(z | x) = v·I − xxᵀ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from sottovoce.answers import VectorEstimate
from sottovoce.baselines.simulation import (
    BLOCK_CELLS,
    Level,
    People,
    averages,
    check_dimension,
    generator,
    items,
    vector_answer,
)
from sottovoce.messages import Fact, Floats, InvalidInput, check_epsilon, check_range
from sottovoce.methods import check_choice, check_confidence, is_whole

Ball = Literal["l2", "linf"]
Drawing = Literal["exact", "normal"]
"""Every report is drawn, or their average from its central limit."""
_FULL_COVARIANCE = 256


def true_side_chance(epsilon: float) -> float:
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
    true_side = np.where(stream.random(count) < true_side_chance(epsilon), 1.0, -1.0)
    side = np.where((point * x).sum(axis=1) >= 0, 1.0, -1.0)
    scale = sphere_radius(dimension, epsilon, radius) / np.sqrt((point**2).sum(axis=1))
    return np.asarray(point * (scale * along * true_side * side)[:, None])


def cube_reports(x: Floats, epsilon: float, radius: float, stream: np.random.Generator) -> Floats:
    """A report for each row of `x`, coordinates clamped; the sign vector is flipped as a whole (ERRATA P4)."""
    count, dimension = x.shape
    corner = stream.random(x.shape) < 0.5 + np.clip(x, -radius, radius) / (2 * radius)
    bits = stream.integers(0, 256, size=(count, -(-dimension // 8)), dtype=np.uint8)
    drawn = np.unpackbits(bits, axis=1, count=dimension).astype(bool)
    agree = 2 * (drawn == corner).sum(axis=1) - dimension
    true_side = np.where(stream.random(count) < true_side_chance(epsilon), 1, -1)
    flip = np.where(agree * true_side < 0, -1.0, 1.0)  # a tie is on either side and stays
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
        vectors = items(people) if self.level == "item" else averages(people.values, people.offsets)
        centred = (block - centre for block in vectors)
        mean, sampling, count = self.mechanism.average(centred, self.law, generator(seed, repetition))
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


# Item-level coefficients of a density (Duchi, Jordan and Wainwright 2018, section 5): the basis through the cube.


def trigonometric(positions: Floats, functions: tuple[int, ...]) -> Floats:
    """φ₁ = 1, φ₂ₖ = √2 cos(2πkx), φ₂ₖ₊₁ = √2 sin(2πkx) (L316) at positions in [0, 1]: ``(m, functions)``."""
    numbers = np.asarray(functions)
    turn = 2 * math.pi * positions[:, None] * (numbers // 2)[None, :]
    waves = math.sqrt(2) * np.where(numbers % 2 == 0, np.cos(turn), np.sin(turn))
    return np.where(numbers == 1, 1.0, waves)


@dataclass(frozen=True, kw_only=True)
class ItemDensity:
    """Coefficients θ₂ … θ_M of the density on [low, high], each observation's basis vector through the cube mechanism.

    θ₁ = 1 is known and not asked for. ``level="user"`` reports the user's average basis vector instead. The value holds
    the coefficients of functions 2 … `functions` of the trigonometric basis (L316). Simulation only.

    Privacy
    -------
    Of the scheme: ε for a single observation, or for the whole collection (``level="user"``).

    Accuracy
    --------
    Squared error of order M²/(Nε²) for N reports, plus what the coefficients above M hold.
    """

    name: ClassVar[str] = "item-density"

    epsilon: float
    functions: int
    low: float = 0.0
    high: float = 1.0
    level: Level = "item"
    law: Drawing = "exact"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)
        check_range(self.low, self.high)
        check_confidence(self.confidence)
        if not is_whole(self.functions) or self.functions < 2:
            raise InvalidInput(
                rule="functions must be a whole number, at least 2: the first is known", got=self.functions
            )
        if self.level not in ("item", "user") or self.law not in ("exact", "normal"):
            raise InvalidInput(rule="level must be item or user, law exact or normal")

    def simulate(self, people: People, *, seed: int, repetition: int = 0) -> VectorEstimate:
        """What the reports of these people would give."""
        check_dimension(people, 1)
        size = self.functions - 1
        mechanism = Mechanism(ball="linf", dimension=size, epsilon=self.epsilon, radius=math.sqrt(2))
        blocks = self._items(people)
        if self.level == "user":
            blocks = averages(self._basis(people.values[:, 0].astype(np.float64)), people.offsets)
        mean, sampling, count = mechanism.average(blocks, self.law, generator(seed, repetition))
        return vector_answer(
            mean,
            sampling,
            np.maximum(mechanism.variance - mean**2, 0.0) / count,
            low=np.full(size, -math.sqrt(2)),
            high=np.full(size, math.sqrt(2)),
            confidence=self.confidence,
            epsilon=self.epsilon,
            level=self.level,
            users=len(people.offsets) - 1,
            method=f"{self.name}-{self.level}",
            names=tuple(f"φ{number}" for number in range(2, self.functions + 1)),
        )

    def _basis(self, observations: Floats) -> Floats:
        positions = (np.clip(observations, self.low, self.high) - self.low) / (self.high - self.low)
        return trigonometric(positions, tuple(range(2, self.functions + 1)))

    def _items(self, people: People) -> Iterator[Floats]:
        block = max(1, BLOCK_CELLS // self.functions)
        for first in range(0, len(people.values), block):
            observations = people.values[first : first + block, 0].astype(np.float64)
            yield np.nan_to_num(self._basis(observations), nan=0.0)


# The item-level sparse mean of Duchi, Jordan and Wainwright (2018): the cube mechanism, then a threshold.


def soft(values: Floats, threshold: float) -> Floats:
    """Toward zero by `threshold`: the minimiser of ½|θ − z|² + threshold·|θ|₁."""
    return np.asarray(np.sign(values) * np.maximum(np.abs(values) - threshold, 0.0))


def hard(values: Floats, threshold: float) -> Floats:
    """What is above the threshold stays, the rest is zero."""
    return np.asarray(np.where(np.abs(values) > threshold, values, 0.0))


@dataclass(frozen=True, kw_only=True)
class ItemSparse:
    """Every observation through the cube mechanism, the average thresholded: the paper's item-level rival (L903).

    `rule` is ``"soft"`` (their estimator) or ``"hard"``. The threshold is `constant` standard deviations of a
    coordinate's average times √(2 ln d); the paper does not state the one it used. Simulation only.

    Privacy
    -------
    Of the scheme: ε for a single observation (``level="user"``: for the whole collection, of the user's average).

    Accuracy
    --------
    Squared error of order s·d·ln(d)/(Nε²) for N reports: nothing is learnt while N is below d·ln d.
    """

    name: ClassVar[str] = "item-sparse"

    epsilon: float
    dimension: int
    rule: Literal["soft", "hard"] = "soft"
    constant: float = 1.0
    level: Level = "item"
    radius: float = 1.0
    law: Drawing = "exact"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.rule not in ("soft", "hard"):
            raise InvalidInput(rule="rule must be soft or hard", got=self.rule)
        if not 0 <= self.constant < math.inf:
            raise InvalidInput(rule="constant must be finite and not negative", got=self.constant)
        _ = self.plain

    @property
    def plain(self) -> DuchiMean:
        """The estimate before the threshold."""
        return DuchiMean(
            epsilon=self.epsilon,
            dimension=self.dimension,
            ball="linf",
            level=self.level,
            radius=self.radius,
            law=self.law,
            confidence=self.confidence,
        )

    def threshold(self, reports: int) -> float:
        """What an average of so many reports must exceed."""
        deviation = math.sqrt(self.plain.mechanism.variance)
        return self.constant * deviation * math.sqrt(2 * math.log(max(2, self.dimension)) / reports)

    def cut(self, averages: Floats, reports: int) -> Floats:
        """Averages of so many reports, thresholded."""
        return {"soft": soft, "hard": hard}[self.rule](averages, self.threshold(reports))

    def simulate(self, people: People, *, seed: int, repetition: int = 0) -> VectorEstimate:
        """What the reports of these people would give."""
        before = self.plain.simulate(people, seed=seed, repetition=repetition)
        reports = len(people.values) if self.level == "item" else len(people.offsets) - 1
        return replace(
            before,
            value=tuple(self.cut(np.array(before.value), reports).tolist()),
            method=f"{self.name}-{self.rule}",
            interval_kind=Fact("normal-approximation-before-threshold"),
        )
