"""From channel inputs to packed payloads, for many users: the thresholds of `device.privatise`, and no floats.

How much is drawn and computed depends on the channel and the number of users alone, but for what `coins` and
`device.privatise` say of themselves. Everything is done in blocks that stay small whatever the number of users.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate

import numpy as np

from sottovoce.device.entropy import Entropy
from sottovoce.device.privatise import privatise as one_by_one
from sottovoce.messages import TICKS, Bytes, Channel, Integers, Laplace, Subset, Table, Unary, Words

# Coins, 64 in a word: every bit of a word is a lane, and every lane compares a number of its own with a threshold.
#
# The numbers lie across the words: one word drawn holds one bit of each of 64 numbers. From the lowest bit up, a number
# is at least the threshold where its bit is the larger one, or is equal and the lower bits were at least; so a bit of
# the threshold that is one takes ``and``, one that is zero takes ``or``: one operation for 64 lanes.
#
# After the `HEAD` highest bits hardly a lane is still equal to the threshold. Only words with such a lane need the
# other bits, and with them so many words go on in vain that their number is public: how much is drawn and done does not
# depend on the coins, but with a probability below 2^-72 for each call. PRIVACY.md has the proofs.

HEAD = 12
FEW = 512
"""Fewer words of coins than this draw all of their bits."""
RUN = 2**13
"""Words drawn at once: 64 kB, which stay in the cache, and for which no memory is asked of the system."""
_ONES = ~np.uint64(0)


def coins(threshold: int, bits: int, count: int, entropy: Entropy) -> Words:
    """`count` words of coins, each one with probability exactly ``1 − threshold / 2^bits``, independently.

    A coin is one where its number of `bits` bits is at least `threshold`: what `device.privatise` compares.
    """
    above, within = np.zeros(count, dtype=np.uint64), np.full(count, _ONES)
    if count < FEW:
        return _at_least(threshold, _rows(bits, count, entropy), within)
    rest = bits - HEAD
    for first in range(0, count, RUN):
        here = slice(first, min(first + RUN, count))
        _at_least(threshold >> rest, _rows(HEAD, here.stop - first, entropy), above[here], within[here])
    within ^= above  # the lanes that are equal so far
    columns = max(spare(count), int(np.count_nonzero(within)))
    chosen = np.argsort(within == 0, kind="stable")[:columns]  # those with such lanes, and as many others as are spare
    equal = _at_least(threshold & (2**rest - 1), _rows(rest, columns, entropy), np.full(columns, _ONES))
    above[chosen] |= equal & within[chosen]
    return above


def spare(count: int) -> int:
    """How many of `count` words draw all bits: more than need to, on average by ten standard deviations and 64."""
    mean = count >> HEAD - 6  # 64 lanes, each still equal with probability 2^-HEAD
    return mean + 10 * math.isqrt(mean) + 64


def _rows(bits: int, width: int, entropy: Entropy) -> Iterator[Words]:
    """One row of `width` words for each bit, the lowest first."""
    many = max(1, RUN // max(1, width))
    for first in range(0, bits, many):
        rows = min(many, bits - first)
        yield from entropy.words(rows * width).reshape(rows, width)


def _at_least(threshold: int, rows: Iterator[Words], *known: Words) -> Words:
    """In place: from what holds of lanes whose lower bits are not drawn to what holds with these bits."""
    for place, row in enumerate(rows):
        meet = np.bitwise_and if threshold >> place & 1 else np.bitwise_or
        for lanes in known:
            meet(lanes, row, out=lanes)
    return known[0]


Sample = Callable[[Integers, Entropy], Bytes]
_BYTES = 2**20
_CELLS = 2**20


def privatise(channel: Channel, inputs: Integers, entropy: Entropy) -> Bytes:
    """Payloads ``(k, channel.payload_bytes)`` for inputs ``(k,)`` in ``0 … channel.span``."""
    if inputs.size and not (0 <= int(inputs.min()) and int(inputs.max()) <= channel.span):
        raise AssertionError("an encoder left the channel's inputs")  # a bug, never a property of data
    payloads = np.empty((len(inputs), channel.payload_bytes), dtype=np.uint8)
    sample, block = sampler(channel)
    for first in range(0, len(inputs), block):
        payloads[first : first + block] = sample(inputs[first : first + block], entropy)
    return payloads


def sampler(channel: Channel) -> tuple[Sample, int]:
    """Who draws for the channel, and for how many users at once."""
    match channel:
        case Table():
            return partial(_table, channel, _limits(channel)), 2**13
        case Subset():
            return partial(_subset, channel), max(1, _CELLS // channel.items)
        case Unary():
            return partial(_unary, channel), max(1, _BYTES // channel.payload_bytes)
        case Laplace():
            return partial(_laplace, channel), 2**20


def _limits(channel: Table) -> Words:
    """The cumulative sums of every row without its last, 2^64, and as many more as halving needs."""
    limits = np.full((len(channel.rows), 2 ** (channel.cells - 1).bit_length() - 1), ~np.uint64(0))
    limits[:, : channel.cells - 1] = [list(accumulate(row[:-1])) for row in channel.rows]
    return limits


def _table(channel: Table, limits: Words, inputs: Integers, entropy: Entropy) -> Bytes:
    fraction = (inputs & (TICKS - 1)).astype(np.uint64) << np.uint64(32)
    node = (inputs >> TICKS.bit_length() - 1) + (entropy.words(len(inputs)) < fraction)
    words, start = entropy.words(len(inputs)), node * limits.shape[1]
    symbols, half = np.zeros(len(inputs), dtype=np.int64), (limits.shape[1] + 1) // 2
    while half:  # as many comparisons for every symbol
        symbols += (words >= limits.take(start + symbols + (half - 1))) * np.int64(half)
        half //= 2
    return np.minimum(symbols, channel.cells - 1).astype(np.uint8)[:, None]  # the largest word is no less than padding


def _subset(channel: Subset, inputs: Integers, entropy: Entropy) -> Bytes:
    return channel.pack(one_by_one(channel, inputs, entropy))


def _unary(channel: Unary, inputs: Integers, entropy: Entropy) -> Bytes:
    users, size = len(inputs), channel.payload_bytes
    flipped = coins(channel.threshold, 64, -(-users * size // 8), entropy)
    flat = flipped.view(np.uint8)[: users * size]
    bits = flat.reshape(users, size)
    bits[:, -1] &= np.uint8(0xFF << -channel.items % 8 & 0xFF)  # padding is zero
    starts = np.arange(0, users * size, size)
    masks = np.array([128, 64, 32, 16, 8, 4, 2, 1, 0], dtype=np.uint8)
    for away in range(-channel.reach, channel.reach + 1):
        index = inputs + away
        outside = (index < 0) | (index >= channel.items)  # lights nothing: bit 8 of the first byte
        flat[starts + (index >> 3) * ~outside] ^= masks[(index & 7) * ~outside + 8 * outside]
    return bits


def _laplace(channel: Laplace, inputs: Integers, entropy: Entropy) -> Bytes:
    noise = _geometric(channel, len(inputs), entropy)
    noise -= _geometric(channel, len(inputs), entropy)
    noise += inputs
    np.clip(noise, -channel.bound, channel.steps + channel.bound, out=noise)
    return noise.astype(">i8").view(np.uint8).reshape(-1, 8)


def _geometric(channel: Laplace, users: int, entropy: Entropy) -> Integers:
    """Binary digits, each one with probability ``digit / 2^128``; eight of them make a byte of the number."""
    numbers = np.zeros((users, 8), dtype=np.uint8)
    for first in range(0, len(channel.digits), 8):
        byte = np.zeros(users, dtype=np.uint8)
        for place, digit in enumerate(channel.digits[first : first + 8]):
            below = ~coins(digit, 128, -(-users // 64), entropy)
            byte |= np.unpackbits(below.view(np.uint8), count=users) << np.uint8(place)
        numbers[:, first // 8] = byte
    return numbers.view("<i8")[:, 0]
