"""Scripts of words: a tape that gives them once each, and words aimed at the thresholds of a channel.

A word is aimed just below a threshold, at it, a power of two beside it, or anywhere on one side. So a comparison that
is off by one, cuts words or thresholds to fewer bits, reads them as signed numbers or as floats goes astray on some.
Scripts are drawn from fixed seeds: nothing that is decided with them has chance in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

_ALL = 2**64


class TapeEnded(RuntimeError):  # noqa: N818 - says what happened
    """More words were drawn than the script has."""


class Tape:
    """Entropy that gives the words of a script, each once, and no others."""

    def __init__(self, script: Sequence[int]) -> None:
        self._script = np.array(script, dtype=np.uint64)
        self.used = 0

    @property
    def left(self) -> int:
        return len(self._script) - self.used

    def words(self, count: int) -> NDArray[np.uint64]:
        if count > self.left:
            raise TapeEnded("more words are drawn than the law needs")
        self.used += count
        return self._script[self.used - count : self.used].copy()

    def read(self, count: int) -> list[int]:
        """The same as plain integers."""
        return [int(word) for word in self.words(count)]


class Recorder:
    """Entropy from a seed that remembers what it gave."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self.given: list[int] = []

    def words(self, count: int) -> NDArray[np.uint64]:
        words = self._generator.integers(0, _ALL, size=count, dtype=np.uint64)
        self.given += words.tolist()
        return words


class Marksman:
    """Words beside thresholds."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._stock: Iterator[tuple[int, int, int]] = iter(())

    def beside(self, limit: int, *, below: bool) -> int:
        """A word below `limit`, or one that is not; whichever there is when there is only one kind."""
        below = (below or limit >= _ALL) and limit > 0
        kind, power, anywhere = self._next()
        room = limit if below else _ALL - limit
        away = (0, 0, min(2**power, room - 1), anywhere % room)[kind]
        return limit - 1 - away if below else limit + away

    def toss(self) -> bool:
        return self._next()[2] % 2 == 1

    def number(self, limit: int) -> int:
        """Any number below `limit`."""
        return self._next()[2] % limit

    def _next(self) -> tuple[int, int, int]:
        for found in self._stock:
            return found
        kinds, powers = self._generator.integers(0, 4, 1024).tolist(), self._generator.integers(0, 64, 1024).tolist()
        spread = self._generator.integers(0, _ALL, size=1024, dtype=np.uint64).tolist()
        self._stock = iter(list(zip(kinds, powers, spread, strict=True)))
        return next(self._stock)


def aimed(channel: Channel, inputs: Sequence[int], marksman: Marksman) -> list[int]:
    """A script for these inputs, in the order in which a sampler reads it."""
    match channel:
        case Table():
            return _table(channel, inputs, marksman)
        case Unary():
            places = range(len(inputs) * channel.items)
            return [marksman.beside(channel.threshold, below=marksman.toss()) for _ in places]
        case Subset():
            script: list[int] = []
            for place in range(channel.size):
                script += _indices(channel.items - 1 - place, len(inputs), marksman)
            return script + [marksman.beside(channel.threshold, below=marksman.toss()) for _ in inputs]
        case Laplace():
            return _laplace(channel, len(inputs), marksman)


def _table(channel: Table, inputs: Sequence[int], marksman: Marksman) -> list[int]:
    sums = [list(accumulate(row))[:-1] for row in channel.rows]
    between, within = [], []
    for value in inputs:
        node, fraction = divmod(value, 2**32)
        word = marksman.beside(fraction * 2**32, below=marksman.toss())
        limits = sums[node + (word < fraction * 2**32)]
        between.append(word)
        within.append(marksman.beside(limits[marksman.number(len(limits))], below=marksman.toss()))
    return between + within


def _indices(limit: int, count: int, marksman: Marksman) -> list[int]:
    """Some of them in the incomplete last block, so that they are drawn again."""
    ceiling, script = _ALL - _ALL % limit, list[int]()
    while count:
        words = [marksman.beside(ceiling, below=marksman.number(3) > 0) for _ in range(count)]
        script += words
        count = sum(word >= ceiling for word in words)
    return script


def _laplace(channel: Laplace, count: int, marksman: Marksman) -> list[int]:
    """Every digit stands alone at least once when there are as many users as digits."""
    pairs = [_pair(channel, user, marksman) for user in range(count)]
    script = []
    for side in range(2):
        for place, digit in enumerate(channel.digits):
            words = [_wide(digit, bool(pair[side] >> place & 1), marksman) for pair in pairs]
            script += [upper for upper, _ in words] + [lower for _, lower in words]
    return script


def _pair(channel: Laplace, user: int, marksman: Marksman) -> tuple[int, int]:
    """G₁ and G₂ whose difference is not clamped, mostly: so that every digit can be seen in the report."""
    places = len(channel.digits)
    kind, place = user // places % 4, (user + marksman.number(places) * (user < 4)) % places
    if kind < 2:
        one = 2**place
        other = one - min(one, 1 + marksman.number(channel.bound))
    else:
        one = marksman.number(2**places)
        other = one - min(one, marksman.number(channel.bound)) if kind == 2 else marksman.number(2**places)
    return (one, other) if marksman.toss() else (other, one)


def _wide(digit: int, one: bool, marksman: Marksman) -> tuple[int, int]:
    """Two words that are, as one of 128 bits, below `digit` or not; often it is the lower word that decides."""
    upper, lower = divmod(digit, _ALL)
    if marksman.toss() and (lower > 0 or not one):
        return upper, marksman.beside(lower, below=one)
    if one and upper == 0:
        return 0, marksman.beside(lower, below=True)
    return marksman.beside(upper if one else upper + 1, below=one), marksman.beside(_ALL // 2, below=marksman.toss())
