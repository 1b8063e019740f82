"""Integer tables for a given ε: the channels that protocols ask through."""

from __future__ import annotations

from sottovoce.design.channels import (
    LAPLACE_CLAMP_SCALES,
    MIN_LAPLACE_EPSILON,
    best_position_table,
    k_ary,
    laplace,
    one_bit,
    piecewise,
    subset,
    unary,
)

__all__ = [
    "LAPLACE_CLAMP_SCALES",
    "MIN_LAPLACE_EPSILON",
    "best_position_table",
    "k_ary",
    "laplace",
    "one_bit",
    "piecewise",
    "subset",
    "unary",
]
