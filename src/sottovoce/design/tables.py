"""Tables for positions and categories: one bit, k-ary response, piecewise, and the best by linear programming."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from operator import mul
from typing import Any

import numpy as np

from sottovoce.messages import MAX_CHANNEL_EPSILON, ONE, Floats, Table, check, exact, exp_below, nearest_exp

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


# Up to which ε, how many nodes, and of how many symbols the window: piecewise tables for users anywhere, of full rank,
# so that they can be decoded for any function of the position. Up to .85 each report is one bit, at a random threshold.
# Against the best table of linear programming (below) the unbiased decoding has .99 to 1.02 times its standard error.
# Sizes by the half-widths of 23 kinds of users; windows that divide the nodes but one do best.
EVEN_SIZES = (
    (0.85, 17, 16),
    (1.1, 17, 14),
    (2.6, 17, 8),
    (3.3, 25, 8),
    (4.75, 25, 6),
    (5.75, 33, 5),
    (7.2, 33, 4),
    (9.5, 33, 2),
    (math.inf, 33, 1),
)


@cache
def even_table(epsilon: Fraction) -> Table:
    """A table for a position that may lie anywhere, to be bent where users are found; a closed form."""
    _, nodes, window = next(size for size in EVEN_SIZES if float(epsilon) <= size[0])
    return piecewise(epsilon, nodes=nodes, window=window)


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


# Tables for positions by linear programming: the lowest variance that an unbiased table of its size can have.
#
# Variables are the chances Q[g, l] of symbol l at node g and the smallest chance m[l] of each symbol. Rows sum to one,
# decode to their node, and m ≤ Q ≤ e^ε·m; the variance is averaged over where users usually are: 70 % near the middle
# of the range, 30 % anywhere. The solution is symmetric, turned into integers with a little slack toward privacy, and
# taken only when those integers prove the ε and the table beats the closed form. Another solver may end at another
# optimum, so a survey that several machines replay should carry its table. What the solver is given, and what is made
# of its result, is the same on every processor.

SIZES = ((2.0, 9, 13), (3.0, 17, 17), (math.inf, 33, 21))
"""Up to which ε, how many nodes, how many symbols: more of either changes less than 2 %."""
TOPS = (1.02, 1.1, 1.2, 1.35, 1.6)
"""The outermost decoded value, in units of that of one bit, coth(ε/2): below 1 nothing is unbiased."""
WORTHWHILE = 0.99
"""A larger table must pay for its bytes, and for an interval that is no longer exactly binomial."""
SOLVED_FOR = (0.3, 6.5)
"""Outside, the closed form is about as good at these sizes and nothing is solved."""
MIX = 2.0**-20
"""Of each column's mean in every entry: it pays for rounding, and costs at most 2e-5 in ε."""
UNUSED = 1e-7
EXACT = 1e-12
_FINE = 257


def usual_weights(places: Floats) -> Floats:
    """How much each place on [−1, 1] counts: 70 % normal around the middle with deviation .45, 30 % uniform."""
    near = np.array([nearest_exp(-square / 2) for square in ((places / 0.45) ** 2).tolist()])
    return np.asarray(0.7 * near / near.sum() + 0.3 / len(places))


@lru_cache(maxsize=64)
def usual_variance(table: Table) -> float:
    """A table's variance on a range of half-width 1, averaged over where users usually are."""
    places, weights = _fine_places()
    return 4 * float(weights @ table.variance((places + 1) / 2))


@cache
def _fine_places() -> tuple[Floats, Floats]:
    """Places all over the range, and how much each counts."""
    places = np.linspace(-1.0, 1.0, _FINE)
    return places, usual_weights(places)


def designed_reach(epsilon: Fraction) -> float:
    """The outermost value on [0, 1] that a designed table, or its stand-in, can decode: known before any is made."""
    plain = max(best_position_table(epsilon).decode)
    return max(plain, (1 + TOPS[-1] * coth_half(epsilon)) / 2) if _worth_solving(epsilon) else plain


def _worth_solving(epsilon: Fraction) -> bool:
    return SOLVED_FOR[0] <= float(epsilon) <= SOLVED_FOR[1]


@cache
def designed_table(epsilon: Fraction) -> Table:
    """The best table of its size, or the closed form where that is about as good or nothing can be solved."""
    plain = best_position_table(epsilon)
    if not _worth_solving(epsilon):
        return plain
    _, nodes, symbols = next(size for size in SIZES if float(epsilon) <= size[0])
    try:
        found = [table for top in TOPS if (table := _solved(epsilon, nodes, symbols, top)) is not None]
    except ImportError:  # no solver here
        return plain
    best = min(found, key=usual_variance, default=plain)
    return best if usual_variance(best) < WORTHWHILE * usual_variance(plain) else plain


def _solved(epsilon: Fraction, nodes: int, symbols: int, top: float) -> Table | None:
    """The best table whose decoded values are evenly spaced up to `top`, if its integers hold what they should."""
    widest = top * coth_half(epsilon)
    places, values = np.linspace(-1.0, 1.0, nodes), np.linspace(-widest, widest, symbols)
    law = _optimum(float(ratio(epsilon)), places, values)
    if law is None:
        return None
    law = (law + law[::-1, ::-1]) / 2
    used = law.max(axis=0) >= UNUSED
    table = _in_integers(law[:, used], values[used])
    if table is None or table.epsilon_bound() > epsilon:
        return None
    off = table.probabilities @ np.asarray(table.decode) - (places + 1) / 2
    return table if float(np.abs(off).max()) <= EXACT else None


def _optimum(most: float, places: Floats, values: Floats) -> Floats | None:
    from scipy.optimize import linprog  # slow to import, and a table can be had without
    from scipy.sparse import coo_matrix

    solve: Any = linprog  # its stubs know no sparse matrices
    nodes, symbols = len(places), len(values)
    cells = np.arange(nodes * symbols)
    node, symbol, one = cells // symbols, cells % symbols, np.ones(nodes * symbols)
    lowest = len(cells) + symbol  # the column of m[l] for each cell
    below = np.concatenate([one, -most * one, one, -one])  # Q − e^ε·m ≤ 0, then m − Q ≤ 0
    below_at = np.concatenate([cells, cells, len(cells) + cells, len(cells) + cells])
    below_of = np.concatenate([cells, lowest, lowest, cells])
    equal = np.concatenate([one, values[symbol]])  # rows sum to one, then decode to their node
    equal_at = np.concatenate([node, nodes + node])
    unknowns = len(cells) + symbols
    solved = solve(
        np.concatenate([(usual_weights(places)[:, None] * values**2).ravel(), np.zeros(symbols)]),
        A_ub=coo_matrix((below, (below_at, below_of)), shape=(2 * len(cells), unknowns)).tocsr(),
        b_ub=np.zeros(2 * len(cells)),
        A_eq=coo_matrix((equal, (equal_at, np.tile(cells, 2))), shape=(2 * nodes, unknowns)).tocsr(),
        b_eq=np.concatenate([np.ones(nodes), places]),
        bounds=(0, None),
        method="highs-ds",
    )
    return np.asarray(solved.x[: len(cells)]).reshape(nodes, symbols) if solved.status == 0 else None


def _in_integers(law: Floats, values: Floats) -> Table | None:
    """Rows that sum to 2^64, decoded by one affine map of the values so that both ends are unbiased."""
    law = (1 - MIX) * np.clip(law, 0.0, None) + MIX * law.mean(axis=0)
    law /= law.sum(axis=1, keepdims=True)
    rows = []
    for chances in law:
        row = [math.floor(Fraction(float(chance)) * ONE) for chance in chances]
        row[int(np.argmax(chances))] += ONE - sum(row)
        rows.append(tuple(row))
    if min(map(min, rows)) <= 0:
        return None
    plain = Table(rows=tuple(rows))
    low, high = (math.fsum(chances * values) for chances in plain.probabilities[[0, -1]])
    return Table(rows=plain.rows, decode=tuple(((values - low) / (high - low)).tolist()))
