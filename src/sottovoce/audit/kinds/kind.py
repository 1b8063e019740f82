"""What the audit derives by itself of every kind of channel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit.marksman import Marksman
from sottovoce.messages import log_above

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Read = Callable[[int], list[int]]
"""``read(n)`` gives the next n words of a script."""
Symbol = tuple[int, ...]


class Kind(ABC):
    """A channel, read a second time: from its integers, in plain arithmetic, one file a kind.

    Neither the device nor anything that a channel says of itself is called here, its `epsilon_bound` least of all: a
    mistake there must not hide itself.
    """

    independent: ClassVar[bool] = False
    """Whether the bits of noise of one report are independent of one another, so that pairs of them can be tested."""

    @abstractmethod
    def law(self, value: int) -> Iterator[tuple[Symbol, Fraction]]:
        """Every symbol with its chance at one input. For small channels."""

    def cost(self) -> Fraction:
        """A proven upper bound on ε of one use, from the law alone."""
        found = self.ratio()
        assert found is not None, "a kind without a ratio has a bound of its own"
        worst, times = found
        return times * log_above(worst) if times else Fraction(0)

    def ratio(self) -> tuple[Fraction, int] | None:
        """The largest likelihood ratio, as a factor and how often it counts; None where a bound stands for it."""
        return None

    def attained(self) -> Fraction | None:
        """A likelihood ratio of the very law, as ε rounded down; None where `cost` is the largest ratio itself."""
        return None

    @abstractmethod
    def paths(self) -> int:
        """Roughly how many paths one use takes through its sampler."""

    @abstractmethod
    def distance(self, value: int, symbol: Integers) -> float:
        """How far a symbol is from what it would be without noise."""

    @abstractmethod
    def noise_bits(self, value: int, symbols: Integers) -> tuple[Floats, Floats]:
        """Bits of noise ``(n, k)`` of symbols ``(n, width)``, and the chance of each to be one."""

    def numbers(self, symbols: Integers) -> Floats:
        """Symbols ``(n, uses, width)``, valid or not, as one row of numbers a report."""
        return symbols.reshape(len(symbols), -1).astype(np.float64)

    @abstractmethod
    def symbols(self, inputs: Sequence[int], read: Read) -> list[Symbol]:
        """The sampler again: what these inputs must give, words being read in the order of the device."""

    @abstractmethod
    def aimed(self, inputs: Sequence[int], marksman: Marksman) -> list[int]:
        """A script for these inputs whose words lie beside the thresholds, in the order in which it is read."""
