"""Votes for one item of many: subset selection and unary encoding."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from sottovoce.design.ratio import ratio
from sottovoce.messages import ONE, Subset, Unary, exact


@lru_cache(maxsize=512, typed=True)  # a float is the number that a person means by it, a fraction itself
def subset(epsilon: float | Fraction, items: int, *, size: int | None = None) -> Subset:
    """Subset selection; the default size K / (1 + e^ε) is the best one (Ye and Barg 2018)."""
    most = ratio(exact(epsilon))
    size = max(1, min(items - 1, round(items / (1 + most)))) if size is None else size
    return Subset(items=items, size=size, threshold=math.floor(ONE * most * size / (most * size + items - size)))


def unary(epsilon: float | Fraction, items: int, *, reach: int = 0) -> Unary:
    """Unary encoding: each of the bits in which two hot sets can differ pays an equal part of ε."""
    parts = Unary(items=items, reach=reach, threshold=ONE // 2).disagreements() or 2 * (2 * reach + 1)
    most = ratio(exact(epsilon) / parts)
    return Unary(items=items, reach=reach, threshold=math.floor(ONE * most / (1 + most)))
