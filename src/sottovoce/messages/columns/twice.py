"""The rule for a slot that appears more than once: the same report counts once, different ones not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.packed import COPY, DIFFERENT


def repeated(slots: NDArray[Any]) -> NDArray[np.bool_]:
    """Which rows share their slot with another row of these."""
    if len(slots) < 2 or bool((slots[1:] > slots[:-1]).all()):  # in the order of slots, as they are written
        return np.zeros(len(slots), dtype=np.bool_)
    _, place, counts = np.unique(slots, return_inverse=True, return_counts=True)
    return np.asarray(counts[place] > 1)


def ruled(slots: NDArray[Any], payloads: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """For valid rows, all of the slots that they are of: 0 for a row that counts, else a place in `REASONS`.

    Of rows of one slot with the same payload the first counts, the others are copies. If any two of them differ, none
    counts. Rows are in the order in which they stand: what is counted does not depend on it, only which is the copy.
    """
    found = np.zeros(len(slots), dtype=np.uint8)
    rows = np.flatnonzero(repeated(slots))
    if not len(rows):
        return found
    rows = rows[np.argsort(slots[rows], kind="stable")]
    fresh = np.concatenate(([True], slots[rows[1:]] != slots[rows[:-1]]))  # the first row of each slot
    first = np.flatnonzero(fresh)[np.cumsum(fresh) - 1]
    differs = (payloads[rows] != payloads[rows[first]]).any(axis=1)
    torn = np.logical_or.reduceat(differs, np.flatnonzero(fresh))[np.cumsum(fresh) - 1]
    found[rows] = np.where(torn, DIFFERENT, np.where(fresh, 0, COPY))
    return found
