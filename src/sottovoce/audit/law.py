"""The declared law of a channel, symbol by symbol, as exact fractions: what the tree layer compares with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from sottovoce.messages import Channel, Laplace, Subset, Table, Unary

Symbol = tuple[int, ...]


def law(channel: Channel, value: int) -> Iterator[tuple[Symbol, Fraction]]:
    """The declared law of a channel at one input. For small channels."""
    match channel:
        case Table():
            node, rest = divmod(value, 2**32)
            upper = channel.rows[min(node + 1, len(channel.rows) - 1)]
            for symbol, (here, there) in enumerate(zip(channel.rows[node], upper, strict=True)):
                yield (symbol,), Fraction(here * (2**32 - rest) + there * rest, 2**96)
        case Subset():
            own = Fraction(channel.threshold, 2**64)
            inside = own / math.comb(channel.items - 1, channel.size - 1)
            outside = (1 - own) / math.comb(channel.items - 1, channel.size)
            for chosen in combinations(range(channel.items), channel.size):
                yield chosen, inside if value in chosen else outside
        case Unary():
            hot = channel.hot(np.array([value]))[0]
            keep = Fraction(channel.threshold, 2**64)
            for pattern in range(2**channel.items):
                bits = tuple(pattern >> place & 1 for place in range(channel.items))
                parts = (keep if bit == is_hot else 1 - keep for bit, is_hot in zip(bits, hot, strict=True))
                yield bits, math.prod(parts, start=Fraction(1))
        case Laplace():
            noise = _laplace_noise(channel)
            totals: dict[int, Fraction] = {}
            for step, chance in noise.items():
                symbol = min(max(value + step, -channel.bound), channel.steps + channel.bound)
                totals[symbol] = totals.get(symbol, Fraction(0)) + chance
            yield from (((symbol,), chance) for symbol, chance in totals.items())


def _laplace_noise(channel: Laplace) -> dict[int, Fraction]:
    single = [Fraction(1)]
    for digit in channel.digits:
        one = Fraction(digit, 2**128)
        single = [chance * (1 - one) for chance in single] + [chance * one for chance in single]
    noise: dict[int, Fraction] = {}
    for first, chance in enumerate(single):
        for second, other in enumerate(single):
            noise[first - second] = noise.get(first - second, Fraction(0)) + chance * other
    return noise


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
