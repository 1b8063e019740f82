"""The declared law of a channel, symbol by symbol, as exact fractions: what the tree layer compares with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sottovoce.audit.kinds import Symbol, derivation
from sottovoce.messages import Channel


def law(channel: Channel, value: int) -> Iterator[tuple[Symbol, Fraction]]:
    """The declared law of a channel at one input. For small channels."""
    return derivation(channel).law(value)


def report_law(channel: Channel, inputs: Sequence[int]) -> dict[Symbol, Fraction]:
    """The law of a whole report: the symbols of its uses side by side, independent given the inputs."""
    joint: dict[Symbol, Fraction] = {(): Fraction(1)}
    for value in inputs:
        one = list(law(channel, value))
        joint = {
            before + symbol: chance * share for before, chance in joint.items() for symbol, share in one if share > 0
        }
    return joint


def largest_ratio(laws: Sequence[Mapping[Any, Fraction]]) -> Fraction | None:
    """The largest likelihood ratio between any two laws, over every outcome; None stands for infinity."""
    worst = Fraction(1)
    for outcome in set().union(*laws):
        chances = [one.get(outcome, Fraction(0)) for one in laws]
        if min(chances) == 0:
            return None
        worst = max(worst, max(chances) / min(chances))
    return worst
