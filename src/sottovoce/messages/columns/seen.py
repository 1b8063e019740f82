"""Which slots have been seen: one bit for each that is asked, however many rows there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.question import Slots

_DENSE = 8  # slots to a row up to which a run of rows is marked as a whole


class Seen:
    """A set of slots among those that a question asks."""

    def __init__(self, slots: Slots) -> None:
        self._first = slots.first
        self._bits = np.zeros(-(-slots.count // 8), dtype=np.uint8)

    def add(self, slots: NDArray[Any]) -> NDArray[np.bool_]:
        """Mark the slots of these rows; gives which rows are of a slot that was marked before, or by a row above."""
        place = np.asarray(slots, dtype=np.int64) - self._first
        again = np.zeros(len(place), dtype=np.bool_)
        if not len(place):
            return again
        if not (place[1:] > place[:-1]).all():
            again = self._have(place)
            place, first = np.unique(place, return_index=True)
            later = np.ones(len(again), dtype=np.bool_)
            later[first] = False
            self._mark(place)
            return again | later
        if self._mark(place, look=True):
            again = self._have(place)
            self._mark(place)
        return again

    def has(self, slots: NDArray[Any]) -> NDArray[np.bool_]:
        """Which rows are of a slot that was marked."""
        return self._have(np.asarray(slots, dtype=np.int64) - self._first)

    def _have(self, place: NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray((self._bits[place >> 3] >> (place & 7).astype(np.uint8)) & 1 != 0)

    def _mark(self, place: NDArray[np.int64], *, look: bool = False) -> bool:
        """Mark places, which are in order. To `look` first: where some are marked already, say so and mark none."""
        low, high = int(place[0]) >> 3, (int(place[-1]) >> 3) + 1
        if 8 * (high - low) <= _DENSE * len(place) + 64:
            flags = np.zeros(8 * (high - low), dtype=np.uint8)
            flags[place - 8 * low] = 1
            where: Any = slice(low, high)
            bits = np.packbits(flags, bitorder="little")
        else:
            byte, bit = place >> 3, np.uint8(1) << (place & 7).astype(np.uint8)
            starts = np.concatenate(([0], np.flatnonzero(np.diff(byte)) + 1))
            where, bits = byte[starts], np.bitwise_or.reduceat(bit, starts)
        if look and (self._bits[where] & bits).any():
            return True
        self._bits[where] |= bits
        return False
