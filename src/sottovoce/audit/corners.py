"""The tree layer for a program whose words cannot be followed: another language, over pipes.

The tree of the device that ships cuts all scripts into boxes, a range for each word, on which its answer is one and the
same; the weights of the boxes are the declared law, exactly. The other program is tried on each box: with every word at
the first and at the last place of its range, alone and together, and inside. A range ends where a threshold is, so that
each threshold is met from both sides, next to it. Where the answer is the same at all of these, the box is counted for
it with its exact weight. So a law is recovered, as fractions, from answers alone. What is taken for granted: between
two words that give the same answer on either end of a range, and on some inside, no word gives another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from random import Random

import numpy as np

from sottovoce.audit.kinds import Symbol
from sottovoce.audit.path import SHIPPED, Path
from sottovoce.audit.tree import Cells, Range, Script, walk, weight
from sottovoce.messages import Channel

MIXED: Symbol = (-1,)
"""Stands for boxes in which several answers were given, or none."""
_ALL_CORNERS = 5
"""Up to so many words every corner is tried; of more, each word's ends among others that lie anywhere."""
_INSIDE = 3
_DEEPEST = Fraction(1, 2**120)
"""Boxes lighter than this (index words redrawn twice over) are tried at two corners and counted as they are."""


@dataclass(frozen=True, kw_only=True)
class _Boxes:
    """What the tree cuts scripts into: the weight of each box, scripts that lie in them, and in which each of them."""

    weights: tuple[Fraction, ...]
    scripts: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]


def recovered(path: Path, channel: Channel, inputs: list[int], *, limit: int) -> tuple[dict[Symbol, Fraction], int]:
    """The law of another program's answers at these inputs, box by box, and how many scripts were tried."""
    boxes = _boxes(channel, tuple(inputs), limit)
    answers: list[set[Symbol | None]] = [set() for _ in boxes.weights]
    for place, answer in zip(boxes.owners, path.on_scripts(channel, inputs, boxes.scripts), strict=True):
        answers[place].add(answer)
    law: dict[Symbol, Fraction] = {}
    for given, share in zip(answers, boxes.weights, strict=True):
        (one,) = given if len(given) == 1 else (None,)
        symbol = MIXED if one is None else one
        law[symbol] = law.get(symbol, Fraction(0)) + share
    return law, len(boxes.scripts)


@lru_cache(maxsize=64)
def _boxes(channel: Channel, inputs: tuple[int, ...], limit: int) -> _Boxes:
    """Walked once, for every program that is tried on them."""
    found = list(walk(partial(_shipped, channel, list(inputs)), limit=limit))
    stream = Random(len(found))  # noqa: S311 - scripts that are tried: the same for everybody
    tried = [_tried(cells, stream) for _, cells in found]
    return _Boxes(
        weights=tuple(weight(cells) for _, cells in found),
        scripts=tuple(script for some in tried for script in some),
        owners=tuple(place for place, some in enumerate(tried) for _ in some),
    )


def _shipped(channel: Channel, inputs: list[int], script: Script) -> Symbol:
    return tuple(int(part) for part in SHIPPED.symbols(channel, np.array(inputs, dtype=np.int64), script).ravel())


def _tried(cells: Cells, stream: Random) -> list[tuple[int, ...]]:
    """Scripts in a box: its corners, and some inside."""
    first, last = tuple(cell.first for cell in cells), tuple(map(_last, cells))
    if weight(cells) < _DEEPEST:
        return [first, last]
    inside = [tuple(_anywhere(cell, stream) for cell in cells) for _ in range(_INSIDE)]
    if len(cells) <= _ALL_CORNERS:
        ends = list(zip(first, last, strict=True))
        return [*inside, *(_picked(ends, which) for which in range(2 ** len(cells)))]
    scripts = [first, last, *inside]
    for place in range(len(cells)):
        for end in (first[place], last[place]):
            others = tuple(_anywhere(cell, stream) for cell in cells)
            scripts.append((*others[:place], end, *others[place + 1 :]))
    return scripts


def _picked(ends: Sequence[tuple[int, int]], which: int) -> tuple[int, ...]:
    return tuple(pair[which >> place & 1] for place, pair in enumerate(ends))


def _last(cell: Range) -> int:
    return cell.first + (cell.size - 1) * cell.modulus


def _anywhere(cell: Range, stream: Random) -> int:
    return cell.first + stream.getrandbits(80) % cell.size * cell.modulus
