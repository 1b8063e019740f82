"""The adders of `adders`, compiled: one pass over the words, at the speed of memory (extra ``fast``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]


@cache
def compiled() -> Callable[[Words, Words], int]:
    """`planes` as machine code, kept on disk where there is a place for it."""
    from numba import njit

    try:
        made = njit(cache=True, nogil=True)(planes)
    except RuntimeError:  # nowhere to write
        made = njit(nogil=True)(planes)
    return cast(Callable[[Words, Words], int], made)


def planes(words: Words, held: Words) -> int:
    """Add the rows of `words` up, lane by lane, as far as they are whole eights; gives how many planes are used.

    ``held[level, 0]`` is the binary digit of weight 2^level of every lane. Beside it waits what was carried there and
    has no partner yet: ``held[level, 1]``.
    """
    rows, lanes = words.shape
    carry = np.empty(lanes, dtype=np.uint64)
    top = 0
    for row in range(0, rows - 7, 8):
        for lane in range(lanes):  # eight rows are four ones, two twos and one four, carried on to the eights
            ones, twos, fours = held[0, 0, lane], held[1, 0, lane], held[2, 0, lane]
            a, b = words[row, lane], words[row + 1, lane]
            half = ones ^ a
            two = (ones & a) | (half & b)
            ones = half ^ b
            a, b = words[row + 2, lane], words[row + 3, lane]
            half = ones ^ a
            more = (ones & a) | (half & b)
            ones = half ^ b
            half = twos ^ two
            four = (twos & two) | (half & more)
            twos = half ^ more
            a, b = words[row + 4, lane], words[row + 5, lane]
            half = ones ^ a
            two = (ones & a) | (half & b)
            ones = half ^ b
            a, b = words[row + 6, lane], words[row + 7, lane]
            half = ones ^ a
            more = (ones & a) | (half & b)
            held[0, 0, lane] = half ^ b
            half = twos ^ two
            other = (twos & two) | (half & more)
            held[1, 0, lane] = half ^ more
            half = fours ^ four
            carry[lane] = (fours & four) | (half & other)
            held[2, 0, lane] = half ^ other
        level, waiting = 3, row // 8
        while waiting & 1:
            for lane in range(lanes):
                digit, one, two = held[level, 0, lane], held[level, 1, lane], carry[lane]
                half = digit ^ one
                carry[lane] = (digit & one) | (half & two)
                held[level, 0, lane] = half ^ two
                held[level, 1, lane] = 0
            level, waiting = level + 1, waiting >> 1
        for lane in range(lanes):
            held[level, 1, lane] = carry[lane]
        top = max(top, level)
    return top + 1
