"""Which slot the next user gets. It depends on the manifest and on how many came before, never on data."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Rules

MAX_SEATS = 2**25
"""So many slots are dealt ahead by one collector."""


@lru_cache(maxsize=8)
def dealt_ahead(rules: Rules) -> NDArray[np.int64]:
    """All slots in the order in which they are given away: a public permutation.

    Slots are sorted by how far along their wave they stand, so that any number of users is spread over the waves in
    proportion to their sizes, and inside a wave fills neighbouring slots, which are in different groups.
    """
    parts = [(np.arange(wave.count) + 0.5) / wave.count for wave in rules.waves]
    number = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.lexsort((number, np.concatenate(parts))).astype(np.int64)
