"""Many users at once: bit for bit what the device gives for the same numbers, in the law that is declared.

False-alarm rate: each χ² verdict 1e-6 by construction, six deviations 2e-9; the entropy is seeded, so that no verdict
ever changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sottovoce import design
from sottovoce.audit.word_scripts import BulkScripts, Tape
from sottovoce.checks import sampler_p_value
from sottovoce.device import bulk, privatise
from sottovoce.messages import Channel, Unary
from tests.law.test_channels import MAKERS
from tests.support import SeededEntropy

ALL, WIDE = 2**64, 2**128


def near(threshold: int, bits: int, count: int, seed: int) -> list[np.ndarray]:
    """Numbers of `bits` bits that share a beginning of any length with the threshold, itself and its ends included."""
    random = np.random.default_rng(seed)
    words = [random.integers(0, ALL, size=count, dtype=np.uint64) for _ in range(bits // 64)]
    numbers = [sum(int(word[lane]) << 64 * half for half, word in enumerate(words)) for lane in range(count)]
    shared = random.integers(0, bits + 1, size=count)
    for lane in range(count):
        rest = bits - int(shared[lane])
        number = threshold >> rest << rest | numbers[lane] & (1 << rest) - 1
        numbers[lane] = (number, threshold, threshold - 1, (threshold + 1) % (1 << bits), numbers[lane])[lane % 5]
    return [
        np.array([number >> 64 * half & ALL - 1 for number in numbers], dtype=np.uint64) for half in range(bits // 64)
    ]


def as_numbers(halves: list[np.ndarray]) -> list[int]:
    return [sum(int(word) << 64 * half for half, word in enumerate(lane)) for lane in zip(*halves, strict=True)]


@pytest.mark.parametrize("count", [1, 64, 1000, 512 * 64 + 1])
@pytest.mark.parametrize(
    ("threshold", "bits"),
    [(2**63, 64), (ALL - 1, 64), (1, 64), (0xB504F333F9DE6484, 64), (2**52, 64), (2**52 - 1, 64),
     (WIDE // 2 - 1, 128), (1, 128), (3, 128), (2**64, 128), (2**116, 128), (0x5A827999FCEF32425A827999FCEF3243, 128)],
)  # fmt: skip
def test_a_coin_is_a_comparison(threshold: int, bits: int, count: int) -> None:
    halves = near(threshold, bits, count, seed=count)
    tape = Tape(BulkScripts(1).coins(threshold, *halves))  # type: ignore[arg-type]
    given = np.unpackbits(bulk.coins(threshold, bits, -(-count // 64), tape).view(np.uint8), count=count)
    assert given.tolist() == [number >= threshold for number in as_numbers(halves)]
    assert tape.left == 0


def same(channel: Channel, users: int, words: np.ndarray, seed: int) -> None:
    inputs = np.random.default_rng(seed).integers(0, channel.span + 1, size=users)
    inputs[: min(users, 2)] = (0, channel.span)[: min(users, 2)]
    expected = channel.pack(privatise(channel, inputs, Tape(words)))  # type: ignore[arg-type]
    tape = Tape(BulkScripts(seed).laid_across_words(channel, words, users))  # type: ignore[arg-type]
    given = bulk.privatise(channel, inputs, tape)
    assert given.dtype == np.uint8 and given.shape == (users, channel.payload_bytes)
    assert given.tobytes() == expected.tobytes() and tape.left == 0


@pytest.mark.parametrize("items, reach", [(1, 0), (2, 1), (7, 0), (8, 2), (12, 1), (64, 0), (65, 8), (1000, 3)])
@pytest.mark.parametrize("users", [1, 9, 700])
def test_unary_bit_for_bit(items: int, reach: int, users: int) -> None:
    for threshold in (2**63, ALL - 1, design.unary(1.0, items, reach=reach).threshold if items > 1 else 2**63 + 1):
        channel = Unary(items=items, reach=reach, threshold=threshold)
        (words,) = near(threshold, 64, min(users * items, 5000), seed=items)
        same(channel, users, np.resize(words, users * items), seed=users)


@pytest.mark.parametrize("epsilon, users", [(1.0, 1), (1.0, 100), (8.0, 1000), (0.001, 65), (1.0, 33_000)])
def test_laplace_bit_for_bit(epsilon: float, users: int) -> None:
    channel = design.laplace(epsilon)
    tiny = replace(channel, digits=(*channel.digits[:-2], 1, 2**64 + 1))
    for one in (channel, tiny) if users < 10_000 else (tiny,):
        rows = []
        for place, digit in enumerate(one.digits * 2):
            low, high = near(digit, 128, min(users, 500), seed=place)
            rows += [np.resize(high, users), np.resize(low, users)]
        same(one, users, np.concatenate(rows), seed=users)


@pytest.mark.parametrize(
    "channel",
    [design.one_bit(1.0), design.k_ary(1.0, 3), design.k_ary(1.0, 64), design.k_ary(4.0, 63),
     design.piecewise(1.0, nodes=9, window=5), design.subset(1.0, 2), design.subset(1.0, 37), design.subset(4.0, 500)],
)  # fmt: skip
def test_table_and_subset_word_for_word(channel: Channel) -> None:
    users = 700
    words = SeededEntropy(3).words(users * (2 + channel.width)).copy()
    words[::7] = ALL - 1
    words[1::7] = 0
    inputs = np.random.default_rng(1).integers(0, channel.span // channel.unit + 1, size=users) * channel.unit
    inputs[::3] = np.maximum(0, inputs[::3] - 12_345)
    tapes = [Scripted(words), Scripted(words)]
    expected = channel.pack(privatise(channel, inputs, tapes[0]))
    assert bulk.privatise(channel, inputs, tapes[1]).tobytes() == expected.tobytes()
    assert tapes[0].used == tapes[1].used


@pytest.mark.parametrize("count", [512 * 64, 8192 * 64, 8193 * 64 - 5])
@pytest.mark.parametrize("bits", [64, 128])
def test_chance_numbers(count: int, bits: int) -> None:
    """Mostly decided by their first bits: most of the words that go on do so in vain."""
    random = np.random.default_rng(count + bits)
    halves = [random.integers(0, ALL, size=count, dtype=np.uint64) for _ in range(bits // 64)]
    threshold = (ALL // 3) << (bits - 64)
    tape = Tape(BulkScripts(2).coins(threshold, *halves))  # type: ignore[arg-type]
    given = np.unpackbits(bulk.coins(threshold, bits, -(-count // 64), tape).view(np.uint8), count=count)
    assert (given == (halves[-1] >= np.uint64(ALL // 3))).all() and tape.left == 0


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("name", [name for name in MAKERS if name != "subset of 1000"])
def test_the_declared_law(name: str, epsilon: float) -> None:
    channel, source, users = MAKERS[name](epsilon), SeededEntropy(7), 40_000 if name == "laplace" else 20_000
    for value in (0, channel.span // channel.unit // 2 * channel.unit, channel.span):
        payloads = bulk.privatise(channel, np.full(users, value), source)
        symbols = channel.unpack(payloads).reshape(users, channel.width)
        assert channel.valid(symbols) and channel.pack(symbols).tobytes() == payloads.tobytes()
        assert sampler_p_value(channel, value, symbols) >= 1e-6


def test_lanes_do_not_know_each_other() -> None:
    """Flips of one bit, of neighbouring bits and of neighbouring users: means and products within six deviations."""
    users, channel = 50_000, design.unary(2.0, 24)
    flips = channel.unpack(
        bulk.privatise(channel, np.zeros(users, dtype=np.int64), SeededEntropy(5))
    ) ^ channel.hot_bits(np.zeros(users, dtype=np.int64))
    centred = flips - (1 - channel.keep)
    for one, other in [(centred[:, :-1], centred[:, 1:]), (centred[:-1], centred[1:]), (centred[:-64], centred[64:])]:
        products = one * other
        assert abs(products.sum()) < 6 * np.sqrt((products**2).sum())
    assert abs(centred.sum()) < 6 * np.sqrt(centred.size * channel.keep * (1 - channel.keep))


class Scripted:
    """Words of a script, from a seed when it has ended: a uniform index may be drawn again."""

    def __init__(self, script: np.ndarray) -> None:
        self._script, self._more, self.used = script, SeededEntropy(8), 0

    def words(self, count: int) -> np.ndarray:
        self.used += count
        given = self._script[self.used - count : self.used]
        return np.concatenate((given, self._more.words(count - len(given))))
