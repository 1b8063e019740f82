"""From a channel's input to a symbol: integer thresholds against uniform words. No floats in this file.

Every sampler makes the same number of draws and comparisons whatever the input and whatever the noise, except that
a uniform index is redrawn with probability below 2^-48, independently of the input.
"""

from __future__ import annotations

import numpy as np

from sottovoce.device.entropy import Entropy
from sottovoce.messages import TICKS, Channel, Integers, Laplace, Subset, Table, Unary

_LOW = 2**64 - 1


def privatise(channel: Channel, inputs: Integers, entropy: Entropy) -> Integers:
    """Symbols ``(k, channel.width)`` for inputs ``(k,)`` in ``0 … channel.span``."""
    if not ((inputs >= 0) & (inputs <= channel.span)).all():
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
    limits = channel.integers[:, :-1].cumsum(axis=1)
    words = entropy.words(len(inputs))
    return np.asarray(np.count_nonzero(words[:, None] >= limits[node], axis=1))[:, None]


def _subset(channel: Subset, inputs: Integers, entropy: Entropy) -> Integers:
    """The first `size` places of a partial shuffle of the other items; the own item takes the last place, or not."""
    size, others, count, rows = channel.size, channel.items - 1, len(inputs), np.arange(len(inputs))
    deck = np.repeat(np.arange(others), count)  # one place after another, in each of them a card of every user
    swaps = _below([others - place for place in range(size)], count, entropy) + np.arange(size)[:, None]
    picked = deck[: size * count].reshape(size, count)
    for top, chosen in zip(picked, swaps * count + rows, strict=True):
        held = deck[chosen]
        deck[chosen], top[:] = top, held
    picked += picked >= inputs  # the items other than the own one, renumbered
    included = entropy.words(count) < np.uint64(channel.threshold)
    picked[-1] = np.where(included, inputs, picked[-1])
    chosen = np.zeros((count, channel.items), dtype=np.bool_)
    chosen[rows, picked] = True  # in order without a sort, whose time could tell the own item's rank
    return np.nonzero(chosen)[1].reshape(count, size)


def _below(limits: list[int], count: int, entropy: Entropy) -> Integers:
    """Uniform integers, `count` below each limit, exactly: words in the last incomplete block give way to the next."""
    words = entropy.words(len(limits) * count).reshape(len(limits), count).copy()
    ceilings = np.array([2**64 // limit * limit - 1 for limit in limits], dtype=np.uint64)[:, None]
    while (over := words > ceilings).any():
        first = int(over.any(axis=1).argmax())
        over[first + 1 :] = True  # what was read for later limits moves up
        words[over] = np.concatenate((words[first + 1 :].ravel(), entropy.words(int(over[first].sum()))))
    return (words % np.array(limits, dtype=np.uint64)[:, None]).astype(np.int64)


def _unary(channel: Unary, inputs: Integers, entropy: Entropy) -> Integers:
    words = entropy.words(len(inputs) * channel.items).reshape(len(inputs), channel.items)
    flipped = words >= np.uint64(channel.threshold)
    return (channel.hot_bits(inputs) ^ flipped).astype(np.int64)


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
