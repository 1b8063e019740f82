"""Tables for positions and categories: one bit, k-ary response, piecewise."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from operator import mul

import numpy as np

from sottovoce.messages import MAX_CHANNEL_EPSILON, ONE, Table, check, exact, exp_below

# The likelihood ratio that an ε allows.


@cache
def ratio(epsilon: Fraction) -> Fraction:
    """A rational E ≤ e^ε, close to it: what every table starts from."""
    check(0 < epsilon <= Fraction(MAX_CHANNEL_EPSILON), f"a channel has ε in (0, {MAX_CHANNEL_EPSILON:g}]")
    return exp_below(epsilon)


def coth_half(epsilon: Fraction) -> float:
    """coth(ε/2), how far one bit decodes: the same float on every processor."""
    most = ratio(epsilon)
    return float((most + 1) / (most - 1))


def _sliding(epsilon: Fraction, nodes: int, window: int) -> tuple[tuple[int, ...], ...]:
    """Rows with a likely window of symbols that slides by one symbol from node to node."""
    most = ratio(epsilon)
    symbols = nodes + window - 1
    unlikely = math.ceil(ONE / (window * most + symbols - window))
    likely, left = divmod(ONE - (symbols - window) * unlikely, window)
    rest, extra = divmod(left, symbols - window)
    others = [unlikely + rest + 1] * extra + [unlikely + rest] * (symbols - window - extra)
    return tuple([(*others[:node], *[likely] * window, *others[node:]) for node in range(nodes)])


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
    at_zero, at_one = [sum(map(mul, range(symbols), row)) / ONE for row in (rows[0], rows[-1])]
    return Table(rows=rows, decode=tuple([(symbol - at_zero) / (at_one - at_zero) for symbol in range(symbols)]))


@cache
def best_position_table(epsilon: Fraction) -> Table:
    """One bit or a piecewise table, whichever has the lower variance on average over positions (to 1 %)."""
    most, best = float(ratio(epsilon)), (2, 1)
    lowest = _average_variance(most, *best)
    for nodes in (3, 5, 9, 17, 33):
        for window in sorted({max(1, round(nodes * share)) for share in (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)}):
            variance = _average_variance(most, nodes, window)
            if variance < 0.99 * lowest:  # a larger table must pay for its bytes
                best, lowest = (nodes, window), variance
    return piecewise(epsilon, nodes=best[0], window=best[1])


def _average_variance(most: float, nodes: int, window: int) -> float:
    """The variance of one report through a piecewise table on real numbers, on average over positions."""
    symbols, first = np.arange(nodes + window - 1), np.arange(nodes)[:, None]
    weights = np.where((symbols >= first) & (symbols < first + window), most, 1.0)
    chances = weights / weights[0].sum()
    means = chances @ symbols
    values = (symbols - means[0]) / (means[-1] - means[0])
    positions, at = np.linspace(0.0, 1.0, 257), np.linspace(0.0, 1.0, nodes)
    second = np.interp(positions, at, chances @ values**2)
    return float((second - np.interp(positions, at, chances @ values) ** 2).mean())


def k_ary(epsilon: float | Fraction, items: int) -> Table:
    """k-ary randomised response over categories 0 … K−1."""
    return Table(rows=_sliding(exact(epsilon), items, 1))


# In which of a few central bins? k-ary response with soft edges.

MOST_STEPS = 16
"""Steps from edge to edge: more would make a larger table and hardly a better one."""


def central(epsilon: float | Fraction, symbols: int, steps: int) -> Table:
    """k-ary response over `symbols` bins whose edges are `steps` steps apart and each one step wide.

    A hard edge sees a lattice (averages of whole numbers) as a jump that depends on where the edge happens to fall.
    Here a position near an edge is rounded to one of the two bins at random, as if the edge had been moved by a uniform
    amount.

    Nodes are one step apart; the first and the last lie half a step outside the outermost edges.
    """
    check(symbols >= 2 and 1 <= steps <= MOST_STEPS, f"central bins: at least two, edges 1 to {MOST_STEPS} steps apart")
    return _central(exact(epsilon), symbols, steps)


@cache
def _central(epsilon: Fraction, symbols: int, steps: int) -> Table:
    response = k_ary(epsilon, symbols).rows
    nodes = (symbols - 2) * steps + 2
    return Table(rows=tuple(response[-(-node // steps)] for node in range(nodes)))
