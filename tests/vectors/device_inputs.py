"""What the vectors of devices are made of: collections, scripts of entropy, and a question for everything there is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from sottovoce import design
from sottovoce import messages as ms
from sottovoce.messages import canonical
from sottovoce.messages.public_randomness import public_words
from tests.vectors.tables import piecewise

ONES, HALF = 2**64 - 1, 2**63
SCRIPTS: tuple[tuple[int, ...], ...] = (
    (),
    (0, 0, 0),
    (ONES,),
    (ONES, ONES, 5, ONES),
    (HALF, HALF - 1, ONES),
    (0, ONES, 0, ONES, 0, ONES, 0, ONES),
)
"""The first words of a scripted device; those that follow are public. The largest word is one that no index takes."""
RANGES = ((0, 1000), (10, 3), (2**32 - 2, 6), (2**40 - 7, 7))
"""First slots, and how many: the last one that there can be is among them."""
COUNTS = (2, 5, 8, 65)
PAIRS = (
    ("position", "table"), ("position", "laplace"),
    ("grid", "table"), ("grid", "subset"), ("grid", "unary"),
    ("bins", "table"), ("bins", "subset"), ("bins", "unary"),
)  # fmt: skip
"""What the rules of questions let go together, for a statistic that asks for nothing more."""
NAMED = canonical.digest(canonical.dumps(["bus", "train", "walk"]))


class Script:
    """Scripted entropy: the words given, then word i is ``words(seed 2026, slot i)[0]`` of the public hash."""

    def __init__(self, first: tuple[int, ...] = ()) -> None:
        self.first, self.used = first, 0

    def words(self, count: int) -> Any:
        places = range(self.used, self.used + count)
        drawn = public_words(2026, np.arange(self.used, self.used + count), 1)[:, 0].copy()
        for at, place in enumerate(places):
            if place < len(self.first):
                drawn[at] = self.first[place]
        self.used += count
        return drawn


def _spread(seed: int, rows: int, columns: int = 1, *, low: float = -0.4, high: float = 1.4) -> list[list[float]]:
    """Numbers with all of their bits in use."""
    drawn = public_words(seed, np.arange(rows), columns).astype(object) >> 11
    return [[low + (high - low) * float(word) * 2.0**-53 for word in row] for row in drawn]


def _holes(rows: list[list[float]], every: int) -> list[list[float]]:
    """The same with some numbers missing, in a pattern that no column repeats."""
    return [
        [math.nan if (7 * at + 3 * place) % every == 0 else value for place, value in enumerate(row)]
        for at, row in enumerate(rows)
    ]


def _one(*values: float) -> list[list[float]]:
    return [[value] for value in values]


def collections() -> dict[str, list[list[float]]]:
    """Rows of what a user may hold; of every length that numpy adds up in a way of its own, first row aside."""
    inf, nan = math.inf, math.nan
    lengths = {f"{rows} numbers": _spread(rows, rows) for rows in (7, 8, 9, 11, 16, 129, 130, 150, 1001)}
    apart = [[value[0] * 10.0 ** (20 * (at % 3) - 20)] for at, value in enumerate(_spread(3, 40))]
    return {
        "nothing": [],
        "one": _one(0.25),
        "only missing": _one(nan, nan),
        "missing among others": _one(nan, 0.9, nan, 0.1),
        "infinite": _one(inf),
        "minus infinite": _one(-inf, 0.3),
        "both infinite": _one(inf, -inf, 0.5),
        "minus zero": _one(-0.0),
        "huge": _one(1.7e308, 1.7e308, 0.5),
        "huge on both sides": _one(-1.7e308, 1.7e308),
        "subnormal": _one(5e-324, -5e-324, 1e-310),
        "an edge": _one(0.5),
        "just below an edge": _one(math.nextafter(0.5, 0.0)),
        "just above an edge": _one(math.nextafter(0.5, 1.0)),
        "far outside": _one(-3.0, 9e9, 2.5),
        "whole numbers": _one(0.0, 1.0, 2.0, 2.0, 1.0, 2.0),
        "sizes far apart": apart,
        **lengths,
        "eleven vectors": _spread(5, 11, 3),
        "vectors with holes": _holes(_spread(6, 150, 3), 5),
        "wide vectors": _holes(_spread(7, 4, 7), 6),
        "two columns of 1,001": _holes(_spread(8, 1001, 2), 97),
        "vectors far away": [[1e308, -inf, 5e-324], [1e308, 3.0, nan]],
        "vectors of nothing": [[nan, nan, nan]],
        "no columns": [[], []],
    }


def statistics() -> dict[str, tuple[ms.Statistic, float, float]]:
    """One for each name of the vocabulary, and where its numbers lie for ordinary collections."""
    plain: dict[str, tuple[ms.Statistic, float, float]] = {
        "average": (ms.Average(columns=(0, 2, 1)), 0.0, 1.0),
        "item": (ms.Item(), 0.0, 1.0),
        "each": (ms.Each(), 0.0, 1.0),
        "share": (ms.Share(below=(0.25, 0.5, 0.75)), 0.0, 1.0),
        "rotated": (ms.Rotated(seed=5, size=4, centre=(0.5, 0.25, 0.5), radius=1.0), -1.5, 1.5),
        "basis": (ms.Basis(low=0.0, high=1.0, functions=(1, 2, 3, 200, 65537)), -1.5, 1.5),
        "hashed": (ms.Hashed(seed=6, columns=6, threshold=0.3), -6.0, 6.0),
        "residual": (ms.Residual(seed=2**53, centres=(0.2, 0.8)), -0.3, 0.3),
        "nearest": (ms.Nearest(centres=((0.1, 0.1), (0.5, 0.5), (0.9, 0.1))), 0.0, 3.0),
        "joint": (ms.Joint(centres=(0.2, 0.5, 0.9), reach=0.1, levels=3), 0.0, 9.0),
        "category of categories": (ms.Category(vector=vectors()["categories"]), 0.0, 4.0),  # type: ignore[arg-type]
    }
    for name, vector in vectors().items():
        centre = tuple(0.5 / (place + 1) for place in range(vector.size))
        plain[f"entry of {name}"] = ms.Entry(vector=vector), -0.5, 1.0
        plain[f"coefficient of {name}"] = ms.Coefficient(vector=vector), -1.5, 1.5
        plain[f"norm of {name}"] = ms.Norm(vector=vector, centre=centre), 0.0, 2.0
        seed, rows = 8 + vector.size, 1 + vector.size % 4
        pointing = ms.Direction(vector=vector, centre=centre, radius=0.6, seed=seed, rows=rows)
        plain[f"direction of {name}"] = pointing, 0.0, 2.0 * pointing.rows
    return plain


def vectors() -> dict[str, ms.Vector]:
    return {
        "averages": ms.Averages(size=3),
        "inside": ms.Inside(size=3, middle=(0.5, 0.0, 0.2), half=(0.5, 1.0, 0.1), ball="l2"),
        "large": ms.Large(size=6, threshold=0.3),
        "categories": ms.Categories(places=ms.Bins(edges=(0.1, 0.25, 0.5))),
        "below": ms.Below(thresholds=(0.25, 0.5, 0.75, 0.9, 1.1)),
        "cosines": ms.Cosines(low=0.0, high=1.0, size=4),
    }


def questions() -> Iterator[tuple[str, ms.Question]]:
    """By the names of statistic, placement and channel: everything that may go together, and then larger ones."""
    number = 0
    for name, (statistic, low, high) in statistics().items():
        rows = statistic.rows if isinstance(statistic, ms.Direction) else 0
        for placed, sent in PAIRS:
            count = 2 * rows or COUNTS[number % len(COUNTS)]
            groups = statistic.parts if statistic.parts > 1 else 1 + (statistic.signed == 0 and placed != "bins")
            groups = 1 if rows else groups
            uses, slots = 1 + number % min(3, groups), RANGES[number % len(RANGES)]
            ranges = groups if number % 2 and not statistic.signed else 1
            try:
                place = placement(placed, low, high, count, ranges)
                through = channel(sent, placed, count, uses, single=rows > 0)
                made = asked(statistic, place, through, groups=groups, uses=uses, slots=slots)
            except ms.Malformed:  # the statistic asks for more: `test_device_vectors` knows when
                continue
            yield f"{name}, {placed}, {sent}", made
            number += 1
    yield from larger()


def asked(statistic: ms.Statistic, placed: ms.Placement, sent: ms.Channel, **more: Any) -> ms.Question:
    first, count = more.pop("slots", RANGES[0])
    own = {name: more.pop(name) for name in ("empty", "within") if name in more}
    return ms.Question(
        survey="vectors", round=0, role="ask", slots=ms.Slots(first=first, count=count),
        encoder=ms.Encoder(statistic=statistic, placement=placed, **own), channel=sent, **{"epsilon": 1.0, **more},
    )  # fmt: skip


_WRITTEN = {74 / 129: 0.43447322152154005}
"""A power that was rounded the other way on the day when the vectors were written."""


def _power(base: float) -> float:
    """The float nearest to base^1.5: ``base**1.5`` is that on some processors only."""
    return _WRITTEN.get(base) or ms.nearest_power(base, 1.5)


def placement(kind: str, low: float, high: float, count: int, groups: int = 1) -> ms.Placement:
    """With a range of its own for each group, where there are several."""
    if kind == "bins":
        return ms.Bins(edges=tuple(low + (high - low) * _power(place / count) for place in range(1, count)))
    if kind == "knots":
        inner = tuple(low + (high - low) * _power(place / (count - 1)) for place in range(1, count - 1))
        return ms.Knots(low=low, high=high, inner=inner, nothing=low)
    lows = tuple(low - 0.125 * group for group in range(groups))
    highs = tuple(high + 0.25 * group for group in range(groups))
    return ms.Position(low=lows, high=highs) if kind == "position" else ms.Grid(low=lows, high=highs, count=count)


def channel(kind: str, placed: str, count: int, uses: int, *, single: bool = False) -> ms.Channel:
    own = Fraction(1, uses)
    if kind == "laplace":
        return design.laplace(own)
    if kind == "subset":
        return design.subset(own, count, size=1 if single else None)
    if kind == "unary":
        return design.unary(own, count, reach=uses % 2 if count > 2 else 0)
    if placed == "knots":
        return nodes(count)
    if placed == "position":
        return piecewise(own, nodes=3 + 2 * (count % 2)) if count % 3 else design.one_bit(own)
    return design.k_ary(own, count) if count <= 64 else nodes(count)


def nodes(count: int) -> ms.Table:
    """A table of many nodes and few symbols."""
    one, shares = 2**64, [place / (count - 1) for place in range(count)]
    first = [int(one * (0.4 + 0.05 * share)) for share in shares]
    return ms.Table(rows=tuple((upper, one - upper - one // 8, one // 8) for upper in first))


def larger() -> Iterator[tuple[str, ms.Question]]:
    """More items than a word has bits, many uses and groups, wide vectors, all ways of a channel."""
    average, unit = ms.Average(), (0.0, 1.0)
    for items in (64, 65, 128, 129, 1000):
        for kind in ("grid", "bins"):
            yield f"{kind} of {items}, subset", asked(average, placement(kind, *unit, items), design.subset(1.0, items))
            yield f"{kind} of {items}, unary", asked(average, placement(kind, *unit, items), design.unary(1.0, items))
        grid = placement("grid", *unit, items)
        yield f"grid of {items}, table", asked(average, grid, nodes(items))
        for name, size in (("half", items // 2), ("one", 1)):
            yield f"grid of {items}, {name} of them", asked(average, grid, design.subset(1.0, items, size=size))
    for reach in (1, 8):
        yield f"unary, reach {reach}", asked(average, placement("bins", *unit, 65), design.unary(1.0, 65, reach=reach))
    yield "few bits, far reach", asked(average, placement("grid", *unit, 5), design.unary(1.0, 5, reach=2))
    yield "small laplace", asked(average, placement("position", *unit, 1), design.laplace(8.0), epsilon=8.0)
    share = ms.Share(below=tuple(place / 64 for place in range(64)), column=1)
    columns = ms.Average(columns=tuple(range(66)))
    named = ms.Categories(places=ms.Grid(low=(0.0,), high=(3.0,), count=3), labels=NAMED)
    many = ms.Categories(places=ms.Grid(low=(0.0,), high=(1.0,), count=1000), column=1)
    line, around = placement("position", *unit, 1), placement("position", -1.0, 1.0, 1)
    bit = {uses: design.one_bit(Fraction(1, uses)) for uses in (1, 3, 64, 66, 70)}
    item, three_hundred = ms.Item(column=2), placement("grid", *unit, 5, 300)
    yield "each, 70 uses", asked(ms.Each(column=1), line, bit[70], uses=70, slots=RANGES[2])
    yield "share, 64 uses", asked(share, line, bit[64], groups=64, uses=64)
    yield "average, 66 columns at once", asked(columns, line, bit[66], groups=66, uses=66, slots=RANGES[3])
    yield "average of the first seven", asked(ms.Average(first=7, columns=(1,)), line, bit[1])
    yield "two items, 300 groups", asked(item, three_hundred, design.k_ary(Fraction(1, 2), 5), groups=300, uses=2)
    yield "named categories", asked(ms.Entry(vector=named), line, bit[1], groups=3)
    yield "coefficient of 1,000 categories", asked(ms.Coefficient(vector=many), around, bit[3], groups=1023, uses=3)
    for size, rows in ((300, 64), (1024, 16), (2, 1)):
        box = ms.Inside(size=size, middle=(0.5,), half=tuple(0.5 + place / size for place in range(size)), ball="linf")
        pointing = ms.Direction(vector=box, centre=(0.125,) * size, radius=4.0, seed=3, rows=rows)
        numbers = ms.Grid(low=(0.0,), high=(2.0 * rows,), count=2 * rows)
        yield f"direction of {size} in a box", asked(pointing, numbers, design.subset(1.0, 2 * rows, size=1))
        turned = ms.Rotated(seed=9, size=2048 if size == 1024 else 512, centre=(0.5,) * size, radius=2.0)
        half = design.laplace(Fraction(1, 2))
        yield f"rotated {size}", asked(turned, around, half, groups=turned.size, uses=2, slots=RANGES[2])
    far = ms.Nearest(centres=((0.0, 0.5), (1.0, 1.0), (1e308, -1e308)), metric="linf")
    yield "nearest by the largest coordinate", asked(far, placement("grid", 0.0, 3.0, 3), design.k_ary(1.0, 3))
    signs = ms.Hashed(seed=0, columns=130, threshold=0.0)
    yield "130 signs", asked(signs, ms.Position(low=(-9.0,), high=(9.0,)), design.laplace(1.0), slots=RANGES[3])
