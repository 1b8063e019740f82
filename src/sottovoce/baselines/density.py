"""Item-level coefficients of a density (Duchi, Jordan and Wainwright 2018, section 5): the basis through the cube."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sottovoce.answers import VectorEstimate
from sottovoce.baselines.duchi import Drawing, Mechanism
from sottovoce.baselines.simulated import (
    BLOCK_CELLS,
    Floats,
    Level,
    People,
    averages,
    check_dimension,
    generator,
    vector_answer,
)
from sottovoce.messages import InvalidInput, check_epsilon, check_range
from sottovoce.methods import check_confidence, is_whole


def trigonometric(positions: Floats, functions: tuple[int, ...]) -> Floats:
    """φ₁ = 1, φ₂ₖ = √2 cos(2πkx), φ₂ₖ₊₁ = √2 sin(2πkx) (L316) at positions in [0, 1]: ``(m, functions)``."""
    numbers = np.asarray(functions)
    turn = 2 * math.pi * positions[:, None] * (numbers // 2)[None, :]
    waves = math.sqrt(2) * np.where(numbers % 2 == 0, np.cos(turn), np.sin(turn))
    return np.where(numbers == 1, 1.0, waves)


@dataclass(frozen=True, kw_only=True)
class _Turned:
    """People whose vectors are the basis functions at their observations."""

    values: Floats
    offsets: np.ndarray


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
        blocks = self._items(people) if self.level == "item" else averages(self._turned(people))
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
            own = people.values[first : first + block, 0].astype(np.float64)
            yield np.nan_to_num(self._basis(own), nan=0.0)

    def _turned(self, people: People) -> People:
        return _Turned(values=self._basis(people.values[:, 0].astype(np.float64)), offsets=people.offsets)
