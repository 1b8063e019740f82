"""What must come out. One line a limit; `parts` gives the figure of the same key."""

from __future__ import annotations

LEAST, MOST = "≥", "≤"
GROWTH = 1.25
"""Time grows in proportion to every size; arrays that leave the caches cost more a number."""


def _pair(key: str, sense: str, fast: float, bare: float) -> dict[str, tuple[str, float]]:
    """With the extra `fast`, and with NumPy alone."""
    return {f"{key}/fast": (sense, fast), f"{key}/numpy": (sense, bare)}


LIMITS: dict[str, tuple[str, float]] = {
    **_pair("client/64/multi-freq-ldpy", LEAST, 25, 10),
    **_pair("client/1024/multi-freq-ldpy", LEAST, 15, 6),
    **_pair("client/64/pure-ldp", LEAST, 150, 50),
    **_pair("tally/64/multi-freq-ldpy", LEAST, 100, 10),
    **_pair("tally/64/pure-ldp", LEAST, 100, 10),
    **_pair("tally/1024/multi-freq-ldpy", LEAST, 40, 8),
    **_pair("tally/1024/pure-ldp", LEAST, 40, 8),
    **_pair("laplace/numpy", MOST, 6, 15),
    **_pair("laplace/diffprivlib", LEAST, 50, 50),
    **_pair("laplace/opendp-scalar", LEAST, 50, 50),
    **_pair("laplace/opendp-vector", LEAST, 20, 20),
    "columns/1": (LEAST, 100),
    "columns/1024": (LEAST, 15),
    "columns/1/bytes": (MOST, 4),
    "columns/1024/bytes": (MOST, 4),
    "rows/mean": (MOST, 8),
    "rows/parquet": (MOST, 1.5),
    "rows/csv": (MOST, 2.5),
    "rows/memory/growth": (MOST, 1.1),
    "rows/memory/20-million": (MOST, 2000),
    "reports/exponent/low": (LEAST, 0.95),
    "reports/exponent/high": (MOST, 1.05),
    "reports/memory/growth": (MOST, 1.25),  # a bit for each slot that is asked: 12 MB for 10⁸
    "device/unary": (MOST, 5),
    "device/histogram": (MOST, 5),
    "device/mean": (MOST, 5),
    "growth/mean/n": (MOST, GROWTH),
    "growth/mean/T": (MOST, GROWTH),
    "growth/histogram/n": (MOST, GROWTH),
    "growth/histogram/T": (MOST, GROWTH),
    "growth/histogram/K": (MOST, GROWTH),
    "growth/vector/n": (MOST, GROWTH),
    "growth/vector/T": (MOST, GROWTH),
    "growth/vector/d": (MOST, GROWTH),
}
