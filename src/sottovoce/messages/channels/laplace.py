"""`laplace`: a position on an integer grid plus two-sided geometric noise, clamped. The paper's own mode."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.codec import Big
from sottovoce.messages.exact import exp_below, log_above, log_below
from sottovoce.messages.facts import Fact
from sottovoce.messages.limits import check

ONE_WIDE = 2**128
STEPS = 2**16


@dataclass(frozen=True, kw_only=True)
class Laplace:
    """Position u in ``0 … steps``; the report is ``clamp(u + G₁ − G₂, −bound, steps + bound)``.

    G₁ and G₂ are geometric, built digit by digit: binary digit b is one with probability ``digits[b] / 2^128``,
    independently, which for digits with odds ρ^(2^b) is exactly the geometric law on ``0 … 2^B − 1``.

    Privacy
    -------
    With λ the negative log-odds of digit 0 and η = Σ_b |λ_b − 2^b·λ| the rounding of the digits,
    ε ≤ steps·λ + 4η − ln(1 − 2 e^(−λN)), N = 2^B − bound − steps. The proof is in device/PRIVACY.md.
    """

    kind: ClassVar[str] = "laplace"
    categorical: ClassVar[bool] = False
    positional: ClassVar[bool] = True
    exclusive: ClassVar[bool] = True
    unit: ClassVar[int] = 1
    width: ClassVar[int] = 1
    payload_bytes: ClassVar[int] = 8
    cells: ClassVar[int] = 2

    steps: int
    bound: Big
    digits: tuple[Big, ...]

    def __post_init__(self) -> None:
        check(1 <= self.steps <= STEPS, f"a laplace channel has 1 to {STEPS} steps")
        check(1 <= len(self.digits) <= 46, "a laplace channel has 1 to 46 digits")
        check(all(0 < digit < ONE_WIDE // 2 for digit in self.digits), "every digit is less likely one than zero")
        check(self.bound >= 1, "the clamp lies beyond the grid")
        check(self.bound + self.steps < 2 ** len(self.digits), "the digits must reach beyond the clamp")

    @property
    def span(self) -> int:
        return self.steps

    def epsilon_bound(self) -> Fraction:
        """A proven upper bound on ε, from the integers; infinite noise ratios are refused as `Malformed`."""
        odds = [Fraction(ONE_WIDE - digit, digit) for digit in self.digits]
        above, below = [log_above(ratio) for ratio in odds], [log_below(ratio) for ratio in odds]
        rounding = Fraction(0)
        for place in range(len(odds)):
            rounding += max(above[place] - 2**place * below[0], 2**place * above[0] - below[place])
        room = 2 ** len(self.digits) - self.bound - self.steps
        missing = 2 / exp_below(min(below[0] * room, Fraction(4096)))
        check(missing < 1, "the digits end too close to the clamp")
        return self.steps * above[0] + 4 * rounding + log_above(1 / (1 - missing))

    @cached_property
    def rate(self) -> float:
        """λ: the noise k has probability proportional to e^(−λ|k|)."""
        return math.log((ONE_WIDE - self.digits[0]) / self.digits[0])

    @property
    def scale(self) -> float:
        """Of the noise on the [0, 1] scale: 1/ε, up to rounding."""
        return 1 / (self.steps * self.rate)

    @property
    def noise_variance(self) -> float:
        """Variance of the noise on the [0, 1] scale, before the clamp that it meets with probability ≈ e^(−16)."""
        ratio = math.exp(-self.rate)
        return 2 * ratio / (-math.expm1(-self.rate)) ** 2 / self.steps**2

    def valid(self, symbols: NDArray[np.int64]) -> bool:
        return bool(((symbols >= -self.bound) & (symbols <= self.steps + self.bound)).all())

    def pack(self, symbols: NDArray[np.int64]) -> NDArray[np.uint8]:
        return np.ascontiguousarray(symbols, dtype=">i8").view(np.uint8)

    def unpack(self, payload: NDArray[np.uint8]) -> NDArray[np.int64]:
        return np.ascontiguousarray(payload).view(">i8").astype(np.int64)

    def accumulate(self, symbols: NDArray[np.int64]) -> list[int]:
        """The sum and the sum of squares, exactly."""
        return [exact_dot(symbols[:, 0]), exact_dot(symbols[:, 0], symbols[:, 0])]

    def impossible(self, reports: NDArray[Any], cells: NDArray[Any]) -> str | None:
        """Why no answers add up to this tally, or None: a sum and a sum of squares of numbers within the clamp."""
        odd = (cells[:, 0].astype(object) + cells[:, 1].astype(object)) % 2
        together = "a sum and a sum of squares of whole numbers are odd together" if odd.any() else None
        return _impossible_sums(reports, cells, low=-self.bound, high=self.steps + self.bound) or together

    def impossible_signed(self, reports: NDArray[Any], cells: NDArray[Any]) -> str | None:
        """The same for signed sums of ``2 z − steps`` and their sum of squares."""
        reach = self.steps + 2 * self.bound
        return _impossible_sums(reports, cells, low=-reach, high=reach)

    def _edges(self, value: int) -> NDArray[np.float64]:
        """Noise on a scale of 64 even steps from −8 to 8 scales, as far as the clamp leaves it alone."""
        steps = np.unique(np.ceil(np.linspace(-8, 8, 65)[1:-1] / self.rate))
        return np.asarray(steps[(steps > -self.bound - value) & (steps <= self.steps + self.bound - value)])

    def marginals(self, value: int) -> NDArray[np.float64]:
        """The chance of each of about 64 ranges of noise, at an input."""
        edges, ratio = self._edges(value), math.exp(-self.rate)
        below = np.where(edges <= 0, ratio ** np.maximum(1 - edges, 0), 1 + ratio - ratio ** np.maximum(edges, 0))
        below = below / (1 + ratio)  # P(noise < k) for whole k
        return np.diff(np.concatenate(([0.0], below, [1.0])))

    def observed(self, value: int, symbols: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often each event of `marginals` happened."""
        edges = self._edges(value)
        return np.bincount(np.searchsorted(edges, symbols[:, 0] - value, side="right"), minlength=len(edges) + 1)

    def log_likelihoods(self, symbol: NDArray[np.int64], own: int) -> NDArray[np.float64]:
        """Log-likelihood of a symbol from inputs that include the extremes, less that from the own one."""
        place = int(np.clip(symbol[0], 0, self.steps))  # beyond the grid all distances grow alike
        away = np.abs(np.array([0, own, place, self.steps]) - int(symbol[0]))
        return np.asarray(-self.rate * (away - away[1]))

    def expected_cells(self, inputs: NDArray[np.int64]) -> list[int]:
        """A tally without chance: the sum of these inputs, and of their squares with the noise's variance."""
        held = np.asarray(inputs, dtype=np.int64)
        total, squares = exact_dot(held), exact_dot(held, held)
        squares += round(len(held) * self.noise_variance * self.steps**2)
        return [total, squares + (total + squares) % 2]  # whole numbers and their squares are odd together

    @property
    def fact(self) -> Fact:
        """What a device does with its input, to its owner."""
        return Fact("channel-laplace", steps=self.steps, deviation=math.sqrt(self.noise_variance))


def _impossible_sums(reports: NDArray[Any], cells: NDArray[Any], *, low: int, high: int) -> str | None:
    """Sums of z in ``low … high``: (Σz)² ≤ n·Σz², and Σ(z − low)(high − z) ≥ 0 bounds Σz² from above.

    For signed sums ``low = −high``, and the second bound is the same whatever the signs.
    """
    count, squares, sums = (part.astype(object) for part in (reports, cells[:, -1], cells[:, :-1]))
    beyond = (sums < low * count[:, None]) | (sums > high * count[:, None])
    if beyond.any():
        group, place = map(int, np.unravel_index(np.argmax(beyond), beyond.shape))
        return (
            f"a sum of group {group} is {sums[group, place]}; "
            f"expected {low * count[group]} to {high * count[group]} for {count[group]} answers"
        )
    first = sums[:, 0] if low + high else 0 * count
    most = (low + high) * first - low * high * count
    wrong = (squares > most) | (sums**2 > (count * squares)[:, None]).any(axis=1) | (squares < 0)
    if wrong.any():
        group = int(np.argmax(wrong))
        return (
            f"the sum of squares of group {group} is {squares[group]}; expected at most {most[group]} and no less "
            f"than its sums allow for {count[group]} answers"
        )
    return None


def exact_dot(values: NDArray[np.int64], weights: NDArray[np.int64] | None = None) -> int:
    """``Σ values·weights`` (or ``Σ values``) as an exact integer, for numbers below 2^47: all that a channel sends."""
    total, block = 0, 2**15
    for first in range(0, len(values), block):
        part = values[first : first + block]
        if weights is None:
            total += int(part.sum())
            continue
        other = weights[first : first + block]
        high, low = part >> 24, part & (2**24 - 1)
        other_high, other_low = other >> 24, other & (2**24 - 1)
        total += (int(high @ other_high) << 48) + int(low @ other_low)
        total += (int(high @ other_low) + int(low @ other_high)) << 24
    return total
