"""From channel inputs to packed payloads, for many users: the thresholds of `device.privatise`, and no floats.

How much is drawn and computed depends on the channel and the number of users alone, but for what `coins` and
`device.privatise` say of themselves. Everything is done in blocks that stay small whatever the number of users.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.bulk.coins import coins
from sottovoce.device.entropy import Entropy
from sottovoce.device.privatise import privatise as one_by_one
from sottovoce.messages import TICKS, Channel, Laplace, Subset, Table, Unary

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
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


def _limits(channel: Table) -> NDArray[np.uint64]:
    """The cumulative sums of every row without its last, 2^64, and as many more as halving needs."""
    limits = np.full((len(channel.rows), 2 ** (channel.cells - 1).bit_length() - 1), ~np.uint64(0))
    limits[:, : channel.cells - 1] = [list(accumulate(row[:-1])) for row in channel.rows]
    return limits


def _table(channel: Table, limits: NDArray[np.uint64], inputs: Integers, entropy: Entropy) -> Bytes:
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
