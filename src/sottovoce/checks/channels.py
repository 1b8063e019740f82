"""What every channel promises: its ε, its wire form, and a sampler that follows its law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sottovoce.audit import largest_ratio, law
from sottovoce.checks.promise import ContractError, require
from sottovoce.device import Entropy, SystemEntropy, privatise
from sottovoce.messages import Channel, exact, from_plain, to_plain


@dataclass(frozen=True, kw_only=True)
class ChannelFigures:
    """What `check_channel` saw."""

    certified: Fraction
    slack: float
    smallest_p: float


def enumerated_ratio(channel: Channel, inputs: Sequence[int]) -> Fraction:
    """The largest likelihood ratio between any two of the inputs, over every symbol: exact, by enumeration."""
    laws = [dict(law(channel, value)) for value in inputs]
    require(all(sum(one.values()) == 1 for one in laws), "the law sums to one at every input")
    worst = largest_ratio(laws)
    if worst is None:
        raise ContractError("every symbol is possible from every input")
    return worst


def check_channel(
    channel: Channel,
    *,
    epsilon: float | Fraction,
    slack: float,
    samples: int = 20_000,
    entropy: Entropy | None = None,
    false_alarm: float = 1e-6,
) -> ChannelFigures:
    """Certified ε within the declared, wire form stable, sampler true to the law (χ² on marginals, `false_alarm`)."""
    certified = channel.epsilon_bound()
    require(certified <= exact(epsilon), "certified ε is at most the declared ε")
    room = float(exact(epsilon) - certified)
    require(room <= slack, f"slack {room:.3g} is at most {slack:g}")
    require(from_plain(type(channel), to_plain(channel)) == channel, "a channel survives the wire")
    source = SystemEntropy() if entropy is None else entropy
    ends = [0, channel.span // channel.unit // 2 * channel.unit, channel.span]
    lowest = 1.0
    for value in ends:
        symbols = privatise(channel, np.full(samples, value, dtype=np.int64), source)
        require(channel.valid(symbols), "every symbol is one the channel may send")
        require(bool((channel.unpack(channel.pack(symbols)) == symbols).all()), "symbols survive the wire")
        lowest = min(lowest, sampler_p_value(channel, value, symbols))
    require(lowest >= false_alarm / len(ends), f"the sampler follows the law (p = {lowest:.3g})")
    return ChannelFigures(certified=certified, slack=room, smallest_p=lowest)


def sampler_p_value(channel: Channel, value: int, symbols: NDArray[np.int64]) -> float:
    """χ² of sampled symbols against the exact law (of each bit or item where there are too many symbols)."""
    from scipy.special import chdtrc

    count = len(symbols)
    observed, expected = channel.observed(value, symbols), count * channel.marginals(value)
    if not channel.exclusive:  # each bit or item is its own binomial: two cells, one degree of freedom
        items = len(expected)
        observed, expected = np.concatenate((observed, count - observed)), np.concatenate((expected, count - expected))
        return float(chdtrc(items, float(((observed - expected) ** 2 / expected).sum())))
    keep = expected > 5
    statistic = float(((observed[keep] - expected[keep]) ** 2 / expected[keep]).sum())
    rest = expected[~keep].sum()
    if rest > 5:
        statistic += float((observed[~keep].sum() - rest) ** 2 / rest)
    cells = int(keep.sum()) + (1 if rest > 5 else 0)
    return float(chdtrc(max(1, cells - 1), statistic))
