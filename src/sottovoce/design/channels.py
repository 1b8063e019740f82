"""Channels for a given ε: the best integers that provably stay within it.

Each function starts from a rational E ≤ e^ε and rounds toward privacy, so `epsilon_bound` of the result never
exceeds the ε that was asked for. Up to ε = 8 the slack is below 1e-15 for channels of the sizes in use (`laplace`:
1.2e-10); toward ε = 16, where the rarest symbol has probability 1e-7, it grows to 1e-11.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

import numpy as np

from sottovoce.messages.channels import Laplace, Subset, Table, Unary
from sottovoce.messages.channels.laplace import ONE_WIDE, STEPS
from sottovoce.messages.channels.table import ONE
from sottovoce.messages.exact import exact, exp_below
from sottovoce.messages.limits import MAX_CHANNEL_EPSILON, check

LAPLACE_CLAMP_SCALES = 16
LAPLACE_SLACK = Fraction(1, 2**33)
_LAPLACE_ROOM = 26
MIN_LAPLACE_EPSILON = Fraction(1, 10**7)


@cache
def _ratio(epsilon: Fraction) -> Fraction:
    check(0 < epsilon <= Fraction(MAX_CHANNEL_EPSILON), f"a channel has ε in (0, {MAX_CHANNEL_EPSILON:g}]")
    return exp_below(epsilon)


def _sliding(epsilon: Fraction, nodes: int, window: int) -> tuple[tuple[int, ...], ...]:
    """Rows with a likely window of symbols that slides by one symbol from node to node."""
    ratio = _ratio(epsilon)
    symbols = nodes + window - 1
    unlikely = math.ceil(ONE / (window * ratio + symbols - window))
    likely, left = divmod(ONE - (symbols - window) * unlikely, window)
    rest, extra = divmod(left, symbols - window)
    rows = []
    for node in range(nodes):
        others = [unlikely + rest + (place < extra) for place in range(symbols - window)]
        rows.append((*others[:node], *[likely] * window, *others[node:]))
    return tuple(rows)


def one_bit(epsilon: float | Fraction) -> Table:
    """One bit on [0, 1]: two nodes, two symbols. The best channel for small ε, and the hardest to poison."""
    return piecewise(epsilon, nodes=2, window=1)


def piecewise(epsilon: float | Fraction, *, nodes: int, window: int) -> Table:
    """A discrete piecewise table (after Wang et al. 2019): the symbols near the position are e^ε times as likely.

    Because the likely window slides evenly, the expected symbol is linear in the position and two numbers decode
    every symbol without bias.
    """
    rows = _sliding(exact(epsilon), nodes, window)
    symbols = nodes + window - 1
    law = np.array([[cell / ONE for cell in row] for row in (rows[0], rows[-1])])
    at_zero, at_one = law @ np.arange(symbols)
    decode = (np.arange(symbols) - at_zero) / (at_one - at_zero)
    return Table(rows=rows, decode=tuple(float(value) for value in decode))


@cache
def best_position_table(epsilon: Fraction) -> Table:
    """One bit or a piecewise table, whichever has the lower variance on average over positions (to 1 %)."""
    positions = np.linspace(0.0, 1.0, 257)
    best = one_bit(epsilon)
    lowest = float(best.variance(positions).mean())
    for nodes in (3, 5, 9, 17, 33):
        for window in sorted({max(1, round(nodes * share)) for share in (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)}):
            table = piecewise(epsilon, nodes=nodes, window=window)
            variance = float(table.variance(positions).mean())
            if variance < 0.99 * lowest:  # a larger table must pay for its bytes
                best, lowest = table, variance
    return best


def k_ary(epsilon: float | Fraction, items: int) -> Table:
    """k-ary randomised response over categories 0 … K−1."""
    return Table(rows=_sliding(exact(epsilon), items, 1))


def subset(epsilon: float | Fraction, items: int, *, size: int | None = None) -> Subset:
    """Subset selection; the default size K / (1 + e^ε) is the best one (Ye and Barg 2018)."""
    ratio = _ratio(exact(epsilon))
    size = max(1, min(items - 1, round(items / (1 + ratio)))) if size is None else size
    return Subset(items=items, size=size, threshold=math.floor(ONE * ratio * size / (ratio * size + items - size)))


def unary(epsilon: float | Fraction, items: int, *, reach: int = 0) -> Unary:
    """Unary encoding: each of the bits in which two hot sets can differ pays an equal part of ε."""
    parts = Unary(items=items, reach=reach, threshold=ONE // 2).disagreements() or 2 * (2 * reach + 1)
    ratio = _ratio(exact(epsilon) / parts)
    return Unary(items=items, reach=reach, threshold=math.floor(ONE * ratio / (1 + ratio)))


def laplace(epsilon: float | Fraction, *, steps: int = STEPS) -> Laplace:
    """Two-sided geometric noise of scale steps / ε, clamped 16 scales beyond the grid."""
    return _best_laplace(exact(epsilon), steps)


@cache
def _best_laplace(budget: Fraction, steps: int) -> Laplace:
    check(
        MIN_LAPLACE_EPSILON <= budget <= Fraction(MAX_CHANNEL_EPSILON),
        f"a laplace channel has ε in [1e-07, {MAX_CHANNEL_EPSILON:g}]",
    )
    return _fitting_laplace(budget, steps)


@cache
def _fitting_laplace(budget: Fraction, steps: int) -> Laplace:
    slack = LAPLACE_SLACK
    while (channel := _laplace(budget - slack, steps)).epsilon_bound() > budget:
        slack *= 4  # few steps and a large ε: the rarest digits round more coarsely
    return channel


def _laplace(target: Fraction, steps: int) -> Laplace:
    rate = target / steps
    bound = math.ceil(LAPLACE_CLAMP_SCALES / rate)
    places = math.ceil(math.log2(bound + steps + _LAPLACE_ROOM / rate))
    digits = [math.floor(ONE_WIDE / (1 + exp_below(2**place * rate))) for place in range(places)]
    return Laplace(steps=steps, bound=bound, digits=tuple(digits))
