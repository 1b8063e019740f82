"""Questions and collections of every kind, for whoever compares two devices: fixed seeds, hostile numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce import design
from sottovoce.messages import (
    EMPTY,
    Average,
    Averages,
    Basis,
    Below,
    Bins,
    Categories,
    Category,
    Channel,
    Coefficient,
    Cosines,
    Decodings,
    Direction,
    Each,
    Encoder,
    Entry,
    Grid,
    Hashed,
    Inside,
    Item,
    Joint,
    Knots,
    Large,
    Malformed,
    Nearest,
    Norm,
    Placement,
    Position,
    Question,
    Residual,
    Rotated,
    Share,
    Slots,
    Statistic,
    Subset,
    Table,
    Unary,
    Vector,
    Within,
)

Random = np.random.Generator
ODD = [math.nan, math.inf, -math.inf, -0.0, 0.0, 5e-324, -1e-310, 1e308, -1e308, 1.7976931348623157e308, 1e-130, 1e150]
LAPLACE = [design.laplace(Fraction(1, 3)), design.laplace(1.0), design.laplace(4.0)]


def questions(seed: int, count: int) -> Iterator[Question]:
    """Questions of every statistic in turn, whatever placement and channel it can have."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        yield _question(rng, STATISTICS[number % len(STATISTICS)])


def collections(rng: Random, question: Question) -> NDArray[np.float64]:
    """One collection: any number of rows and columns, plain numbers, odd ones, and those that the question names."""
    rows = int(rng.choice([0, 1, 2, 3, 7, 8, 9, 10, 17, 60, 129, 130, 300]))
    wanted = question.encoder.statistic.dimension
    columns = int(rng.choice([wanted, wanted, wanted, wanted + 2, max(0, wanted - 1), 0]))
    rows = min(rows, 40_000 // max(1, columns))
    values = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-3, 2, size=(rows, columns))
    named = np.array([*_numbers(question), 0.5])
    kind = rng.integers(6)
    if kind <= 2:  # now and then something odd, or an edge and its neighbours
        share = rng.choice([0.02, 0.3, 1.0])
        odd = rng.choice(ODD, size=values.shape)
        edge = rng.choice(named, size=values.shape)
        edge = np.nextafter(edge, rng.choice([-math.inf, math.inf, 0.0], size=values.shape))
        edge = np.where(rng.random(values.shape) < 0.5, rng.choice(named, size=values.shape), edge)
        values = np.where(rng.random(values.shape) < share, odd if kind == 0 else edge, values)
    if kind == 3:  # only what is missing is odd
        values = np.where(rng.random(values.shape) < 0.3, math.nan, values)
    if kind == 4:  # numbers whose sum depends on the order of addition
        values = values * 10.0 ** rng.integers(-9, 9, size=values.shape)
    return values


def _numbers(found: Any) -> Iterator[float]:
    if isinstance(found, float):
        yield found
    elif isinstance(found, tuple):
        for inner in found[:50]:
            yield from _numbers(inner)
    elif hasattr(found, "__dataclass_fields__") and not isinstance(found, Table):
        for name in found.__dataclass_fields__:
            yield from _numbers(getattr(found, name))


def _increasing(rng: Random, count: int) -> tuple[float, ...]:
    scale = 10.0 ** int(rng.integers(-2, 3))
    return tuple(sorted({float(value) for value in rng.normal(size=count) * scale}))


def _floats(rng: Random, count: int) -> tuple[float, ...]:
    return tuple((rng.normal(size=count) * 10.0 ** int(rng.integers(-2, 2))).tolist())


def _count(rng: Random, most: int = 300) -> int:
    return int(rng.choice([1, 2, 3, 5, 8, 9, 16, 64, 65, 100, 129, 300], p=[0.12] * 6 + [0.28 / 6] * 6).clip(1, most))


def _seed(rng: Random) -> int:
    return int(rng.choice([0, 7, 2**31, 2**53, int(rng.integers(2**53))]))


def _range(rng: Random) -> tuple[float, float]:
    low = float(rng.normal() * 10.0 ** int(rng.integers(-2, 3)))
    return low, low + abs(float(rng.normal())) * 10.0 ** int(rng.integers(-2, 3)) + 1e-9


def _vector(rng: Random, least: int = 1) -> Vector:
    size, column = max(least, _count(rng)), int(rng.integers(3))
    low, high = _range(rng)
    edges = _increasing(rng, size)
    each = size if rng.random() < 0.5 else 1
    half = tuple(np.exp(rng.normal(size=each) * 2).tolist())
    return [
        Averages(size=size),
        Inside(size=size, middle=_floats(rng, each), half=half, ball=str(rng.choice(["linf", "l2"]))),
        Large(size=size, threshold=float(rng.choice([0.0, 0.1, 1.0, 1e300]))),
        Categories(places=Grid(low=(low,), high=(high,), count=size), column=column),
        Categories(places=Bins(edges=edges), column=column),
        Below(thresholds=edges if len(edges) >= least else (0.0, 1.0), column=column),
        Cosines(low=low, high=high, size=min(64, size), column=column),
    ][int(rng.integers(7))]  # type: ignore[return-value]  # mypy joins them to object


def _average(rng: Random) -> Average:
    first = None if rng.random() < 0.5 else int(rng.choice([1, 2, 8, 129, 1000]))
    return Average(columns=tuple(rng.integers(0, 6, size=_count(rng, 100)).tolist()), first=first)


def _category(rng: Random) -> Category:
    low, high = _range(rng)
    grid, bins = Grid(low=(low,), high=(high,), count=_count(rng)), Bins(edges=_increasing(rng, 5))
    places = grid if rng.random() < 0.5 else bins
    return Category(vector=Categories(places=places, column=int(rng.integers(3))))


def _basis(rng: Random) -> Basis:
    low, high = _range(rng)
    functions = tuple(rng.choice([1, 2, 3, 4, 5, 17, 64, 1001, 65537], size=_count(rng)).tolist())
    return Basis(low=low, high=high, functions=functions, column=int(rng.integers(3)))


def _rotated(rng: Random) -> Rotated:
    size = int(rng.choice([1, 2, 8, 64, 128, 256]))
    centre = _floats(rng, int(rng.integers(1, size + 1)))
    return Rotated(seed=_seed(rng), size=size, centre=centre, radius=float(rng.choice([1e-3, 1.0, 30.0, 1e200])))


def _nearest(rng: Random) -> Nearest:
    columns = _count(rng)
    centres = tuple(_floats(rng, columns) for _ in range(_count(rng, 20)))
    return Nearest(centres=centres, metric=str(rng.choice(["l2", "linf"])))


def _norm(rng: Random) -> Norm:
    vector = _vector(rng)
    return Norm(vector=vector, centre=_floats(rng, vector.size))


def _direction(rng: Random) -> Direction:
    vector, rows = _vector(rng), int(rng.choice([1, 2, 8, 64]))
    radius = float(rng.choice([1e-3, 0.75, 20.0, 1e200]))
    return Direction(vector=vector, centre=_floats(rng, vector.size), radius=radius, seed=_seed(rng), rows=rows)


def _joint(rng: Random) -> Joint:
    centres, reach = _increasing(rng, _count(rng, 20)), float(rng.choice([1e-3, 0.5, 1e308]))
    return Joint(centres=centres, reach=reach, levels=int(rng.integers(2, 20)), column=int(rng.integers(3)))


STATISTICS = [
    _average,
    lambda rng: Item(column=int(rng.integers(3))),
    lambda rng: Each(column=int(rng.integers(3))),
    lambda rng: Share(below=_floats(rng, _count(rng)), column=int(rng.integers(3))),
    _rotated,
    _basis,
    lambda rng: Hashed(seed=_seed(rng), columns=_count(rng), threshold=float(rng.choice([0.0, 0.3, 5.0]))),
    lambda rng: Residual(seed=_seed(rng), centres=_increasing(rng, _count(rng)), column=int(rng.integers(3))),
    _nearest,
    lambda rng: Entry(vector=_vector(rng)),
    lambda rng: Coefficient(vector=_vector(rng, 2)),
    _norm,
    _direction,
    _category,
    _joint,
]


def _table(rng: Random, nodes: int) -> Table:
    symbols = int(rng.choice([2, 3, 8, 256 if nodes <= 16 else 4]))
    rows = []
    for _ in range(nodes):
        cuts = sorted(int(cut) for cut in rng.integers(1, 2**62, size=symbols - 1))
        ends = [0, *(4 * cut + place for place, cut in enumerate(cuts)), 2**64]
        rows.append(tuple(high - low for low, high in pairwise(ends)))
    return Table(rows=tuple(rows))


def _placed(rng: Random, groups: int) -> tuple[Placement, Channel]:
    ranges = [_range(rng) for _ in range(groups if rng.random() < 0.5 else 1)]
    low, high = (tuple(ends) for ends in zip(*ranges, strict=True))
    if rng.random() < 0.5:
        channel = LAPLACE[int(rng.integers(3))] if rng.random() < 0.5 else _table(rng, int(rng.choice([2, 3, 5, 40])))
        if isinstance(channel, Table) and len(low) == 1:
            return _between_knots(rng, low[0], high[0], channel)
        return Position(low=low, high=high), channel
    count = max(2, _count(rng))
    placement: Placement = Grid(low=low, high=high, count=count)
    if rng.random() < 0.4:
        placement = Bins(edges=_increasing(rng, count - 1))
    return placement, _of_items(rng, placement.count)


def _between_knots(rng: Random, low: float, high: float, table: Table) -> tuple[Placement, Channel]:
    """Often knots in the place of even nodes, and several decodings; even nodes where knots come too near."""
    inner = tuple(sorted((low + (high - low) * rng.random(len(table.rows) - 2) ** 3).tolist()))
    several = [tuple(rng.normal(size=table.cells).tolist()) for _ in range(4)]
    if rng.random() < 0.5:
        core, lower, upper, whole = several
        table = replace(table, decodings=Decodings(core=core, lower=lower, upper=upper, whole=whole))
    nothing = float(rng.choice([low, high, *inner, (low + high) / 2]))
    try:
        if rng.random() < 0.7:
            return Knots(low=low, high=high, inner=inner, nothing=nothing), table
    except Malformed:
        pass
    return Position(low=(low,), high=(high,)), table


def _of_items(rng: Random, items: int) -> Channel:
    threshold = int(rng.choice([2**40, 2**63, 3 * 2**62, 2**64 - 2**40]))
    which = rng.integers(3) if items <= 300 else 1
    if which == 0:
        return _table(rng, items)
    if which == 1:
        return Subset(items=items, size=int(rng.integers(1, items)), threshold=threshold)
    reach = int(rng.integers(0, max(1, min(8, items // 3))))
    return Unary(items=items, reach=reach, threshold=max(2**63 + 1, threshold))


def _question(rng: Random, make: Any) -> Question:
    statistic: Statistic = make(rng)
    groups = statistic.parts if statistic.parts > 1 else _count(rng, 40)
    if statistic.signed or isinstance(statistic, Direction):
        groups = 1
    uses = int(rng.choice([1, 1, 2, 7])) if isinstance(statistic, Each) else int(rng.integers(1, min(groups, 12) + 1))
    placement, channel = _placed(rng, groups)
    if isinstance(statistic, Direction):
        symbols = 2 * statistic.rows
        placement = Grid(low=(0.0,), high=(float(symbols),), count=symbols)
        channel = Subset(items=symbols, size=1, threshold=2**63)
    elif statistic.signed:
        placement, channel = Position(low=(-2.0,), high=(2.0,)), LAPLACE[1]
    return Question(
        survey="compared", round=0, role="test", slots=Slots(first=10, count=2**39), epsilon=1000.0,
        encoder=Encoder(statistic=statistic, placement=placement), channel=channel, groups=groups, uses=uses,
    )  # fmt: skip


# ---- within groups, and with a place for nothing ---------------------------------------------------------------------

CODES = [math.nan, math.inf, -math.inf, -0.0, -0.5, 0.5, 5e-324, -5e-324, 1e300, -1e300, 2.0**53, 2.0**64, -(2.0**63)]


def grouped_questions(seed: int, count: int) -> Iterator[Question]:
    """Those of `questions`, where they can be: about a group that is dealt or drawn, and with nothing anywhere."""
    rng = np.random.default_rng(seed)
    for question in questions(seed, count):
        encoder = replace(question.encoder, empty="middle")
        placement, channel = encoder.placement, question.channel
        if not isinstance(placement, (Bins, Knots)):
            placement = replace(placement, low=placement.low[:1], high=placement.high[:1])
        many, stride = int(rng.choice([1, 2, 3, 50, 2000])), int(rng.choice([0, 0, 1, 5]))
        if stride and rng.random() < 0.7:  # a place for each group and level, and one more
            items = min(many * stride + 1, 400)
            placement, channel = Grid(low=(0.0,), high=(float(items),), count=items), _of_items(rng, items)
        within = Within(column=int(rng.integers(4)), count=many, stride=stride)
        groups, uses = (1, 1) if stride else (many, int(rng.integers(1, min(many, 12) + 1)))
        empty = str(rng.choice(EMPTY))
        try:
            inside = replace(encoder, placement=placement, empty=empty, within=within)
            yield replace(question, encoder=inside, channel=channel, groups=groups, uses=uses)
        except Malformed:  # no statistic for that: nothing alone, where it may fall elsewhere
            if encoder.statistic.silent:
                yield replace(question, encoder=replace(encoder, empty="random"))


def grouped_collections(rng: np.random.Generator, question: Question) -> NDArray[np.float64]:
    """Any collection; where it has a column of groups, most codes are those of groups, and some are odd."""
    values, within = collections(rng, question), question.encoder.within
    if within is None:
        return values
    if rng.random() < 0.8:
        missing = max(0, within.column + 1 - values.shape[1])
        values = np.hstack([values, rng.normal(size=(len(values), missing))])
    if within.column < values.shape[1]:
        near = [within.count - 1.0, float(within.count), within.count - 0.5, math.nextafter(1.0, 0.0)]
        odd = rng.choice([*CODES, *near], size=len(values))
        code = rng.integers(-1, within.count + 2, size=len(values)).astype(np.float64)
        values[:, within.column] = np.where(rng.random(len(values)) < rng.choice([0.0, 0.2, 0.6]), odd, code)
    return values
