"""`laplace`, a second time.

Its `cost` is the bound proven in device/PRIVACY.md, evaluated again; `attained` holds it against likelihood ratios of
the very law at the points where they are largest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sottovoce.audit.kinds.kind import Floats, Integers, Kind, Read, Symbol
from sottovoce.audit.marksman import Marksman
from sottovoce.messages import Laplace, exp_below, log_above, log_below

_ALL = 2**64
_WIDE = 2**128


@dataclass(frozen=True)
class LaplaceKind(Kind):
    """Noise is the difference of two sums of binary digits, each digit tossed on its own."""

    channel: Laplace

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        low, high = self._ends()
        totals: dict[int, int] = {}
        for step, chance in self._noise().items():
            symbol = min(max(value + step, low), high)
            totals[symbol] = totals.get(symbol, 0) + chance
        yield from (((symbol,), Fraction(chance, self._whole())) for symbol, chance in totals.items())

    def cost(self) -> Fraction:
        """ε ≤ M·λ + 4η − ln(1 − 2ρ^R), every logarithm rounded outward."""
        steps, digits = self.channel.steps, self.channel.digits
        odds = [Fraction(_WIDE - digit, digit) for digit in digits]
        above, below = [log_above(one) for one in odds], [log_below(one) for one in odds]
        eta = Fraction(0)
        for place, (low, high) in enumerate(zip(below, above, strict=True)):
            eta += max(abs(high - 2**place * below[0]), abs(low - 2**place * above[0]))
        room = 2 ** len(digits) - self.channel.bound - steps
        tail = 2 / exp_below(min(room * below[0], Fraction(2**12)))
        if tail >= 1:
            raise ValueError("the digits end too close to the clamp: no bound can be proven")
        return steps * above[0] + 4 * eta + log_above(1 / (1 - tail))

    def attained(self) -> Fraction:
        steps, (low, high) = self.channel.steps, self._ends()
        ratios = [
            self.noise_chance(report - near) / self.noise_chance(report - far)
            for report, near, far in ((0, 0, steps), (high - 1, steps, 0), (low + 1, 0, steps))
        ]
        return log_below(max(max(ratio, 1 / ratio) for ratio in ratios))

    def noise_chance(self, step: int) -> Fraction:
        """P(G₁ − G₂ = step), exactly: digit by digit from the lowest, with the borrow as the only state."""
        states = {step: 1}
        for digit in self.channel.digits:  # numerators, as in `_noise`
            one, zero = digit, _WIDE - digit
            following: dict[int, int] = {}
            for left, chance in states.items():
                for difference, weight in ((1, one * zero), (-1, one * zero), (0, one * one + zero * zero)):
                    rest = left - difference
                    if rest % 2 == 0:
                        following[rest // 2] = following.get(rest // 2, 0) + chance * weight
            states = following
        return Fraction(states.get(0, 0), self._whole())

    def paths(self) -> int:
        return int(6 ** (2 * len(self.channel.digits)))

    def distance(self, value: int, symbol: Integers) -> float:
        return float(abs(int(symbol[0]) - value))

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        above = (1 - self.noise_chance(0)) / 2
        noise = symbols[:, :1] - value
        chances = np.array([float(above), float(above), float(1 - 2 * above)])
        return np.concatenate((noise > 0, noise < 0, noise == 0), axis=1).astype(float), chances

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        up, down = (self._geometric(len(inputs), read) for _ in range(2))
        low, high = self._ends()
        return [(min(max(value + more - less, low), high),) for value, more, less in zip(inputs, up, down, strict=True)]

    def aimed(self, inputs: Sequence[int], marksman: Marksman) -> list[int]:
        """Every digit stands alone at least once when there are as many users as digits."""
        pairs = [self._pair(marksman.turn(), marksman) for _ in inputs]
        script = []
        for side in range(2):
            for place, digit in enumerate(self.channel.digits):
                words = [_two_words(digit, bool(pair[side] >> place & 1), marksman) for pair in pairs]
                script += [upper for upper, _ in words] + [lower for _, lower in words]
        return script

    def _ends(self) -> tuple[int, int]:
        """The least and the largest report: where the clamp is."""
        return -self.channel.bound, self.channel.steps + self.channel.bound

    def _noise(self) -> dict[int, int]:
        """The law of G₁ − G₂, as numerators over `_whole`: integers stay integers."""
        single = [1]
        for digit in self.channel.digits:
            single = [chance * (_WIDE - digit) for chance in single] + [chance * digit for chance in single]
        noise: dict[int, int] = {}
        for first, chance in enumerate(single):
            for second, other in enumerate(single):
                noise[first - second] = noise.get(first - second, 0) + chance * other
        return noise

    def _whole(self) -> int:
        return int(_WIDE ** (2 * len(self.channel.digits)))

    def _geometric(self, count: int, read: Read) -> list[int]:
        totals = [0] * count
        for place, digit in enumerate(self.channel.digits):
            upper, lower = read(count), read(count)
            for one in range(count):
                totals[one] += (upper[one] * _ALL + lower[one] < digit) * 2**place
        return totals

    def _pair(self, user: int, marksman: Marksman) -> tuple[int, int]:
        """G₁ and G₂ whose difference is not clamped, mostly: so that every digit can be seen in the report."""
        places, bound = len(self.channel.digits), self.channel.bound
        kind, place = user // places % 4, (user + marksman.number(places) * (user < 4)) % places
        if kind < 2:
            one = 2**place
            other = one - min(one, 1 + marksman.number(bound))
        else:
            one = marksman.number(2**places)
            other = one - min(one, marksman.number(bound)) if kind == 2 else marksman.number(2**places)
        return (one, other) if marksman.toss() else (other, one)


def _two_words(digit: int, one: bool, marksman: Marksman) -> tuple[int, int]:
    """Two words that are, as one of 128 bits, below `digit` or not; often it is the lower word that decides."""
    upper, lower = divmod(digit, _ALL)
    if marksman.toss() and (lower > 0 or not one):
        return upper, marksman.beside(lower, below=one)
    if one and upper == 0:
        return 0, marksman.beside(lower, below=True)
    return marksman.beside(upper if one else upper + 1, below=one), marksman.beside(_ALL // 2, below=marksman.toss())
