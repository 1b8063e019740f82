"""Which slot the next user gets. It depends on the manifest and on how many came before, never on data."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Rules, Slots

MAX_SEATS = 2**24
"""So many slots are dealt ahead by one collector."""


@lru_cache(maxsize=8)
def order_ahead(rules: Rules) -> NDArray[np.int32]:
    """All slots in the order in which they are given away: a public permutation.

    Slots are sorted by how far along their wave they stand, so that any number of users is spread over the waves in
    proportion to their sizes, and inside a wave fills neighbouring slots, which are in different groups. Whoever sees a
    slot can tell how many had enrolled before.
    """
    parts = [(np.arange(wave.count) + 0.5) / wave.count for wave in rules.waves]
    number = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return np.lexsort((number, np.concatenate(parts))).astype(np.int32)


@lru_cache(maxsize=8)
def order_on_arrival(slots: Slots, seed: bytes) -> NDArray[np.int32]:
    """The slots of a round in an order that only the collector can tell: a slot does not say who came when.

    Sorted by words that follow from the round's seed, so that every worker, and one that starts again, finds the same.
    The seed is forgotten when the round closes; from then on nobody can tell.
    """
    words = np.frombuffer(hashlib.shake_256(seed).digest(8 * slots.count), dtype="<u8")
    return (slots.first + np.argsort(words, kind="stable")).astype(np.int32)
