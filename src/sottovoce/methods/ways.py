"""Ways to ask that several problems announce: what their schemes may come to, whatever the reports say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sottovoce.messages import (
    MAX_KNOTS,
    MAX_SEED,
    Bins,
    Direction,
    Encoder,
    Entry,
    Free,
    Grid,
    Knots,
    Norm,
    Position,
    Statistic,
    Vector,
    Way,
)
from sottovoce.methods.vector_reports import direction_symbols

MOST_EDGES = 1024
"""Of a question about bins."""
SEED = Free(field="statistic.seed", low=0.0, high=float(MAX_SEED))
"""Public: no two rounds turn alike."""
Ends = tuple[float, float]


def bins_way(role: str, *free: Free, statistic: Statistic, low: float, high: float) -> Way:
    """The way to ask in which of some bins between `low` and `high` a statistic falls."""
    edges = Free(field="placement.edges", low=low, high=high, most=MOST_EDGES)
    encoder = Encoder(statistic=statistic, placement=Bins(edges=(low, high)))
    return Way.by(encoder, *free, edges, role=role, channel="subset")


def position_way(role: str, *free: Free, statistic: Statistic, low: float, high: float, most: int = 1) -> Way:
    """The way to ask where a statistic lies between ends from `low` to `high`, of at most so many groups."""
    encoder = Encoder(statistic=statistic, placement=Position(low=(low,), high=(high,)))
    return Way.by(encoder, *free, *ends_free(low, high, most=most), role=role, channel="table")


def knots_way(role: str, *free: Free, statistic: Statistic, low: float, high: float) -> Way:
    """The way to ask where a statistic lies between knots from `low` to `high`, those between the ends chosen."""
    encoder = Encoder(statistic=statistic, placement=Knots(low=low, high=high, inner=(), nothing=low))
    inner = Free(field="placement.inner", low=low, high=high, most=MAX_KNOTS - 2)
    nothing = Free(field="placement.nothing", low=low, high=high)
    return Way.by(encoder, *free, inner, nothing, role=role, channel="table")


def ends_free(low: float, high: float, *, most: int = 1) -> tuple[Free, Free]:
    """The ends of a range as fields that are chosen on the way."""
    return (
        Free(field="placement.low", low=low, high=high, most=most),
        Free(field="placement.high", low=low, high=high, most=most),
    )


def direction_way(
    role: str, *free: Free, vector: Vector, epsilon: float, centre: tuple[float, ...], radius: float
) -> Way:
    """In which direction users lie: one of a few symbols. Centre and radius are as given, unless they are free."""
    symbols = direction_symbols(epsilon)
    statistic = Direction(vector=vector, centre=centre, radius=radius, seed=0, rows=symbols // 2)
    placement = Grid(low=(0.0,), high=(float(symbols),), count=symbols)
    return Way.by(Encoder(statistic=statistic, placement=placement), SEED, *free, role=role, channel="subset")


def entry_way(role: str, *, vector: Vector, low: float, high: float) -> Way:
    """The way to ask how large an entry is, through a table."""
    encoder = Encoder(statistic=Entry(vector=vector), placement=Position(low=(low,), high=(high,)))
    return Way.by(encoder, role=role, channel="table")


def zoom_ways(
    *,
    vector: Vector,
    epsilon: float,
    longest: float,
    inside: Ends,
    most: int | None = None,
    chosen: tuple[Free, ...] = (),
) -> tuple[Way, ...]:
    """Directions from nearer and nearer by; lengths, and checks of a radius, none of them beyond `longest`, twice it.

    Entries of centres lie `inside`; there are `most` of them, as many as the vector has unless that is `chosen` too.
    """
    middle = (min(max(0.0, inside[0]), inside[1]),) * vector.size
    centre = Free(field="statistic.centre", low=inside[0], high=inside[1], most=most or vector.size)
    radius = Free(field="statistic.radius", low=0.0, high=longest / 2)
    directed = [
        direction_way(role, *chosen, centre, radius, vector=vector, epsilon=epsilon, centre=middle, radius=longest)
        for role in ("zoom", "direction")
    ]
    norm = Norm(vector=vector, centre=middle)
    length, outside = (
        bins_way(role, *chosen, centre, statistic=norm, low=0.0, high=longest) for role in ("length", "outside")
    )
    return (*directed, length, position_way("check", *chosen, centre, statistic=norm, low=0.0, high=longest), outside)


def merge_ways(ways: Iterable[Way]) -> tuple[Way, ...]:
    """Ways that differ in nothing but ranges and columns as one, which holds them all."""
    merged: dict[Way, Way] = {}
    for way in ways:
        same = tuple(replace(one, low=0.0, high=0.0, most=1) for one in way.free)
        key = replace(way, low=0.0, high=0.0, columns=1, free=same)
        before = merged.get(key, way)
        merged[key] = replace(
            way,
            low=min(way.low, before.low),
            high=max(way.high, before.high),
            columns=max(way.columns, before.columns),
            free=tuple(_wider(one, other) for one, other in zip(way.free, before.free, strict=True)),
        )
    return tuple(merged.values())


def _wider(one: Free, other: Free) -> Free:
    low, high = min(one.low, other.low), max(one.high, other.high)
    return replace(one, low=low, high=high, most=max(one.most, other.most))
