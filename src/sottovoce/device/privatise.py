"""From a channel's input to a symbol: integer thresholds against uniform words. No floats in this file.

Every sampler makes the same number of draws and comparisons whatever the input and whatever the noise, except that
a uniform index is redrawn with probability below 2^-48, independently of the input.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.entropy import Entropy
from sottovoce.messages import TICKS, Channel, Laplace, Subset, Table, Unary

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]
_LOW = 2**64 - 1


def privatise(channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """Symbols ``(k, channel.width)`` for inputs ``(k,)`` in ``0 … channel.span``."""
    if inputs.size and not (0 <= int(inputs.min()) and int(inputs.max()) <= channel.span):
        raise AssertionError("an encoder left the channel's inputs")  # a bug, never a property of data
    match channel:
        case Table():
            return _table(channel, inputs, entropy)
        case Subset():
            return _subset(channel, inputs, entropy)
        case Unary():
            return _unary(channel, inputs, entropy)
        case Laplace():
            return _laplace(channel, inputs, entropy)


def _table(channel: Table, inputs: Integers, entropy: Entropy) -> Integers:
    node, fraction = np.divmod(inputs, TICKS)
    node = node + (entropy.words(len(inputs)) < fraction.astype(np.uint64) << np.uint64(32))
    # The last cumulative sum of a row is 2^64: no word reaches it, so it is left out.
    limits = np.array([list(accumulate(row[:-1])) for row in channel.rows], dtype=np.uint64)
    words = entropy.words(len(inputs))
    symbols = np.zeros(len(inputs), dtype=np.int64)
    for column in range(limits.shape[1]):
        symbols += words >= limits[node, column]
    return symbols[:, None]


def _subset(channel: Subset, inputs: Integers, entropy: Entropy) -> Integers:
    """The first `size` places of a partial shuffle of the other items; the own item takes the last place, or not."""
    others = channel.items - 1
    rows = np.arange(len(inputs))
    deck = np.tile(np.arange(others), (len(inputs), 1))
    for place in range(channel.size):
        chosen = place + _below(others - place, len(inputs), entropy)
        deck[rows, place], deck[rows, chosen] = deck[rows, chosen], deck[rows, place]
    picked = deck[:, : channel.size]
    picked += picked >= inputs[:, None]  # the items other than the own one, renumbered
    included = entropy.words(len(inputs)) < np.uint64(channel.threshold)
    picked[:, -1] = np.where(included, inputs, picked[:, -1])
    chosen = np.zeros((len(inputs), channel.items), dtype=np.bool_)
    chosen[rows[:, None], picked] = True  # in order without a sort, whose time could tell the own item's rank
    return np.nonzero(chosen)[1].reshape(len(inputs), channel.size)


def _below(limit: int, count: int, entropy: Entropy) -> Integers:
    """Uniform integers below `limit`, exactly: words in the last incomplete block are drawn again."""
    ceiling = np.uint64(2**64 // limit * limit - 1)
    words = entropy.words(count).copy()
    while (again := words > ceiling).any():
        words[again] = entropy.words(int(again.sum()))
    return (words % np.uint64(limit)).astype(np.int64)


def _unary(channel: Unary, inputs: Integers, entropy: Entropy) -> Integers:
    words = entropy.words(len(inputs) * channel.items).reshape(len(inputs), channel.items)
    flipped = words >= np.uint64(channel.threshold)
    return (channel.hot(inputs) ^ flipped).astype(np.int64)


def _laplace(channel: Laplace, inputs: Integers, entropy: Entropy) -> Integers:
    noise = _geometric(channel, len(inputs), entropy) - _geometric(channel, len(inputs), entropy)
    return np.clip(inputs + noise, -channel.bound, channel.steps + channel.bound)[:, None]


def _geometric(channel: Laplace, count: int, entropy: Entropy) -> Integers:
    """Binary digits, each one with probability ``digit / 2^128``: a 128-bit word against a 128-bit threshold."""
    total = np.zeros(count, dtype=np.int64)
    for place, digit in enumerate(channel.digits):
        words = entropy.words(2 * count).reshape(2, count)
        high, low = np.uint64(digit >> 64), np.uint64(digit & _LOW)
        ones = (words[0] < high) | ((words[0] == high) & (words[1] < low))
        total += ones.astype(np.int64) << place
    return total
