"""In which of a few central bins? k-ary response with soft edges.

A hard edge sees a lattice (averages of whole numbers) as a jump that depends on where the edge happens to fall. Here a
position near an edge is rounded to one of the two bins at random, as if the edge had been moved by a uniform amount.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from sottovoce.design.tables import k_ary
from sottovoce.messages import Table, check, exact

MOST_STEPS = 16
"""Steps from edge to edge: more would make a larger table and hardly a better one."""


def central(epsilon: float | Fraction, symbols: int, steps: int) -> Table:
    """k-ary response over `symbols` bins whose edges are `steps` steps apart and each one step wide.

    Nodes are one step apart; the first and the last lie half a step outside the outermost edges.
    """
    check(symbols >= 2 and 1 <= steps <= MOST_STEPS, f"central bins: at least two, edges 1 to {MOST_STEPS} steps apart")
    return _central(exact(epsilon), symbols, steps)


@cache
def _central(epsilon: Fraction, symbols: int, steps: int) -> Table:
    response = k_ary(epsilon, symbols).rows
    nodes = (symbols - 2) * steps + 2
    return Table(rows=tuple(response[-(-node // steps)] for node in range(nodes)))
