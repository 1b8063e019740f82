"""How often every bit is set in many packed rows, without unpacking them.

Rows are read as 64-bit words. Three words of one weight are added in all 64 places at once: their sum bit stays, and
their carry, the majority, goes one weight up. A few words of each weight are left in the end, and only they are
unpacked. Rows whose width is no multiple of eight bytes are taken side by side until they fill whole words.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.compiling import has_numba
from sottovoce.messages.packed.compiled import compiled

Words = NDArray[np.uint64]

LARGE = 2**22
"""Bytes from which on compiled code is asked for, if it can be: a process loads it once."""
_BLOCK = 2**18  # words that are added up together: they stay in the cache
_FEW = 8
_LANES = 32


def ones(rows: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many of these rows ``(n, width)`` set each of their ``8·width`` bits, the highest of a byte first."""
    count, width = rows.shape
    large = rows.size >= LARGE and has_numba()
    together = 8 // gcd(8, width)
    if large:
        together *= max(1, 8 * _LANES // (together * width))
    whole = count // together * together
    total: NDArray[np.int64] = np.unpackbits(rows[whole:], axis=1).sum(axis=0, dtype=np.int64)
    if whole:
        words = _words(rows[:whole]).reshape(whole // together, together * width // 8)
        bits = _compiled(words) if large else _unpacked(_added(words))
        total += bits.reshape(together, 8 * width).sum(axis=0)
    return total


def _words(rows: NDArray[np.uint8]) -> Words:
    flat = np.ascontiguousarray(rows).reshape(-1)
    if flat.ctypes.data % 8:  # a slice of somebody's buffer: words are read where words begin
        flat = flat.copy()
    return flat.view(np.uint64)


def _added(words: Words) -> list[Words]:
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


def _unpacked(planes: list[Words]) -> NDArray[np.int64]:
    bits: Any = 0
    for level, plane in enumerate(planes):
        bits = bits + (np.unpackbits(plane.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64) << level)
    return np.asarray(bits)


def _compiled(words: Words) -> NDArray[np.int64]:
    held = np.zeros((len(words).bit_length() + 1, 2, words.shape[1]), dtype=np.uint64)
    used = compiled()(words, held)
    left = words[len(words) // 8 * 8 :]
    bits: NDArray[np.int64] = np.unpackbits(left.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64)
    return bits + _unpacked(list(held[:used]))
