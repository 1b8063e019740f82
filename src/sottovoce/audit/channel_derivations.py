"""The audit's own derivation of every channel: law, ε, sampler and noise a second time, a class a channel.

It reads the integers that a channel is written with, and nothing that the channel or the device makes of them. Words
are read in the order in which the device reads them, which is part of what is checked: a word that is left out, used
twice, or cut to fewer bits gives another symbol than this.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.word_scripts import WORDS, AimedWords
from sottovoce.messages import Channel, Laplace, Subset, Table, Unary, exp_below, log_above, log_below

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Read = Callable[[int], list[int]]
"""``read(n)`` gives the next n words of a script."""
Symbol = tuple[int, ...]


class Derivation(ABC):
    """A channel, read a second time: from its integers, in plain arithmetic.

    Neither the device nor anything that a channel says of itself is called here, its `epsilon_bound` least of all: a
    mistake there must not hide itself.
    """

    independent: ClassVar[bool] = False
    """Whether the bits of noise of one report are independent of one another, so that pairs of them can be tested."""

    @abstractmethod
    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        """Every symbol with its chance at one input. For small channels."""

    def cost(self) -> Fraction:
        """A proven upper bound on ε of one use, from the law alone."""
        ratio = self.ratio()
        assert ratio is not None, "a kind without a ratio has a bound of its own"
        worst, times = ratio
        return times * log_above(worst) if times else Fraction(0)

    def ratio(self) -> tuple[Fraction, int] | None:
        """The largest likelihood ratio, as a factor and how often it counts; None where a bound stands for it."""
        return None

    def attained_epsilon(self) -> Fraction | None:
        """A likelihood ratio of the very law, as ε rounded down; None where `cost` is the largest ratio itself."""
        return None

    @abstractmethod
    def path_count(self) -> int:
        """Roughly how many paths one use takes through its sampler."""

    @abstractmethod
    def distance(self, value: int, symbol: Integers) -> float:
        """How far a symbol is from what it would be without noise."""

    @abstractmethod
    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        """Bits of noise ``(n, k)`` of symbols ``(n, width)``, and the chance of each to be one."""

    def report_numbers(self, symbols: Integers) -> Floats:
        """Symbols ``(n, uses, width)``, valid or not, as one row of numbers a report."""
        return symbols.reshape(len(symbols), -1).astype(np.float64)

    @abstractmethod
    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        """The sampler again: what these inputs must give, words being read in the order of the device."""

    @abstractmethod
    def aimed_script(self, inputs: Sequence[int], aim: AimedWords) -> list[int]:
        """A script for these inputs whose words lie beside the thresholds, in the order in which it is read."""


@dataclass(frozen=True)
class TableDerivation(Derivation):
    """A position between two nodes is a mixture of their rows."""

    channel: Table

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        rows = self.channel.rows
        node, rest = divmod(value, 2**32)
        upper = rows[min(node + 1, len(rows) - 1)]
        for symbol, (here, there) in enumerate(zip(rows[node], upper, strict=True)):
            yield (symbol,), Fraction(here * (2**32 - rest) + there * rest, 2**96)

    def ratio(self) -> tuple[Fraction, int]:
        columns = zip(*self.channel.rows, strict=True)
        return max(Fraction(max(column), min(column)) for column in columns), 1

    def path_count(self) -> int:
        return 2 * len(self.channel.rows[0])

    def distance(self, value: int, symbol: Integers) -> float:
        return float(abs(int(symbol[0]) - int(np.argmax(self._chances(value)))))

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        chances = self._chances(value)
        return (symbols == np.arange(len(chances))).astype(float), chances

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        between, within = read(len(inputs)), read(len(inputs))
        sums = self._symbol_thresholds()
        symbols: list[Symbol] = []
        for value, first, second in zip(inputs, between, within, strict=True):
            node, fraction = divmod(value, 2**32)
            node += first < fraction * 2**32
            symbols.append((bisect_right(sums[node], second),))
        return symbols

    def aimed_script(self, inputs: Sequence[int], aim: AimedWords) -> list[int]:
        sums = self._symbol_thresholds()
        between, within = [], []
        for value in inputs:
            node, fraction = divmod(value, 2**32)
            word = aim.beside(fraction * 2**32, below=aim.toss())
            limits = sums[node + (word < fraction * 2**32)]
            between.append(word)
            within.append(aim.beside(limits[aim.number(len(limits))], below=aim.toss()))
        return between + within

    def _chances(self, value: int) -> Floats:
        """The chance of each symbol at a node."""
        return np.array([cell / 2**64 for cell in self.channel.rows[value // 2**32]])

    def _symbol_thresholds(self) -> list[list[int]]:
        """Where one symbol ends and the next begins, in each row."""
        return [list(accumulate(row))[:-1] for row in self.channel.rows]


@dataclass(frozen=True)
class UnaryDerivation(Derivation):
    """Each bit is kept or flipped on its own."""

    independent: ClassVar[bool] = True

    channel: Unary

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        items, keep, hot = self.channel.items, self._keep_chance(), self._hot_bits(value)
        for pattern in range(2**items):
            bits = tuple(pattern >> place & 1 for place in range(items))
            parts = (keep if bit == is_hot else 1 - keep for bit, is_hot in zip(bits, hot, strict=True))
            yield bits, math.prod(parts, start=Fraction(1))

    def ratio(self) -> tuple[Fraction, int]:
        """The most bits that two inputs differ in are found by trying: each against each, far ones for all of many."""
        keep, window = self._keep_chance(), 2 * self.channel.reach + 1
        few = np.arange(self.channel.items)
        if self.channel.items > 6 * window:  # beyond that, indices in the middle differ from one another alike
            few = np.concatenate((few[: 3 * window], few[-3 * window :]))
        hot = [self._hot_bits(int(index)) for index in few]
        most_apart = max(int((one != other).sum()) for one in hot for other in hot)
        return max(keep / (1 - keep), (1 - keep) / keep), most_apart

    def path_count(self) -> int:
        return int(2 ** min(self.channel.items, 40))

    def distance(self, value: int, symbol: Integers) -> float:
        return float((symbol != self._hot_bits(value)).sum())

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        flipped = symbols != self._hot_bits(value)
        return flipped.astype(float), np.full(self.channel.items, 1 - self.channel.threshold / 2**64)

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        symbols = []
        for value in inputs:
            hot = (abs(place - value) <= self.channel.reach for place in range(self.channel.items))
            keeps = (word < self.channel.threshold for word in read(self.channel.items))
            symbols.append(tuple(int(lit == kept) for lit, kept in zip(hot, keeps, strict=True)))
        return symbols

    def aimed_script(self, inputs: Sequence[int], aim: AimedWords) -> list[int]:
        places = range(len(inputs) * self.channel.items)
        return [aim.beside(self.channel.threshold, below=aim.toss()) for _ in places]

    def _keep_chance(self) -> Fraction:
        return Fraction(self.channel.threshold, 2**64)

    def _hot_bits(self, value: int) -> NDArray[np.bool_]:
        """The bits before they are flipped."""
        return np.asarray(np.abs(np.arange(self.channel.items) - value) <= self.channel.reach)


@dataclass(frozen=True)
class SubsetDerivation(Derivation):
    """Sets that hold the own item are equally likely among themselves, and so are those that do not."""

    channel: Subset

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        items, size, included = self.channel.items, self.channel.size, self._inclusion_chance()
        inside = included / math.comb(items - 1, size - 1)
        outside = (1 - included) / math.comb(items - 1, size)
        for chosen in combinations(range(items), size):
            yield chosen, inside if value in chosen else outside

    def ratio(self) -> tuple[Fraction, int]:
        included, others = self._inclusion_chance(), self.channel.items - self.channel.size
        ratio = included * others / ((1 - included) * self.channel.size)
        return max(ratio, 1 / ratio), 1

    def path_count(self) -> int:
        """Orders of the others, times the ways in which up to ten redraws spread over places that may need one."""
        limits = range(self.channel.items - self.channel.size, self.channel.items)[:20]
        redrawn = sum(WORDS % limit > 0 for limit in limits)
        return 2 * math.prod(limits) * math.comb(10 + redrawn, redrawn)

    def distance(self, value: int, symbol: Integers) -> float:
        return float(value not in symbol)

    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        included, items = self.channel.threshold / WORDS, self.channel.items
        other = (self.channel.size - included) / (items - 1)
        return self._item_bits(symbols), np.where(np.arange(items) == value, included, other)

    def report_numbers(self, symbols: Integers) -> Floats:
        """A bit for each item."""
        return self._item_bits(np.clip(symbols, 0, self.channel.items - 1)).reshape(len(symbols), -1)

    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        items, size = self.channel.items, self.channel.size
        decks = [[item for item in range(items) if item != value] for value in inputs]
        for place in range(size):
            for deck, chosen in zip(decks, _indices_below(items - 1 - place, len(inputs), read), strict=True):
                deck[place], deck[place + chosen] = deck[place + chosen], deck[place]
        includes = [word < self.channel.threshold for word in read(len(inputs))]
        return [
            tuple(sorted((*deck[: size - 1], value if included else deck[size - 1])))
            for deck, value, included in zip(decks, inputs, includes, strict=True)
        ]

    def aimed_script(self, inputs: Sequence[int], aim: AimedWords) -> list[int]:
        script: list[int] = []
        for place in range(self.channel.size):
            script += _words_for_indices(self.channel.items - 1 - place, len(inputs), aim)
        return script + [aim.beside(self.channel.threshold, below=aim.toss()) for _ in inputs]

    def _inclusion_chance(self) -> Fraction:
        return Fraction(self.channel.threshold, WORDS)

    def _item_bits(self, symbols: Integers) -> Floats:
        """Which items each set holds."""
        bits = np.zeros((*symbols.shape[:-1], self.channel.items))
        np.put_along_axis(bits, symbols, 1.0, axis=-1)
        return bits


def _indices_below(limit: int, count: int, read: Read) -> list[int]:
    """Indices below `limit`: words of the last incomplete block are read again, in order."""
    words = read(count)
    while again := [place for place, word in enumerate(words) if word >= WORDS - WORDS % limit]:
        for place, word in zip(again, read(len(again)), strict=True):
            words[place] = word
    return [word % limit for word in words]


def _words_for_indices(limit: int, count: int, aim: AimedWords) -> list[int]:
    """Words for indices, some of them in the incomplete last block, so that they are drawn again."""
    ceiling, script = WORDS - WORDS % limit, list[int]()
    while count:
        words = [aim.beside(ceiling, below=aim.number(3) > 0) for _ in range(count)]
        script += words
        count = sum(word >= ceiling for word in words)
    return script


_WIDE = 2**128


@dataclass(frozen=True)
class LaplaceDerivation(Derivation):
    """Noise is the difference of two sums of binary digits, each digit tossed on its own.

    Its `cost` is the bound proven in device/PRIVACY.md, evaluated again; `attained_epsilon` holds it against
    likelihood ratios of the very law at the points where they are largest.
    """

    channel: Laplace

    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        """The law of G₁ − G₂, clamped; integers over `_denominator` as long as they can be."""
        low, high = self._report_ends()
        single = [1]
        for digit in self.channel.digits:
            single = [chance * (_WIDE - digit) for chance in single] + [chance * digit for chance in single]
        totals: dict[int, int] = defaultdict(int)
        for (more, chance), (less, other) in product(enumerate(single), repeat=2):
            totals[min(max(value + more - less, low), high)] += chance * other
        yield from (((symbol,), Fraction(chance, self._denominator())) for symbol, chance in totals.items())

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

    def attained_epsilon(self) -> Fraction:
        steps, (low, high) = self.channel.steps, self._report_ends()
        ratios = [
            self.noise_chance(report - near) / self.noise_chance(report - far)
            for report, near, far in ((0, 0, steps), (high - 1, steps, 0), (low + 1, 0, steps))
        ]
        return log_below(max(max(ratio, 1 / ratio) for ratio in ratios))

    def noise_chance(self, step: int) -> Fraction:
        """P(G₁ − G₂ = step), exactly: digit by digit from the lowest, with the borrow as the only state."""
        states = {step: 1}
        for digit in self.channel.digits:  # numerators, as in `law`
            one, zero = digit, _WIDE - digit
            following: dict[int, int] = defaultdict(int)
            for left, chance in states.items():
                for difference, weight in ((1, one * zero), (-1, one * zero), (0, one * one + zero * zero)):
                    if (left - difference) % 2 == 0:
                        following[(left - difference) // 2] += chance * weight
            states = following
        return Fraction(states.get(0, 0), self._denominator())

    def path_count(self) -> int:
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
        low, high = self._report_ends()
        return [(min(max(value + more - less, low), high),) for value, more, less in zip(inputs, up, down, strict=True)]

    def aimed_script(self, inputs: Sequence[int], aim: AimedWords) -> list[int]:
        """Every digit stands alone at least once when there are as many users as digits."""
        pairs = [self._noise_pair(aim.turn(), aim) for _ in inputs]
        script = []
        for side in range(2):
            for place, digit in enumerate(self.channel.digits):
                words = [_two_words(digit, bool(pair[side] >> place & 1), aim) for pair in pairs]
                script += [upper for upper, _ in words] + [lower for _, lower in words]
        return script

    def _report_ends(self) -> tuple[int, int]:
        """The least and the largest report: where the clamp is."""
        return -self.channel.bound, self.channel.steps + self.channel.bound

    def _denominator(self) -> int:
        return int(_WIDE ** (2 * len(self.channel.digits)))

    def _geometric(self, count: int, read: Read) -> list[int]:
        """G₁ of every user, or G₂: the sum of its digits."""
        totals = [0] * count
        for place, digit in enumerate(self.channel.digits):
            for user, (upper, lower) in enumerate(zip(read(count), read(count), strict=True)):
                totals[user] += (upper * WORDS + lower < digit) * 2**place
        return totals

    def _noise_pair(self, user: int, aim: AimedWords) -> tuple[int, int]:
        """G₁ and G₂ whose difference is not clamped, mostly: so that every digit can be seen in the report."""
        places, bound = len(self.channel.digits), self.channel.bound
        kind, place = user // places % 4, (user + aim.number(places) * (user < 4)) % places
        if kind < 2:
            one = 2**place
            other = one - min(one, 1 + aim.number(bound))
        else:
            one = aim.number(2**places)
            other = one - min(one, aim.number(bound)) if kind == 2 else aim.number(2**places)
        return (one, other) if aim.toss() else (other, one)


def _two_words(digit: int, one: bool, aim: AimedWords) -> tuple[int, int]:
    """Two words that are, as one of 128 bits, below `digit` or not; often it is the lower word that decides."""
    upper, lower = divmod(digit, WORDS)
    if aim.toss() and (lower > 0 or not one):
        return upper, aim.beside(lower, below=one)
    if one and upper == 0:
        return 0, aim.beside(lower, below=True)
    return aim.beside(upper if one else upper + 1, below=one), aim.beside(WORDS // 2, below=aim.toss())


def derivation(channel: Channel) -> Derivation:
    """A channel as the audit reads it: the one place of the audit that tells the kinds apart."""
    match channel:
        case Table():
            return TableDerivation(channel)
        case Subset():
            return SubsetDerivation(channel)
        case Unary():
            return UnaryDerivation(channel)
        case Laplace():
            return LaplaceDerivation(channel)


def law(channel: Channel, value: int) -> Iterator[tuple[Symbol, Fraction]]:
    """The declared law of a channel at one input. For small channels."""
    return derivation(channel).law(value)


def report_law(channel: Channel, inputs: Sequence[int]) -> dict[Symbol, Fraction]:
    """The law of a whole report: the symbols of its uses side by side, independent given the inputs."""
    joint: dict[Symbol, Fraction] = {(): Fraction(1)}
    for value in inputs:
        single = list(law(channel, value))
        joint = {
            before + symbol: chance * share for before, chance in joint.items() for symbol, share in single if share > 0
        }
    return joint


def largest_ratio(laws: Sequence[Mapping[Any, Fraction]]) -> Fraction | None:
    """The largest likelihood ratio between any two laws, over every outcome; None stands for infinity."""
    worst = Fraction(1)
    for outcome in set().union(*laws):
        chances = [one.get(outcome, Fraction(0)) for one in laws]
        if min(chances) == 0:
            return None
        worst = max(worst, max(chances) / min(chances))
    return worst
