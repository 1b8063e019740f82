"""From rows in any order to collections: users in the order in which they first appear, rows in theirs."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Block = tuple[Integers, Floats]
"""Some rows: the numbers of their users, and their observations."""


def gathered(blocks: Iterable[Block], *, count: int = 0) -> Collections:
    """The rows of each user from blocks of numbers of users and observations: see `grouped`."""
    users, values = zip(*blocks, strict=True)
    return grouped(np.concatenate(users), np.concatenate(values), count=count)


def grouped(users: Integers, values: Floats, *, count: int = 0) -> Collections:
    """Gather the rows of each user; `users` numbers them 0, 1, 2… without a gap, or with gaps where `count` is told."""
    sizes = np.bincount(users, minlength=count)
    order = by_user(users, len(sizes))
    return Collections(values if order is None else values[order], np.concatenate(([0], np.cumsum(sizes))))


def by_user(users: Integers, count: int) -> Integers | None:
    """The rows of user 0 in their order, then those of user 1, and so on; None where they lie so already.

    Counted, 16 bits at a time (numpy sorts such numbers by radix), and not compared: `users` are below `count`.
    """
    if not np.any(users[1:] < users[:-1]):
        return None
    order = np.argsort(users.astype(np.uint16), kind="stable")
    for bits in range(16, int(count).bit_length(), 16):
        order = order[np.argsort((users >> bits).astype(np.uint16)[order], kind="stable")]
    return order
