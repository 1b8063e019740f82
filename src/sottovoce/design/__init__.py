"""Channels for a given ε: the best integers that provably stay within it.

Each function starts from a rational E ≤ e^ε and rounds toward privacy, so `epsilon_bound` of the result never
exceeds the ε that was asked for. Up to ε = 8 the slack is below 1e-15 for channels of the sizes in use (`laplace`:
1.2e-10); toward ε = 16, where the rarest symbol has probability 1e-7, it grows to 1e-11.
"""

from __future__ import annotations

from sottovoce.design.channels import LAPLACE_CLAMP_SCALES, MIN_LAPLACE_EPSILON, laplace, subset, unary
from sottovoce.design.tables import (
    MOST_STEPS,
    best_position_table,
    central,
    designed_reach,
    designed_table,
    even_table,
    k_ary,
    one_bit,
    piecewise,
    usual_variance,
)
from sottovoce.design.windows import PLACES, WindowsTable, bent, on_nodes, tail_tables

__all__ = [
    "LAPLACE_CLAMP_SCALES",
    "MIN_LAPLACE_EPSILON",
    "MOST_STEPS",
    "PLACES",
    "WindowsTable",
    "bent",
    "best_position_table",
    "central",
    "designed_reach",
    "designed_table",
    "even_table",
    "k_ary",
    "laplace",
    "on_nodes",
    "one_bit",
    "piecewise",
    "subset",
    "tail_tables",
    "unary",
    "usual_variance",
]
