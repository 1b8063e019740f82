"""Public randomness: anyone who knows the seed and the slot can compute it again, in any language.

SplitMix64 (Steele, Lea and Flood 2014) as a keyed hash. It hides nothing and protects nobody; it only spreads
signs, rotations and orders evenly. Privacy noise never comes from here.

A rotation of a slot is three turns in a row, each a diagonal of public signs and then a Hadamard matrix: they send any
vector to nearly Gaussian entries. The slot's words hold, one after another, the signs of the first turn, of the second
and of the third, each `size` bits; then one word for the rows that are looked at, whose low half says where they begin
and whose high half, made odd, how far apart they are, modulo `size`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.array_types import Array, Floats, Integers, Signs, Words

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
TURNS = 3


def mix(words: Words) -> Words:
    """The SplitMix64 finaliser, one word to one word."""
    with np.errstate(over="ignore"):
        words = words + _GOLDEN
        words = (words ^ (words >> np.uint64(30))) * _MIX1
        words = (words ^ (words >> np.uint64(27))) * _MIX2
    return words ^ (words >> np.uint64(31))


def public_words(seed: int, slots: Integers, count: int) -> Words:
    """`count` public words for each slot: ``(n, count)``."""
    keys = mix(mix(np.asarray(slots).astype(np.uint64)) ^ np.uint64(seed))
    return mix(keys[:, None] ^ mix(np.arange(count, dtype=np.uint64))[None, :])


def signs(seed: int, slots: Integers, width: int) -> Signs:
    """Public Rademacher signs ±1 for each slot: ``(n, width)``."""
    packed = public_words(seed, slots, -(-width // 64)).astype("<u8")
    bits = np.unpackbits(packed.view(np.uint8), axis=1, count=width, bitorder="little")
    return (2 * bits.astype(np.int8) - 1).astype(np.int8)


def rotation_signs(seed: int, size: int) -> Signs:
    """The diagonal W of the rotation R = H W / √size (L494), the same for everybody."""
    return np.asarray(signs(seed, np.zeros(1, dtype=np.int64), size)[0])


def hadamard_rows(rows: Integers, size: int) -> Signs:
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


def uniform_below(words: Words, limits: Integers) -> Integers:
    """The upper word of word × limit: uniform below a limit, as far as words are; 0 below no limit."""
    wide, half = limits.astype(np.uint64), np.uint64(32)
    upper = ((words >> half) * wide + ((words & np.uint64(2**32 - 1)) * wide >> half)) >> half
    return np.asarray(upper.astype(np.int64))


def cosine(turns: Floats) -> Floats:
    """cos(2π·turns) to 1e-15, without the branches of a library's: −sin(2πz) with z in [−¼, ¼], by its series.

    One course of arithmetic for any number, so that time does not tell it.
    """
    quarter = 0.25 - np.abs(turns - np.floor(turns) - 0.5)
    square, series = quarter * quarter, np.zeros_like(quarter)
    for coefficient in reversed(_SINE):
        series = series * square + coefficient
    return -quarter * series


def walsh_hadamard(values: Array) -> Array:
    """H·values along the first axis, in n log n steps; H is symmetric and H·H = size·I.

    The order of addition is part of the contract: places that differ in bit 0 are paired first, then bit 1, and so on.
    """
    if len(values) < 2:
        return np.array(values)
    rows = np.ascontiguousarray(values.reshape(len(values), -1).T)
    return hadamard_steps(rows, len(values).bit_length() - 1).reshape(values.shape)


def hadamard_steps(rows: Array, steps: int) -> Array:
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


def slot_rotations(seed: int, size: int, rows: int, slots: Integers) -> tuple[Signs, Integers]:
    """The public rotations of these slots: signs ``(n, TURNS, size)``, and the rows looked at, ``(n, rows)``."""
    count = TURNS * size // 64
    drawn = public_words(seed, slots, count + 1).astype("<u8")
    packed = np.ascontiguousarray(drawn[:, :count]).view(np.uint8)
    turns = np.unpackbits(packed, axis=1, bitorder="little").view(np.int8).reshape(len(slots), TURNS, size)
    turns *= 2
    turns -= 1
    first = (drawn[:, -1] & np.uint64(2**32 - 1)).astype(np.int64)
    apart = (drawn[:, -1] >> np.uint64(32)).astype(np.int64) | 1
    return turns, (first[:, None] + apart[:, None] * np.arange(rows)[None, :]) % size


def rotated_rows(vectors: Floats, turns: Signs, rows: Integers) -> Floats:
    """The rotated vectors in their rows: ``(n, rows)``. Every sum is that of `walsh_hadamard`, to the last bit."""
    users, size = len(vectors), turns.shape[2]
    rotated = np.zeros((users, size))
    rotated[:, : vectors.shape[1]] = vectors
    rotated *= turns[:, 0]
    for turn in range(1, TURNS):
        rotated = np.multiply(
            hadamard_steps(rotated, size.bit_length() - 1).reshape(size, users).T, turns[:, turn], order="C"
        )
    # Of the last turn only the rows are wanted. When its first steps are done, each row has a part of its own to add
    # up: neighbour and neighbour still, a minus carried inward, where it rounds nothing.
    steps = min(size.bit_length() - 1, (4 * rows.shape[1] - 1).bit_length())
    left = hadamard_steps(rotated, steps)[rows & (2**steps - 1), np.arange(users)[:, None]]
    sums = (left * hadamard_rows((rows >> steps).ravel(), left.shape[2]).reshape(left.shape)).ravel()
    while sums.size > rows.size:
        sums = sums[0::2] + sums[1::2]
    return np.asarray(sums.reshape(rows.shape))


def undo_rotation(signed: Signs, turns: Signs) -> NDArray[np.float32]:
    """All turns but the last, undone: products with a few small Hadamard matrices, which make the large one together.

    Exact in any order: a sum of some entries of a vector is at most √size times its length, which is size before the
    first turn is undone. So no sum is above size^1.5 ≤ 2^24, up to which floats of 32 bits hold every whole number.
    """
    users, size = signed.shape
    bits = size.bit_length() - 1
    count = -(-bits // 6)  # 2^bits as a product of a few powers of two, each at most 64 and all about as large
    sides = [2 ** ((bits + place) // count) for place in range(count)]
    factors = [hadamard_rows(np.arange(side), side).astype(np.float32) for side in sides]
    back = signed.astype(np.float32)
    for turn in reversed(range(TURNS - 1)):
        back, inner = back.reshape(-1, sides[0]) @ factors[0], sides[0]
        for factor in factors[1:]:
            back, inner = factor @ back.reshape(-1, len(factor), inner), len(factor) * inner
        back = back.reshape(users, size) * turns[:, turn]
    return back
