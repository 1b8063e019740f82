"""What a device may compute, by the names that a manifest has for it, as facts: for whoever is asked to agree.

A manifest names a statistic only; of one that is asked, `Statistic.fact` says more. A test reads both.
"""

from __future__ import annotations

from typing import Any

from sottovoce.messages import Fact, Manifest, Way

_OPEN: dict[str, dict[str, Any]] = {
    "inside": {"ball": False},
    "categories": {"size": None},
    "below": {"size": None},
    "cosines": {"size": None},
}
"""What a manifest's name for a vector leaves open."""
_MEASURED = frozenset({"average", "item", "each", "entry of averages"})
"""Whose range is one of the observations; that of others is the encoder's business."""


def from_you(manifest: Manifest) -> Fact:
    """What of the observations the one report is about."""
    return Fact("consent-from-you", what=may_compute(manifest))


def may_compute(manifest: Manifest) -> list[Fact]:
    """Everything that may be computed, once, with its ranges."""
    ranges: dict[Fact, list[Fact]] = {}
    for way in manifest.rules.ways:
        about = "groups" if manifest.groups else "columns" if way.columns > 1 else ""
        columns = way.columns if about == "columns" else 1
        spans = ranges.setdefault(Fact("may-compute", what=computes(way.statistic), about=about, columns=columns), [])
        spans += [found for found in _range(way) if found not in spans]
    return [Fact(what.code, **what.data, ranges=spans) for what, spans in ranges.items()]


def computes(statistic: str) -> Fact:
    """``"norm of categories"`` as a fact, without the numbers that a manifest leaves open."""
    kind, _, vector = statistic.partition(" of ")
    if kind == "average":
        return Fact("computes-average-or-first")
    if kind in ("category", "joint"):
        return Fact(f"computes-{kind}", **{"size" if vector else "places": None})
    of = {"vector": Fact(f"vector-{vector}", **_OPEN.get(vector, {}))} if vector else {}
    return Fact(f"computes-{kind}", **of, **({"directions": None} if kind == "direction" else {}))


def _range(way: Way) -> list[Fact]:
    """Of the observations themselves; what lies beyond the outermost of some edges is in a bin as well."""
    measured = way.statistic in _MEASURED and way.placement != "bins"
    return [span(way.low, way.high)] if measured else []


def span(low: float, high: float) -> Fact:
    """``from 1 to 5``, to six digits; where those hardly tell the ends apart, to the last one."""
    if abs(high - low) >= 1e-3 * max(abs(low), abs(high)):
        return Fact("consent-span", low=low, high=high)
    return Fact("consent-span-to-the-last-digit", low=_exactly(low), high=_exactly(high))


def _exactly(end: float) -> float:
    """So that a whole number is written as one."""
    return int(end) if float(end).is_integer() and abs(end) < 1e16 else end
