"""The tree layer: every path of the shipped sampler, driven by words that remember what they were compared with.

`explore` runs a program again and again. It hands out `Word`s in place of uniform 64-bit words; a word has a value for
this run and narrows its own range to the values for which every comparison (or remainder) so far comes out the same.
All words in these ranges take the same path, so the path has the product of their sizes as its exact probability. What
is left of the space is run next, until nothing is left. Nothing is assumed of the program except that it reads
words by comparing them or by a remainder; anything else raises `Untraceable`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np

from sottovoce.audit.lanes import Words

_ALL = 2**64
_NEGLECT = Fraction(1, 2**600)
"""Regions lighter than this are not entered: a uniform index that is redrawn ten times over."""

Outcome = TypeVar("Outcome", bound=Hashable)


class Untraceable(TypeError):  # noqa: N818 - a word is untraceable
    """The program read a word in a way that has no exact account here."""


class TooManyPaths(RuntimeError):  # noqa: N818 - says what there was
    """The tree is larger than was allowed."""


@dataclass(frozen=True, slots=True)
class Range:
    """Words ``low ≤ w < high`` with ``w ≡ rest (mod modulus)``."""

    low: int = 0
    high: int = _ALL
    modulus: int = 1
    rest: int = 0

    @property
    def first(self) -> int:
        return self.low + (self.rest - self.low) % self.modulus

    @property
    def size(self) -> int:
        return max(0, -(-(self.high - self.first) // self.modulus))

    def without(self, part: Range) -> list[Range]:
        """What is left when a part of this range is taken away."""
        pieces = [
            Range(self.low, part.low, self.modulus, self.rest),
            Range(part.high, self.high, self.modulus, self.rest),
        ]
        if part.modulus != self.modulus:
            others = (rest for rest in range(part.modulus) if rest != part.rest)
            pieces += [Range(part.low, part.high, part.modulus, rest) for rest in others]
        return [piece for piece in pieces if piece.size > 0]


Cells = tuple[Range, ...]


class Word:
    """A uniform word of one run, and the range of words for which the run would have been the same."""

    __slots__ = ("range", "value")

    def __init__(self, region: Range) -> None:
        self.range = region
        self.value = region.first

    def _cut(self, limit: int) -> bool:
        """Whether the value lies below `limit`; the range keeps only words that agree."""
        low, high = self.range.low, self.range.high
        below = self.value < limit
        bounds = (low, min(high, limit)) if below else (max(low, limit), high)
        self.range = Range(*bounds, self.range.modulus, self.range.rest)
        return below

    def __lt__(self, other: Any) -> bool:
        return self._cut(int(other))

    def __ge__(self, other: Any) -> bool:
        return not self._cut(int(other))

    def __le__(self, other: Any) -> bool:
        return self._cut(int(other) + 1)

    def __gt__(self, other: Any) -> bool:
        return not self._cut(int(other) + 1)

    def __eq__(self, other: object) -> bool:
        return not self._cut(int(other)) and self._cut(int(other) + 1)  # type: ignore[call-overload]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __mod__(self, other: Any) -> int:
        modulus = int(other)
        if self.range.modulus not in (1, modulus):
            raise Untraceable("two different remainders of one word")
        self.range = Range(self.range.low, self.range.high, modulus, self.value % modulus)
        return self.value % modulus

    def __hash__(self) -> int:
        raise Untraceable("a word was hashed")

    def _refuse(self, *_: Any) -> NoReturn:
        raise Untraceable("a word was read other than by a comparison or a remainder")

    __index__ = __int__ = __float__ = __bool__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __rand__ = __or__ = __ror__ = _refuse
    __xor__ = __rxor__ = __rshift__ = __lshift__ = __floordiv__ = __truediv__ = _refuse


class Script:
    """Entropy that hands out words: the first ones from `regions`, then any."""

    def __init__(self, regions: tuple[Range, ...]) -> None:
        self._regions = regions
        self.drawn: list[Word] = []

    def words(self, count: int) -> Words:
        made = np.empty(count, dtype=object)
        for place in range(count):
            used = len(self.drawn)
            word = Word(self._regions[used] if used < len(self._regions) else Range())
            self.drawn.append(word)
            made[place] = word
        return made


@dataclass(frozen=True, kw_only=True)
class Tree(Generic[Outcome]):
    """The exact law of a program's outcome. `missing` is the weight of paths that were not entered."""

    law: dict[Outcome, Fraction]
    paths: int
    missing: Fraction


def explore(program: Callable[[Script], Outcome], *, limit: int) -> Tree[Outcome]:
    """Run `program` along every path, at most `limit` of them."""
    law: dict[Outcome, Fraction] = {}
    paths, entered = 0, Fraction(0)
    for outcome, cells in walk(program, limit=limit):
        share = weight(cells)
        law[outcome] = law.get(outcome, Fraction(0)) + share
        paths, entered = paths + 1, entered + share
    return Tree(law=law, paths=paths, missing=1 - entered)


def walk(program: Callable[[Script], Outcome], *, limit: int) -> Iterator[tuple[Outcome, Cells]]:
    """Every path's outcome, and the ranges of words that take it; together they are all words but a neglected rest."""
    todo: list[Cells] = [()]
    paths = 0
    while todo:
        region = todo.pop()
        if weight(region) < _NEGLECT:
            continue
        paths += 1
        if paths > limit:
            raise TooManyPaths(f"more than {limit} paths")
        script = Script(region)
        outcome = program(script)
        cells = tuple(word.range for word in script.drawn)
        yield outcome, cells
        for place, cell in enumerate(cells):
            whole = region[place] if place < len(region) else Range()
            todo += [(*cells[:place], piece, *region[place + 1 :]) for piece in whole.without(cell)]


def weight(cells: Cells) -> Fraction:
    """The share of all scripts that lie in these ranges."""
    ways, scale = 1, 0
    for cell in cells:
        if cell.size != _ALL:
            ways, scale = ways * cell.size, scale + 64
    return Fraction(ways, 1 << scale)
