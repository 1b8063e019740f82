"""Scripts of words: a tape that gives them once each, and words aimed at the thresholds of a channel.

Scripts are drawn from fixed seeds: nothing that is decided with them has chance in it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sottovoce.audit.kinds import derivation
from sottovoce.audit.lanes import Words
from sottovoce.audit.marksman import Marksman
from sottovoce.messages import Channel


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

    def words(self, count: int) -> Words:
        if count > self.left:
            raise TapeEnded("more words are drawn than the law needs")
        self.used += count
        return self._script[self.used - count : self.used].copy()

    def rest(self) -> bytes:
        """The words that are left, lowest byte first."""
        return self._script[self.used :].astype("<u8").tobytes()

    def read(self, count: int) -> list[int]:
        """The same as plain integers."""
        return [int(word) for word in self.words(count)]


class Recorder:
    """Entropy from a seed that remembers what it gave."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self.given: list[int] = []

    def words(self, count: int) -> Words:
        words = self._generator.integers(0, 2**64, size=count, dtype=np.uint64)
        self.given += words.tolist()
        return words


def aimed(channel: Channel, inputs: Sequence[int], marksman: Marksman) -> list[int]:
    """A script for these inputs, in the order in which a sampler reads it."""
    return derivation(channel).aimed(inputs, marksman)
