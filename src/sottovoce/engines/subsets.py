"""Counts of the items that reports of a subset channel hold, drawn from their law."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Subset

Integers = NDArray[np.int64]
BLOCK_CELLS = 2**22
FEW_ITEMS = 512


def draw_subsets(channel: Subset, inputs: Integers, stream: np.random.Generator) -> Integers:
    """Own items kept or not, item by item; the other items of one report depend on each other."""
    held = np.bincount(inputs, minlength=channel.items)
    own, other = channel.inclusion
    if channel.size == 1 and channel.items <= FEW_ITEMS:
        law = np.full((channel.items, channel.items), other)
        np.fill_diagonal(law, own)
        return np.asarray(stream.multinomial(held, law / law.sum(axis=1, keepdims=True)).sum(axis=0))
    kept = stream.binomial(held, own)
    counts = kept + _others(channel.items, channel.size - 1, kept, stream)
    return np.asarray(counts + _others(channel.items, channel.size, held - kept, stream))


def _others(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """Counts of `size` items besides the own one; by user where that is little work, else by item."""
    if items > FEW_ITEMS and size * int(held.sum()) > BLOCK_CELLS:
        return by_item(items, size, held, stream)
    return by_user(items, size, held, stream)


def by_user(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """Drawn by Floyd's sampling for all users of a block at once.

    The k-th step draws among the first ``items − size + k`` of the others, and takes the last of these when the drawn
    one was taken before. Nothing is sorted, so that every machine draws the same.
    """
    counts = np.zeros(items, dtype=np.int64)
    everybody = np.repeat(np.arange(items), held)
    block = max(1, BLOCK_CELLS // items)
    for first in range(0, len(everybody), block):
        own = everybody[first : first + block]
        start = np.arange(len(own)) * (items - 1)
        taken = np.zeros(len(own) * (items - 1), dtype=np.bool_)
        for last in range(items - 1 - size, items - 1):
            drawn = stream.integers(0, last + 1, size=len(own))
            drawn = np.where(taken[start + drawn], last, drawn)
            taken[start + drawn] = True
            counts += np.bincount(drawn + (drawn >= own), minlength=items)
    return counts


def by_item(items: int, size: int, held: Integers, stream: np.random.Generator) -> Integers:
    """The same law, item after item: work does not grow with the number of users.

    A user who has r items left to draw draws the next one with chance r over the others that are left, so only how many
    users have how many left needs to be known: apart for users whose own item is still to come, who have one fewer to
    choose from, and for those whose own item is behind. Before their own item all users are alike, so those who hold
    the next item are a random part of the first kind.
    """
    counts = np.zeros(items, dtype=np.int64)
    coming, behind = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    coming[size] = held.sum()
    low = high = size
    for item in range(items):
        rest, left = items - item, np.arange(low, high + 1)
        before, after = coming[low : high + 1].copy(), behind[low : high + 1].copy()
        own = np.zeros_like(before)
        if held[item]:
            own = stream.multivariate_hypergeometric(before, held[item], method="marginals")
        before -= own
        first = stream.binomial(before, np.minimum(1.0, left / max(1, rest - 1)))
        second = stream.binomial(after, left / rest)
        counts[item] = first.sum() + second.sum()
        coming[low : high + 1], behind[low : high + 1] = before - first, after - second + own
        some = max(low, 1)  # who has none left draws none
        coming[some - 1 : high] += first[some - low :]
        behind[some - 1 : high] += second[some - low :]
        low = max(0, low - 1)
        there = np.flatnonzero(coming[low : high + 1] + behind[low : high + 1])
        if not len(there):
            break
        low, high = low + int(there[0]), low + int(there[-1])
    return counts
