"""Public turns: how a slot looks at a vector, and which direction it reported. Anyone can compute them again.

A turn is a diagonal of public signs and then a Hadamard matrix; three of them in a row send any vector to nearly
Gaussian entries. Every slot has its own. One after another: signs of the first turn, of the second, of the third, each
`turned` bits; then one word for the rows, whose low half says where they begin and whose high half, made odd, how far
apart they are, modulo `turned`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.public import hadamard_rows, paired, words
from sottovoce.messages.statistics import Direction, lengths

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
TURNS = 3
FINE = 256
"""A reported direction is counted in this part of one standard deviation of its entries."""
_AT_ONCE = 2**15
"""Entries that are turned at once: so few that they stay close to the processor."""


class Turns(NamedTuple):
    """What some slots have: signs ``(n, turns, turned)`` and rows ``(n, rows)``."""

    signs: NDArray[np.int8]
    rows: Integers


def turns(statistic: Direction, slots: Integers) -> Turns:
    """The public turns and rows of these slots."""
    size, count = statistic.turned, TURNS * statistic.turned // 64
    drawn = words(statistic.seed, slots, count + 1).astype("<u8")
    packed = np.ascontiguousarray(drawn[:, :count]).view(np.uint8)
    signs = np.unpackbits(packed, axis=1, bitorder="little").view(np.int8).reshape(len(slots), TURNS, size)
    signs *= 2
    signs -= 1
    first = (drawn[:, -1] & np.uint64(2**32 - 1)).astype(np.int64)
    apart = (drawn[:, -1] >> np.uint64(32)).astype(np.int64) | 1
    rows = (first[:, None] + apart[:, None] * np.arange(statistic.rows)[None, :]) % size
    return Turns(signs=signs, rows=rows)


def pointed(statistic: Direction, slots: Integers, away: Floats, uniform: NDArray[np.uint64]) -> Floats:
    """The symbols of vectors from the centre, ``(n, size)``, each turned to its opposite or not by a uniform word.

    Of entries that are equally large the first row counts; a vector of length zero points along the first row.
    """
    own, rows = turns(statistic, slots)
    longer = np.minimum(lengths(away)[:, 0] / statistic.radius, 1.0)
    opposite = uniform * 2.0**-64 >= 0.5 + 0.5 * longer
    unit = away / np.maximum(np.abs(away).max(axis=1), 1e-300)[:, None]
    seen = [_seen(unit[part], own[part], rows[part]) for part in _parts(statistic, slots)]
    chosen, user = np.concatenate(seen), np.arange(len(slots))
    best = np.argmax(np.abs(chosen), axis=1)
    negative = (chosen[user, best] < 0) ^ opposite
    return np.asarray(2 * best + negative + 0.5)[:, None]


def _seen(vectors: Floats, own: NDArray[np.int8], rows: Integers) -> Floats:
    """The turned vectors in their rows: ``(n, rows)``. Every sum is that of `walsh_hadamard`, to the last bit."""
    users, size = len(vectors), own.shape[2]
    seen = np.zeros((users, size))
    seen[:, : vectors.shape[1]] = vectors
    seen *= own[:, 0]
    for turn in range(1, TURNS):
        turned = paired(seen, size.bit_length() - 1).reshape(size, users)
        seen = np.multiply(turned.T, own[:, turn], order="C")
    # Of the last turn only the rows are wanted. When its first steps are done, each row has a part of its own to add
    # up: neighbour and neighbour still, a minus carried inward, where it rounds nothing.
    steps = min(size.bit_length() - 1, (4 * rows.shape[1] - 1).bit_length())
    left = paired(seen, steps)[rows & (2**steps - 1), np.arange(users)[:, None]]
    sums = (left * hadamard_rows((rows >> steps).ravel(), left.shape[2]).reshape(left.shape)).ravel()
    while sums.size > rows.size:
        sums = sums[0::2] + sums[1::2]
    return np.asarray(sums.reshape(rows.shape))


def directed(statistic: Direction, slots: Integers, symbols: Integers) -> NDArray[np.int32]:
    """The reported directions: ``(n, size)`` whole numbers, 256 to a standard deviation of an entry.

    The signed row, turned back: entries of whole numbers, about `turned` large, that are then divided by ``turned/256``
    and rounded to the nearest, halves away from zero.
    """
    size, (own, rows) = statistic.turned, turns(statistic, slots)
    row = rows[np.arange(len(slots)), symbols >> 1]
    entries = np.empty((len(slots), statistic.vector.size), dtype=np.int32)
    for part in _parts(statistic, slots):
        signed = hadamard_rows(row[part], size) * own[part, -1] * (1 - 2 * (symbols[part] & 1)).astype(np.int8)[:, None]
        entries[part] = _turned_back(signed, own[part])[:, : statistic.vector.size]
    if size <= FINE:
        return entries * np.int32(FINE // size)
    entries += (entries >> 31) + size // FINE // 2
    return entries >> np.int32((size // FINE).bit_length() - 1)


def _turned_back(signed: NDArray[np.int8], own: NDArray[np.int8]) -> NDArray[np.float32]:
    """All turns but the last, undone: products with a few small Hadamard matrices, which make the large one together.

    Exact in any order: a sum of some entries of a vector is at most √size times its length, which is size before the
    first turn is undone. So no sum is above size^1.5 ≤ 2^24, up to which floats of 32 bits hold every whole number.
    """
    users, size = signed.shape
    sides = _sides(size.bit_length() - 1)
    factors = [hadamard_rows(np.arange(side), side).astype(np.float32) for side in sides]
    back = signed.astype(np.float32)
    for turn in reversed(range(TURNS - 1)):
        back, inner = back.reshape(-1, sides[0]) @ factors[0], sides[0]
        for factor in factors[1:]:
            back, inner = factor @ back.reshape(-1, len(factor), inner), len(factor) * inner
        back = back.reshape(users, size) * own[:, turn]
    return back


def _sides(bits: int) -> list[int]:
    """2^bits as a product of a few powers of two, each at most 64 and all about as large."""
    count = -(-bits // 6)
    return [2 ** ((bits + place) // count) for place in range(count)]


def _parts(statistic: Direction, slots: Integers) -> list[slice]:
    block = max(1, _AT_ONCE // statistic.turned)
    return [slice(first, first + block) for first in range(0, len(slots), block)]
