"""Public randomness: anyone who knows the seed and the slot can compute it again, in any language.

SplitMix64 (Steele, Lea and Flood 2014) as a keyed hash. It hides nothing and protects nobody; it only spreads
signs, rotations and orders evenly. Privacy noise never comes from here.
"""

from __future__ import annotations

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
    places = np.arange(size, dtype=np.uint32)
    overlap = np.bitwise_count(np.asarray(rows).astype(np.uint32)[:, None] & places[None, :])
    return np.asarray(1 - 2 * (overlap & np.uint8(1)).view(np.int8), dtype=np.int8)


# (−1)^n (2π)^(2n+1) / (2n+1)!, written out: a library's powers may differ in the last bit, and devices must not.
_SINE = [
    6.283185307179586, -41.341702240399755, 81.60524927607504, -76.70585975306136, 42.058693944897634,
    -15.094642576822984, 3.8199525848482803, -0.7181223017785001, 0.10422916220813978, -0.012031585942120619,
    0.0011309237482517954,
]  # fmt: skip


def below(words: NDArray[np.uint64], limits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of word × limit the upper word: uniform below a limit, as far as words are; 0 below no limit."""
    wide, half = limits.astype(np.uint64), np.uint64(32)
    upper = ((words >> half) * wide + ((words & np.uint64(2**32 - 1)) * wide >> half)) >> half
    return np.asarray(upper.astype(np.int64))


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
    if len(values) < 2:
        return np.array(values)
    rows = np.ascontiguousarray(values.reshape(len(values), -1).T)
    return paired(rows, len(values).bit_length() - 1).reshape(values.shape)


def paired(rows: NDArray[Any], steps: int) -> NDArray[Any]:
    """The first `steps` steps of H·row for every row of an ``(n, size)`` array: ``(2^steps, n, size / 2^steps)``.

    A step adds and subtracts neighbours; sums go to the first half of everything, differences to the second, so that
    neighbours are next paired in the next bit. After all steps there is one entry of H·row for each place and row.
    """
    flat, half = rows.reshape(-1), rows.size // 2
    spare = [np.empty_like(flat), np.empty_like(flat)]
    for step in range(steps):
        made = spare[step % 2]
        np.add(flat[0::2], flat[1::2], out=made[:half])
        np.subtract(flat[0::2], flat[1::2], out=made[half:])
        flat = made
    return flat.reshape(2**steps, len(rows), -1)
