"""Coins, 64 in a word: every bit of a word is a lane, and every lane compares a number of its own with a threshold.

The numbers lie across the words: one word drawn holds one bit of each of 64 numbers. From the lowest bit up, a number
is at least the threshold where its bit is the larger one, or is equal and the lower bits were at least; so a bit of the
threshold that is one takes ``and``, one that is zero takes ``or``: one operation for 64 lanes.

After the `HEAD` highest bits hardly a lane is still equal to the threshold. Only words with such a lane need the other
bits, and with them so many words go on in vain that their number is public: how much is drawn and done does not depend
on the coins, but with a probability below 2^-72 for each call. PRIVACY.md has the proofs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sottovoce.device.entropy import Entropy

Words = NDArray[np.uint64]
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
