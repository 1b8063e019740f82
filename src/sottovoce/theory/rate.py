"""A rate with its formula, its conditions, and the line of the paper it comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sottovoce.messages import MAX_EPSILON, InvalidInput, check_epsilon, nearest_log


@dataclass(frozen=True)
class Condition:
    """An assumption of a theorem in words, and whether the given numbers satisfy it."""

    name: str
    holds: bool


@dataclass(frozen=True)
class Rate:
    """A value in squared units of the problem (ℓ2² or L2² loss on the unit ball, cube or interval).

    `value` is the formula with the constants that were given; where the paper leaves them unspecified the default is
    1 and the value is an order of magnitude. `conditions` says which assumptions hold; the value is computed anyway.
    """

    value: float
    formula: str
    conditions: tuple[Condition, ...]
    line: int

    @property
    def valid(self) -> bool:
        """Whether every condition of the theorem holds."""
        return all(condition.holds for condition in self.conditions)


@dataclass(frozen=True)
class Bounds:
    """A lower and an upper bound on the minimax risk."""

    lower: Rate
    upper: Rate


@dataclass(frozen=True, kw_only=True)
class Constants:
    """The constants that the paper leaves unspecified, all 1 unless given.

    `lower` and `upper` multiply the polynomial terms, `slow` and `fast` stand in the exponents of the lower and the
    upper bound (C and c of the theorems, C > c > 0), `assumed` in the assumptions (C̃).
    """

    lower: float = 1.0
    upper: float = 1.0
    slow: float = 1.0
    fast: float = 1.0
    assumed: float = 1.0

    def __post_init__(self) -> None:
        for name in ("lower", "upper", "slow", "fast", "assumed"):
            if not 0 < getattr(self, name) < math.inf:
                raise InvalidInput(rule=f"constant {name} must be positive and finite", got=getattr(self, name))


ONES = Constants()


LOCALISABLE = 100
"""The `strength` from which reports can say where users are. Chosen by hand: below it rounds that look for users find
chance as often as users, and everybody is better asked at once on the full range."""


def strength(users: float, epsilon: float) -> float:
    """n·min(α, α²): how much the users can say (L370); nα² for α ≤ 1."""
    return users * min(epsilon, epsilon * epsilon)


def log1(size: float) -> float:
    """log(max(size, e)): the logarithms of upper bounds never shrink them (ERRATA P6)."""
    return nearest_log(max(size, math.e))


def bin_count(delta: float) -> int:
    """⌈1/Δ⌉ bins of half-width Δ cover [−1, 1]; a hair of rounding makes no extra one."""
    return max(1, math.ceil(min(1 / delta, 1e300) * (1 - 1e-12)))


def exp(exponent: float) -> float:
    """e^exponent, infinite where a float cannot hold it."""
    return math.inf if exponent > 709 else math.exp(exponent)


def check_positive(**sizes: float) -> None:
    """Refuse sizes that are not positive and finite, by name."""
    for name, size in sizes.items():
        if name == "epsilon":
            check_epsilon(size, maximum=MAX_EPSILON)
        elif not 0 < size < math.inf:
            raise InvalidInput(rule=f"{name} must be positive and finite", got=size)


def high_privacy(epsilon: float) -> Condition:
    """The theorem is stated for α ≲ 1."""
    return Condition("α ≤ 1", epsilon <= 1)
