"""Ways to ask that several problems announce: what their schemes may come to, whatever the reports say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sottovoce.messages import Vector, Way, canonical, digest, to_plain
from sottovoce.schemes.directions import symbols


def direction_way(role: str, *, vector: Vector, epsilon: float, known: bool = True) -> Way:
    """In which direction users lie: one of a few symbols. `known`: the vector is settled beforehand."""
    return _of(vector, known, role, "direction", "grid", "subset", 0.0, float(symbols(epsilon)))


def entry_way(role: str, *, vector: Vector, low: float, high: float) -> Way:
    """How large an entry is, through a table."""
    return _of(vector, True, role, "entry", "position", "table", low, high)


def zoom_ways(*, vector: Vector, epsilon: float, longest: float, known: bool = True) -> tuple[Way, ...]:
    """Directions from nearer and nearer by; lengths, and checks of a radius, none of them beyond `longest`."""
    return (
        direction_way("zoom", vector=vector, epsilon=epsilon, known=known),
        direction_way("direction", vector=vector, epsilon=epsilon, known=known),
        _of(vector, known, "length", "norm", "bins", "subset", 0.0, longest),
        _of(vector, known, "check", "norm", "position", "table", 0.0, longest),
        _of(vector, known, "outside", "norm", "bins", "subset", 0.0, longest),
    )


def merged(ways: Iterable[Way]) -> tuple[Way, ...]:
    """Ways that differ in nothing but range and columns as one, which holds them all."""
    found: dict[Way, Way] = {}
    for way in ways:
        key = replace(way, low=0.0, high=0.0, columns=1)
        before = found.get(key, way)
        found[key] = replace(
            way,
            low=min(way.low, before.low),
            high=max(way.high, before.high),
            columns=max(way.columns, before.columns),
        )
    return tuple(found.values())


def _of(
    vector: Vector, known: bool, role: str, what: str, placement: str, channel: str, low: float, high: float
) -> Way:
    return Way(
        role=role,
        statistic=f"{what} of {vector.kind}",
        placement=placement,
        channel=channel,
        low=low,
        high=high,
        columns=vector.dimension,
        vector=digest(canonical.dumps(to_plain(vector))) if known else "",
    )
