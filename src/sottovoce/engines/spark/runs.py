"""Sets of slots, by bucket: small where slots come in runs, never larger than a bit for each slot of a bucket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

BUCKET = 2**20
_BITMAP_BYTES = BUCKET // 8


def split(slots: NDArray[np.int64]) -> Iterator[tuple[int, bytes]]:
    """Sorted slots, each once, as pairs of a bucket and the set of slots in it."""
    buckets = slots // BUCKET
    starts = np.flatnonzero(np.diff(buckets, prepend=-1))
    for part in np.split(slots, starts[1:]) if len(slots) else ():
        bucket = int(part[0]) // BUCKET
        yield bucket, _written(part - bucket * BUCKET)


def twice(sets: Iterable[bytes]) -> bytes:
    """Those that are in more than one of several sets of one bucket."""
    seen, again = np.zeros(BUCKET, dtype=bool), np.zeros(BUCKET, dtype=bool)
    for data in sets:
        here = _offsets(data)
        again[here] |= seen[here]
        seen[here] = True
    return _written(np.flatnonzero(again))


class Chosen:
    """Whether slots are in a set that is given by buckets."""

    def __init__(self, sets: dict[int, bytes]) -> None:
        self._sets = sets
        self._open: dict[int, NDArray[np.bool_]] = {}

    def __call__(self, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
        buckets = slots // BUCKET
        found = np.zeros(len(slots), dtype=bool)
        for bucket in np.unique(buckets).tolist():
            if bucket in self._sets:
                if bucket not in self._open:
                    self._open[bucket] = np.zeros(BUCKET, dtype=bool)
                    self._open[bucket][_offsets(self._sets[bucket])] = True
                here = np.flatnonzero(buckets == bucket)
                found[here] = self._open[bucket][slots[here] - bucket * BUCKET]
        return found


def _written(offsets: NDArray[np.int64]) -> bytes:
    """First and last of every run, or one bit a slot where that is shorter."""
    if not len(offsets):
        return b""
    breaks = np.flatnonzero(np.diff(offsets) != 1)
    if 8 * (len(breaks) + 1) < _BITMAP_BYTES:
        first = offsets[np.concatenate(([0], breaks + 1))]
        last = offsets[np.concatenate((breaks, [len(offsets) - 1]))]
        return np.stack((first, last), axis=1).astype("<u4").tobytes()
    flags = np.zeros(BUCKET, dtype=bool)
    flags[offsets] = True
    return np.packbits(flags).tobytes()


def _offsets(data: bytes) -> NDArray[np.int64]:
    if len(data) == _BITMAP_BYTES:
        return np.flatnonzero(np.unpackbits(np.frombuffer(data, dtype=np.uint8)))
    first, last = np.frombuffer(data, dtype="<u4").reshape(-1, 2).astype(np.int64).T
    lengths = last - first + 1
    return np.asarray(np.arange(lengths.sum()) + np.repeat(first - np.cumsum(lengths) + lengths, lengths))
