"""Tables of windows: one report, several decodings.

An upper end of an interval needs an upper bound on what lies beyond the upper end of a question, and no more: for any
h with h(x) ≥ x, an unbiased decoding of h bounds the mean, whatever the users are. So a table need not tell one end of
the range from the other; it has to tell each end from the place where users are.

Symbols are windows of neighbouring nodes: e^ε times as likely from inside as from outside. Windows that together hold
every node equally often make a table at any ε. Which windows, and how often each, was solved for at some ε and stands
in ``windows.json``, where ``python -m benchmarks.design_windows`` writes it; between those ε the nearest is within .01
of the best loss. So nothing is solved here, and every processor makes the same tables. Integers are rounded toward
privacy. Everything here is on [−1, 1].
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from sottovoce.design.tables import ratio
from sottovoce.messages import ONE, Floats, Table

GAP = 2.0**-10
"""How near to an end of the range an end of a question may come in a design: there is a knot on either side of it."""

# Where users may be found: the width of the question's core, and its middle. Mirrored where it is not the middle.
PLACES: tuple[tuple[float, float], ...] = (
    (0.03, 0.0),
    (0.1, 0.0),
    (0.3, 0.0),
    (0.9, 0.0),
    (0.06, 0.65),
    (0.3, 0.6),
    (0.08, 0.88),
    (0.45, 1 - 0.225 - GAP),
)
Windows = tuple[tuple[int, int, int], ...]
"""First and last node of each window, and how often it is used."""


def bent(nodes: Floats, low: Any, high: Any) -> Floats:
    """At each node: the number clipped to [low, high], then the same bent below `low` and above `high` only.

    The rows are core, lower and upper: no number is below its `lower`, none above its `upper`; and
    lower + upper − core is the number itself.
    """
    core = np.clip(nodes, low, high)
    return np.stack((core, np.minimum(nodes, high), np.maximum(nodes, low)))


@dataclass(frozen=True, kw_only=True)
class WindowsTable:
    """A table for users who are found in the middle of some nodes, and what it was designed for."""

    table: Table
    width: float
    """Of the core, on [−1, 1]."""
    middle: float


def on_nodes(nodes: Floats, points: Floats, weights: Floats) -> Floats:
    """How much of a law falls on each node, if every point is rounded to one of its two nodes without bias.

    `nodes` is ``(…, K)``, the result too.
    """
    left, right = nodes[..., :-1, None], nodes[..., 1:, None]
    beyond = np.clip((points - left) / (right - left), 0, 1) @ weights
    total = float(weights.sum())
    ones, zeros = np.full((*beyond.shape[:-1], 1), total), np.zeros((*beyond.shape[:-1], 1))
    return np.asarray(np.concatenate((ones, beyond), -1) - np.concatenate((beyond, zeros), -1))


@cache
def tail_tables(epsilon: Fraction) -> tuple[WindowsTable, ...]:
    """The tables that a last question chooses from, whatever the width of its core and wherever that lies."""
    made: list[WindowsTable] = []
    for (width, middle), windows in zip(PLACES, _nearest(epsilon), strict=True):
        rows = window_rows(epsilon, windows)
        made.append(WindowsTable(table=Table(rows=rows), width=width, middle=middle))
        if middle:
            made.append(WindowsTable(table=Table(rows=rows[::-1]), width=width, middle=-middle))
    return tuple(made)


@cache
def _solutions() -> dict[str, tuple[Windows, ...]]:
    """For each place, at each ε that was solved for."""
    return dict(json.loads(files("sottovoce.design").joinpath("windows.json").read_text(encoding="ascii")))


def _nearest(epsilon: Fraction) -> tuple[Windows, ...]:
    """What was solved for at the nearest ε."""
    solved = _solutions()
    return solved[min(solved, key=lambda one: abs(math.log(float(one) / float(epsilon))))]


def window_rows(epsilon: Fraction, windows: Windows) -> tuple[tuple[int, ...], ...]:
    """Rows that sum to 2^64 and keep ε: each entry rounded toward privacy, what is left added where a row is low."""
    most, nodes = ratio(epsilon), 1 + max(last for _, last, _ in windows)
    held = [[use for first, last, use in windows if first <= node <= last] for node in range(nodes)]
    total = sum(use for _, _, use in windows) + (most - 1) * max(map(sum, held))
    total *= 1 + Fraction(1, 2**40)  # entries are rounded up
    low = [max(1, math.ceil(ONE * use / total)) for _, _, use in windows]
    high = [math.floor(most * one) for one in low]
    rows = []
    for node in range(nodes):
        inside = [first <= node <= last for first, last, _ in windows]
        row = [high[at] if held else low[at] for at, held in enumerate(inside)]
        outside = [at for at, held in enumerate(inside) if not held]
        left, more = divmod(ONE - sum(row), len(outside))
        for place, at in enumerate(outside):
            row[at] += left + (place < more)
        rows.append(tuple(row))
    return tuple(rows)
