"""What a device may compute, by the names that a manifest has for it, in words: for whoever is asked to agree.

A manifest names a statistic only; of one that is asked, `Statistic.words` says more. A test reads both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sottovoce.messages import Manifest, Way

_VECTORS = {
    "averages": "your averages",
    "inside": "the places of your averages in their declared ranges",
    "large": "the marks (1 or 0) of the columns in which your average is large",
    "categories": "the shares of your observations in several categories",
    "below": "the shares of your observations up to each of several thresholds",
    "cosines": "the averages of several public waves over your observations",
}
_OF_VECTORS = {
    "entry": "the one that falls to you of {}",
    "coefficient": "what a public half of {} adds up to, less the other half",
    "norm": "how far {} lie from a public point",
    "direction": "in which of several public directions {} lie from a public point, or, by the toss of a coin, in the "
    "opposite one",
    "category": "the category of one of your observations, drawn at random",
}
_NUMBERS = {
    "average": "the average of your observations, or of the first of them",
    "item": "one of your observations, drawn at random",
    "each": "each of your observations in turn",
    "share": "the share of your observations up to a threshold",
    "basis": "the average of a public wave over your observations",
    "rotated": "one coordinate of your average, after a public rotation",
    "hashed": "the sum of public signs over the columns in which your average is large",
    "residual": "how far your average is from the nearest of the public points, times a public sign",
    "nearest": "which of the public points is nearest to your average",
    "joint": "roughly where your average lies, rounded at random to one of several places",
}
IN_GROUP = ", counting only what you hold in one of the groups; or that you hold nothing there"
_MEASURED = frozenset({"average", "item", "each", "entry of averages"})
"""Whose range is one of the observations; that of others is the encoder's business."""


def from_you(manifest: Manifest) -> str:
    """What of the observations the one report is about: everything that may be computed, once, with its ranges."""
    ranges: dict[str, dict[str, None]] = {}
    for way in manifest.rules.ways:
        ranges.setdefault(_words(way, grouped=bool(manifest.groups)), {}).update(dict.fromkeys(_range(way)))
    told = (f"{words} ({' or '.join(spans)})" if spans else words for words, spans in ranges.items())
    return f"one report, randomised on this device, about: {'; or '.join(told)}"


def named(statistic: str) -> str:
    """``"norm of categories"`` in words."""
    kind, _, vector = statistic.partition(" of ")
    return _OF_VECTORS[kind].format(_VECTORS[vector]) if vector else _NUMBERS[kind]


def _words(way: Way, *, grouped: bool) -> str:
    if grouped:
        return named(way.statistic) + IN_GROUP
    return named(way.statistic) + (f", over {way.columns:,} columns" if way.columns > 1 else "")


def _range(way: Way) -> list[str]:
    """Of the observations themselves; what lies beyond the outermost of some edges is in a bin as well."""
    measured = way.statistic in _MEASURED and way.placement != "bins"
    return [span(way.low, way.high)] if measured else []


def span(low: float, high: float) -> str:
    """``from 1 to 5``, to six digits; where those hardly tell the ends apart, to the last one."""
    close = abs(high - low) < 1e-3 * max(abs(low), abs(high))
    ends = [repr(end).removesuffix(".0") if close else f"{end:.6g}" for end in (low, high)]
    return f"from {ends[0]} to {ends[1]}"
