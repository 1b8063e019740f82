"""From rows in any order to collections: users in the order in which they first appear, rows in theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections


class Numbering:
    """Numbers user ids 0, 1, 2… as they first appear, over as many calls as it takes."""

    def __init__(self) -> None:
        self._numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)

    def of(self, ids: Collection[Hashable]) -> NDArray[np.int64]:
        """The number of each."""
        return np.fromiter(map(self._numbers.__getitem__, ids), dtype=np.int64, count=len(ids))


def first_seen(ids: NDArray[Any]) -> NDArray[np.int64]:
    """The same numbering for an array of ids that sort, without a Python loop."""
    if ids.dtype.kind in "iu" and int(ids.max()) - int(ids.min()) < 4 * len(ids):  # close together: no need to sort
        wide = ids.astype(np.int64)
        slots = wide - wide[np.argmin(ids)]  # right modulo 2^64, and small
        first = np.full(int(slots.max()) + 1, len(ids))
        first[slots[::-1]] = np.arange(len(ids))[::-1]  # of equal slots the last assignment stays: the first row
    else:
        _, first, slots = np.unique(ids, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    numbers: NDArray[np.int64] = rank[slots]
    return numbers


def grouped(users: NDArray[np.int64], values: NDArray[np.float64]) -> Collections:
    """Gather the rows of each user; `users` numbers them 0, 1, 2… without a gap."""
    sizes = np.bincount(users)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    if np.any(users[1:] < users[:-1]):
        small = users.astype(np.uint16) if len(sizes) <= 1 << 16 else users  # 16 bits are sorted by radix
        values = values[np.argsort(small, kind="stable")]
    return Collections(values, offsets)
