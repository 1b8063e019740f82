"""Public randomness: anyone who knows the seed and the slot can compute it again, in any language.

SplitMix64 (Steele, Lea and Flood 2014) as a keyed hash. It hides nothing and protects nobody; it only spreads
signs, rotations and orders evenly. Privacy noise never comes from here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


def mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The SplitMix64 finaliser, one word to one word."""
    with np.errstate(over="ignore"):
        words = words + _GOLDEN
        words = (words ^ (words >> np.uint64(30))) * _MIX1
        words = (words ^ (words >> np.uint64(27))) * _MIX2
    return words ^ (words >> np.uint64(31))


def words(seed: int, slots: NDArray[np.int64], count: int) -> NDArray[np.uint64]:
    """`count` public words for each slot: ``(n, count)``."""
    keys = mix(mix(np.asarray(slots).astype(np.uint64)) ^ np.uint64(seed))
    return mix(keys[:, None] ^ mix(np.arange(count, dtype=np.uint64))[None, :])


def signs(seed: int, slots: NDArray[np.int64], width: int) -> NDArray[np.int8]:
    """Public Rademacher signs ±1 for each slot: ``(n, width)``."""
    packed = words(seed, slots, -(-width // 64)).astype("<u8")
    bits = np.unpackbits(packed.view(np.uint8), axis=1, count=width, bitorder="little")
    return (2 * bits.astype(np.int8) - 1).astype(np.int8)


def rotation_signs(seed: int, size: int) -> NDArray[np.int8]:
    """The diagonal W of the rotation R = H W / √size (L494), the same for everybody."""
    return np.asarray(signs(seed, np.zeros(1, dtype=np.int64), size)[0])


def hadamard_rows(rows: NDArray[np.int64], size: int) -> NDArray[np.int8]:
    """Rows of the Hadamard matrix H of a power-of-two `size`: entry (g, i) is (−1)^popcount(g & i)."""
    overlap = np.bitwise_count(np.asarray(rows)[:, None] & np.arange(size)[None, :])
    return np.asarray(1 - 2 * (overlap & 1).astype(np.int8), dtype=np.int8)


_SINE = [(-1) ** n * (2 * math.pi) ** (2 * n + 1) / math.factorial(2 * n + 1) for n in range(11)]


def cosine(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """cos(2π·turns) to 1e-15, without the branches of a library's: −sin(2πz) with z in [−¼, ¼], by its series.

    One course of arithmetic for any number, so that time does not tell it.
    """
    quarter = 0.25 - np.abs(turns - np.floor(turns) - 0.5)
    square, series = quarter * quarter, np.zeros_like(quarter)
    for coefficient in reversed(_SINE):
        series = series * square + coefficient
    return -quarter * series


def walsh_hadamard(values: NDArray[Any]) -> NDArray[Any]:
    """H·values along the first axis, in n log n steps; H is symmetric and H·H = size·I.

    The order of addition is part of the contract: places that differ in bit 0 are paired first, then bit 1, and so on.
    """
    result = np.array(values)
    half = 1
    while half < len(result):
        pairs = result.reshape(-1, 2, half, *result.shape[1:])
        below = pairs[:, 0] - pairs[:, 1]
        pairs[:, 0] += pairs[:, 1]
        pairs[:, 1] = below
        half *= 2
    return result
