"""Public turns: how a slot looks at a vector, and which direction it reported. Anyone can compute them again.

A turn is a diagonal of public signs and then a Hadamard matrix; three of them in a row send any vector to nearly
Gaussian entries. Every slot has its own. One after another: signs of the first turn, of the second, of the third, each
`turned` bits; then one word for the rows, whose low half says where they begin and whose high half, made odd, how far
apart they are, modulo `turned`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.public import walsh_hadamard, words
from sottovoce.messages.statistics import Direction, lengths

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
TURNS = 3
FINE = 256
"""A reported direction is counted in this part of one standard deviation of its entries."""


class Turns(NamedTuple):
    """What some slots have: signs ``(turns, turned, n)`` and rows ``(n, rows)``."""

    signs: NDArray[np.int8]
    rows: Integers


def turns(statistic: Direction, slots: Integers) -> Turns:
    """The public turns and rows of these slots."""
    size, count = statistic.turned, TURNS * statistic.turned // 64
    drawn = words(statistic.seed, slots, count + 1).astype("<u8")
    packed = np.ascontiguousarray(drawn[:, :count]).view(np.uint8)
    bits = np.unpackbits(packed, axis=1, bitorder="little").reshape(len(slots), TURNS, size)
    signs = np.ascontiguousarray(2 * bits.transpose(1, 2, 0).astype(np.int8) - 1)
    first = (drawn[:, -1] & np.uint64(2**32 - 1)).astype(np.int64)
    apart = (drawn[:, -1] >> np.uint64(32)).astype(np.int64) | 1
    rows = (first[:, None] + apart[:, None] * np.arange(statistic.rows)[None, :]) % size
    return Turns(signs=signs, rows=rows)


def pointed(statistic: Direction, slots: Integers, away: Floats, uniform: NDArray[np.uint64]) -> Floats:
    """The symbols of vectors from the centre, ``(n, size)``, each turned to its opposite or not by a uniform word.

    Of entries that are equally large the first row counts; a vector of length zero points along the first row.
    """
    size, (own, rows), user = statistic.turned, turns(statistic, slots), np.arange(len(slots))
    longer = np.minimum(lengths(away)[:, 0] / statistic.radius, 1.0)
    opposite = uniform * 2.0**-64 >= 0.5 + 0.5 * longer
    seen = np.zeros((size, len(slots)))
    seen[: away.shape[1]] = (away / np.maximum(np.abs(away).max(axis=1), 1e-300)[:, None]).T
    for signs in own:
        seen = walsh_hadamard(seen * signs)
    chosen = seen[rows.T, user]
    best = np.argmax(np.abs(chosen), axis=0)
    negative = (chosen[best, user] < 0) ^ opposite
    return np.asarray(2 * best + negative + 0.5)[:, None]


def directed(statistic: Direction, slots: Integers, symbols: Integers) -> NDArray[Any]:
    """The reported directions, entry by entry: ``(size, n)`` whole numbers, 256 to a standard deviation.

    The signed row, turned back: entries of whole numbers, about `turned` large, that are then divided by ``turned/256``
    and rounded to the nearest, halves away from zero.
    """
    size, (own, rows) = statistic.turned, turns(statistic, slots)
    back = np.zeros((size, len(slots)), dtype=np.int32)
    back[rows[np.arange(len(slots)), symbols >> 1], np.arange(len(slots))] = 1 - 2 * (symbols & 1)
    for signs in own[::-1]:
        back = walsh_hadamard(back) * signs
    entries = back[: statistic.vector.size]
    if size <= FINE:
        return entries * np.int32(FINE // size)
    part = size // FINE
    return np.asarray(np.sign(entries) * ((np.abs(entries) + part // 2) // part))
