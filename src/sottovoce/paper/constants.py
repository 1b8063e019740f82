"""The constants of the paper's experiments."""

from __future__ import annotations

import math

ALPHAS = (0.5, 1.0, 2.0, 4.0)


def tuning(alpha: float) -> float:
    """C_α in place of √2 (L1077): .5 for α in {.5, 1}, .25 for α in {2, 4}."""
    return 0.5 if alpha <= 1 else 0.25


def delta(users: float, observations: float, alpha: float, constant: float | None = None) -> float:
    """Δ = C √(log(nTα²)/T), with T in place of T* (L1005) and the logarithm at least 1 (ERRATA P6)."""
    size = max(users * observations * alpha**2, math.e)
    return (tuning(alpha) if constant is None else constant) * math.sqrt(math.log(size) / observations)
