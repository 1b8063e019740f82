"""Whether the numbers of a question lie far enough apart to be told from each other by ten digits.

A manifest fixes numbers that are not whole to so many (see `ways`). Far from zero that can be coarser than a range is
wide, or a bin: another place would have the same digest. No device answers a question like that, and no survey is
announced with one: observations are then given less a constant. A device in another language compares the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, pairwise
from typing import Any

from sottovoce.messages.errors import Malformed

WIDTH = 2.0**-20
"""A range is wide at least this part of its larger end: ten digits are then a thousandth of it, or finer."""
STEP = 2.0**-24
"""The same for a bin, and for neighbouring thresholds, of which ten digits are then a fiftieth, or finer."""

Pair = tuple[float, float, float]
"""Two numbers, and the part of the larger one that they are apart at least."""


def too_close(plain: Any) -> Malformed | None:
    """What cannot be told apart; None where all can. `plain` is what a question fixes, as it is written."""
    if not isinstance(plain, dict):
        return None
    for left, right, least in _pairs(plain):
        if right - left < least * max(abs(left), abs(right)):
            pair = f"{left!r} and {right!r}"
            return Malformed(f"{pair} cannot be told apart by ten digits; ask for observations less a constant")
    return next(filter(None, map(too_close, plain.values())), None)


def _pairs(plain: dict[str, Any]) -> Iterator[Pair]:
    """What must be told apart; two whole numbers can be, always."""
    if "low" in plain and "high" in plain:
        least = max(WIDTH, STEP * plain.get("count", 1))
        for low, high in zip(_listed(plain["low"]), _listed(plain["high"]), strict=True):
            yield from _unless_whole(low, high, least)
    for name in ("edges", "thresholds", "centres"):
        columns = [*zip(*map(_listed, plain.get(name, ())), strict=True)]
        for column in columns:
            if len(columns) > 1:  # of points in space no two are neighbours: they lie somewhere in a box
                yield from _unless_whole(min(column), max(column), WIDTH if min(column) < max(column) else 0.0)
            else:
                for left, right in pairwise(sorted(set(column))):
                    yield from _unless_whole(left, right, STEP)
    for middle, half in (("centre", "radius"), ("middle", "half")):
        if middle in plain and half in plain:
            places, widths = _listed(plain[middle]), _listed(plain[half])
            turns = range(max(len(places), len(widths)))
            for _, at, width in zip(turns, cycle(places), cycle(widths), strict=False):
                yield at - width, at + width, 0.0 if float(at).is_integer() else WIDTH


def _unless_whole(left: float, right: float, least: float) -> Iterator[Pair]:
    if not (float(left).is_integer() and float(right).is_integer()):
        yield left, right, least


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
