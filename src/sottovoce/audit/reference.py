"""The samplers again, from plain integers: what given words must give.

Nothing here calls the device. Words are read in the order in which the device reads them, which is part of what is
checked: a word that is left out, used twice, or cut to fewer bits gives another symbol than this.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

Read = Callable[[int], list[int]]
Symbol = tuple[int, ...]


def symbols(channel: Channel, inputs: Sequence[int], read: Read) -> list[Symbol]:
    """The symbols of these inputs when ``read(n)`` gives the next n words."""
    match channel:
        case Table():
            return _table(channel, inputs, read)
        case Subset():
            return _subset(channel, inputs, read)
        case Unary():
            return _unary(channel, inputs, read)
        case Laplace():
            return _laplace(channel, inputs, read)


def _table(channel: Table, inputs: Sequence[int], read: Read) -> list[Symbol]:
    between, within = read(len(inputs)), read(len(inputs))
    sums = [list(accumulate(row))[:-1] for row in channel.rows]
    found: list[Symbol] = []
    for value, first, second in zip(inputs, between, within, strict=True):
        node, fraction = divmod(value, 2**32)
        node += first < fraction * 2**32
        found.append((bisect_right(sums[node], second),))
    return found


def _subset(channel: Subset, inputs: Sequence[int], read: Read) -> list[Symbol]:
    decks = [[item for item in range(channel.items) if item != value] for value in inputs]
    for place in range(channel.size):
        for deck, chosen in zip(decks, below(channel.items - 1 - place, len(inputs), read), strict=True):
            deck[place], deck[place + chosen] = deck[place + chosen], deck[place]
    own = [word < channel.threshold for word in read(len(inputs))]
    return [
        tuple(sorted((*deck[: channel.size - 1], value if included else deck[channel.size - 1])))
        for deck, value, included in zip(decks, inputs, own, strict=True)
    ]


def below(limit: int, count: int, read: Read) -> list[int]:
    """Indices below `limit`: words of the last incomplete block are read again, in order."""
    words = read(count)
    while again := [place for place, word in enumerate(words) if word >= 2**64 - 2**64 % limit]:
        for place, word in zip(again, read(len(again)), strict=True):
            words[place] = word
    return [word % limit for word in words]


def _unary(channel: Unary, inputs: Sequence[int], read: Read) -> list[Symbol]:
    found = []
    for value in inputs:
        hot = (abs(place - value) <= channel.reach for place in range(channel.items))
        kept = (word < channel.threshold for word in read(channel.items))
        found.append(tuple(int(lit == same) for lit, same in zip(hot, kept, strict=True)))
    return found


def _laplace(channel: Laplace, inputs: Sequence[int], read: Read) -> list[Symbol]:
    up, down = (_geometric(channel, len(inputs), read) for _ in range(2))
    low, high = -channel.bound, channel.steps + channel.bound
    return [(min(max(value + more - less, low), high),) for value, more, less in zip(inputs, up, down, strict=True)]


def _geometric(channel: Laplace, count: int, read: Read) -> list[int]:
    totals = [0] * count
    for place, digit in enumerate(channel.digits):
        upper, lower = read(count), read(count)
        for one in range(count):
            totals[one] += (upper[one] * 2**64 + lower[one] < digit) * 2**place
    return totals
