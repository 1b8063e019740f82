"""Mistakes in the samplers that small instances do not show: words cut, used twice, or misread."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.channel_derivations import Integers
from sottovoce.audit.device_paths import Rebuilt
from sottovoce.audit.word_scripts import Words
from sottovoce.device import Entropy, privatise
from sottovoce.messages import Channel, Laplace, Subset, Table, Unary


class Through:
    """Entropy whose words are changed on their way: what a sampler does that reads them wrongly."""

    def __init__(self, entropy: Entropy, change: Callable[[Words], Words]) -> None:
        self._entropy, self._change = entropy, change

    def words(self, count: int) -> Words:
        return self._change(self._entropy.words(count))


class Repeated(Rebuilt):
    """Unary noise from a block of `bits` words that is used again and again."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Unary)
        words = entropy.words(len(inputs) * channel.items).reshape(len(inputs), channel.items)
        again = words[:, np.arange(channel.items) % self._bits]
        return (channel.hot(inputs) ^ (again >= np.uint64(channel.threshold))).astype(np.int64)


class SameForAll(Rebuilt):
    """One draw of noise for everybody who is answered together."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Unary)
        words = np.tile(entropy.words(channel.items), (len(inputs), 1))
        return (channel.hot(inputs) ^ (words >= np.uint64(channel.threshold))).astype(np.int64)


class _Laplace(Rebuilt):
    """Laplace noise from digits, with one step of it to get wrong."""

    def digits(self, channel: Laplace) -> int:
        return len(channel.digits)

    def one(self, words: Words, digit: int) -> NDArray[np.bool_]:
        high, low = np.uint64(digit >> 64), np.uint64(digit & (2**64 - 1))
        return np.asarray((words[0] < high) | ((words[0] == high) & (words[1] < low)))

    def weigh(self, ones: NDArray[np.bool_], place: int) -> Integers:
        return ones.astype(np.int64) << place

    def geometric(self, channel: Laplace, count: int, entropy: Entropy) -> Integers:
        total = np.zeros(count, dtype=np.int64)
        for place, digit in enumerate(channel.digits):
            words = entropy.words(2 * count).reshape(2, count)
            if place < self.digits(channel):
                total += self.weigh(self.one(words, digit), place)
        return total

    def noise(self, channel: Laplace, count: int, entropy: Entropy) -> Integers:
        return self.geometric(channel, count, entropy) - self.geometric(channel, count, entropy)

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Laplace)
        noisy = inputs + self.noise(channel, len(inputs), entropy)
        return np.asarray(np.clip(noisy, -channel.bound, channel.steps + channel.bound)[:, None])


class Narrow(_Laplace):
    """Digits weighed in 32-bit integers: those beyond are lost."""

    def weigh(self, ones: NDArray[np.bool_], place: int) -> Integers:
        return (ones.astype(np.int64) << place).astype(np.int32).astype(np.int64)


class LostDigits(_Laplace):
    """The two highest digits are never counted."""

    def digits(self, channel: Laplace) -> int:
        return len(channel.digits) - 2


class HighHalf(_Laplace):
    """128-bit thresholds compared by their upper halves only."""

    def one(self, words: Words, digit: int) -> NDArray[np.bool_]:
        return np.asarray(words[0] < np.uint64(digit >> 64))


class SameGeometric(_Laplace):
    """G₂ = G₁: the noise is zero."""

    def noise(self, channel: Laplace, count: int, entropy: Entropy) -> Integers:
        first = self.geometric(channel, count, entropy)
        self.geometric(channel, count, entropy)
        return first - first


class NoClamp(_Laplace):
    """The clamp of the report is forgotten: the rarest noise shows the digits' end, which depends on the input."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Laplace)
        return (inputs + self.noise(channel, len(inputs), entropy))[:, None]


class _Table(Rebuilt):
    """A table, with one step of it to get wrong."""

    def fraction(self, fraction: Integers) -> Integers:
        return fraction

    def second(self, first: Words, entropy: Entropy) -> Words:
        return entropy.words(len(first))

    def above(self, words: Words, limits: Words) -> NDArray[np.bool_]:
        return words >= limits

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Table)
        node, fraction = np.divmod(inputs, channel.unit)
        first = entropy.words(len(inputs))
        node = node + (first < self.fraction(fraction).astype(np.uint64) << np.uint64(32))
        sums = [np.cumsum(np.array(row[:-1], dtype=np.uint64)) for row in channel.rows]
        limits, words = np.array(sums, dtype=np.uint64)[node], self.second(first, entropy)
        return np.asarray(self.above(words[:, None], limits).sum(axis=1)[:, None])


class NoFraction(_Table):
    """An input between two nodes always goes to the lower."""

    def fraction(self, fraction: Integers) -> Integers:
        return np.zeros_like(fraction)


class CoarseFraction(_Table):
    """Only the upper half of the fraction counts."""

    def fraction(self, fraction: Integers) -> Integers:
        return np.asarray(fraction >> 16 << 16)


class OneWord(_Table):
    """The word that chose the node chooses the symbol as well."""

    def second(self, first: Words, entropy: Entropy) -> Words:
        entropy.words(len(first))
        return first


class Signed(_Table):
    """Words and thresholds compared as signed numbers: half of them are negative."""

    def above(self, words: Words, limits: Words) -> NDArray[np.bool_]:
        return words.view(np.int64) >= limits.view(np.int64)


class InFloats(_Table):
    """Words and thresholds compared as floats: the lowest eleven bits are gone."""

    def above(self, words: Words, limits: Words) -> NDArray[np.bool_]:
        return words.astype(np.float64) >= limits.astype(np.float64)


class _Subset(Rebuilt):
    """A subset by shuffling, with the drawing of an index to get wrong."""

    def index(self, limit: int, count: int, entropy: Entropy) -> Integers:
        raise NotImplementedError("each mutant draws in its own way")

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        assert isinstance(channel, Subset)
        rows, others = np.arange(len(inputs)), channel.items - 1
        deck = np.tile(np.arange(others), (len(inputs), 1))
        for place in range(channel.size):
            chosen = self.place(place, others, len(inputs), entropy)
            deck[rows, place], deck[rows, chosen] = deck[rows, chosen], deck[rows, place]
        picked = deck[:, : channel.size]
        picked += picked >= inputs[:, None]
        own = entropy.words(len(inputs)) < np.uint64(channel.threshold)
        picked[:, -1] = np.where(own, inputs, picked[:, -1])
        return np.sort(picked, axis=1)

    def place(self, place: int, others: int, count: int, entropy: Entropy) -> Integers:
        return place + self.index(others - place, count, entropy)


class Modulo(_Subset):
    """Remainders without drawing again: low items are a little likelier."""

    def index(self, limit: int, count: int, entropy: Entropy) -> Integers:
        return (entropy.words(count) % np.uint64(limit)).astype(np.int64)


class NaiveShuffle(Modulo):
    """Each place is swapped with any place: not every order is equally likely."""

    def place(self, place: int, others: int, count: int, entropy: Entropy) -> Integers:
        return self.index(others, count, entropy)


class LowBitsLost(Rebuilt):
    """Words made from floats: their lowest eleven bits are zero."""

    def symbols(self, channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
        return privatise(channel, inputs, Through(entropy, lambda words: words & np.uint64(2**64 - 2**11)))
