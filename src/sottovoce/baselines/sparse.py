"""The item-level sparse mean of Duchi, Jordan and Wainwright (2018): the cube mechanism, then a threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from sottovoce.answers import VectorEstimate
from sottovoce.baselines.duchi import Drawing, DuchiMean
from sottovoce.baselines.simulated import Floats, Level, People
from sottovoce.messages import Fact, InvalidInput


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
