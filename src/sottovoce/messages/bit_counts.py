"""How often every bit is set in many packed rows, without unpacking them.

Rows are read as 64-bit words. Three words of one weight are added in all 64 places at once: their sum bit stays, and
their carry, the majority, goes one weight up. A few words of each weight are left in the end, and only they are
unpacked. Rows whose width is no multiple of eight bytes are taken side by side until they fill whole words. With numba
(extra ``fast``) the adders are compiled: one pass over the words, at the speed of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import gcd
from typing import Any, cast

import numpy as np

from sottovoce.messages.array_types import Bytes, Integers, Words


@cache
def has_numba() -> bool:
    """Whether numba is installed and works with the numpy that is installed: it is imported to know."""
    try:
        import numba  # noqa: F401 - importing it is the question
    except ImportError:
        return False
    return True


@cache
def compiled_adder() -> Callable[[Words, Words], int]:
    """`add_planes` as machine code, kept on disk where there is a place for it."""
    from numba import njit

    try:
        made = njit(cache=True, nogil=True)(add_planes)
    except RuntimeError:  # nowhere to write
        made = njit(nogil=True)(add_planes)
    return cast(Callable[[Words, Words], int], made)


def add_planes(words: Words, held: Words) -> int:
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


LARGE = 2**22
"""Bytes from which on compiled code is asked for, if it can be: a process loads it once."""
_BLOCK = 2**18  # words that are added up together: they stay in the cache
_FEW = 8
_LANES = 32


def count_bits(rows: Bytes) -> Integers:
    """How many of these rows ``(n, width)`` set each of their ``8·width`` bits, the highest of a byte first."""
    count, width = rows.shape
    large = rows.size >= LARGE and has_numba()
    together = 8 // gcd(8, width)
    if large:
        together *= max(1, 8 * _LANES // (together * width))
    whole = count // together * together
    total: Integers = np.unpackbits(rows[whole:], axis=1).sum(axis=0, dtype=np.int64)
    if whole:
        words = _as_words(rows[:whole]).reshape(whole // together, together * width // 8)
        bits = _count_compiled(words) if large else _count_plane_bits(_add_rows(words))
        total += bits.reshape(together, 8 * width).sum(axis=0)
    return total


def _as_words(rows: Bytes) -> Words:
    flat = np.ascontiguousarray(rows).reshape(-1)
    if flat.ctypes.data % 8:  # a slice of somebody's buffer: words are read where words begin
        flat = flat.copy()
    return flat.view(np.uint64)


def _add_rows(words: Words) -> list[Words]:
    """A few rows of words for each weight 1, 2, 4, …, which add up to the same."""
    block = max(_FEW, _BLOCK // words.shape[1])
    left: list[list[Words]] = []
    for first in range(0, len(words), block):
        _carry_save([[words[first : first + block]]], left)
    planes: list[list[Words]] = []
    _carry_save(left, planes)
    return [plane[0] for plane in planes]


def _carry_save(levels: list[list[Words]], left: list[list[Words]]) -> None:
    """Add the rows of each level up until few are left there, and append those to `left`."""
    carries: list[Words] = []
    level = 0
    while level < len(levels) or carries:
        parts = [*(levels[level] if level < len(levels) else ()), *carries]
        rows, carries = parts[0] if len(parts) == 1 else np.concatenate(parts), []
        while (third := len(rows) // 3) and len(rows) > _FEW:
            one, two, three = (rows[place * third : (place + 1) * third] for place in range(3))
            half = one ^ two
            kept = half ^ three
            half &= three
            half |= one & two
            carries.append(half)
            rows = np.concatenate((kept, rows[3 * third :])) if len(rows) > 3 * third else kept
        if level == len(left):
            left.append([])
        left[level].append(rows)
        level += 1


def _count_plane_bits(planes: list[Words]) -> Integers:
    bits: Any = 0
    for level, plane in enumerate(planes):
        bits = bits + (np.unpackbits(plane.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64) << level)
    return np.asarray(bits)


def _count_compiled(words: Words) -> Integers:
    held = np.zeros((len(words).bit_length() + 1, 2, words.shape[1]), dtype=np.uint64)
    used = compiled_adder()(words, held)
    left = words[len(words) // 8 * 8 :]
    bits: Integers = np.unpackbits(left.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64)
    return bits + _count_plane_bits(list(held[:used]))
