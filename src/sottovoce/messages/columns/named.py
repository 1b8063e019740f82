"""Rows that were set aside, by their reasons, and where the first of them stand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages.aside import MOST_PLACES, SetAside
from sottovoce.messages.packed import REASONS


def named(found: NDArray[np.uint8], where: Callable[[int], str]) -> SetAside:
    """From a number for every row (see `REASONS`); `where` says where a row of these stands."""
    if not found.any():
        return SetAside()
    counts: dict[str, int] = {}
    places: dict[str, tuple[str, ...]] = {}
    for code in np.flatnonzero(np.bincount(found))[0 if found.all() else 1 :].tolist():
        rows = np.flatnonzero(found == code)
        counts[REASONS[code]] = len(rows)
        places[REASONS[code]] = tuple(where(row) for row in rows[:MOST_PLACES].tolist())
    return SetAside(counts=counts, places=places)
