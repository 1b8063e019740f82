"""How computation grows (L1819): what one device does while all work at once, or the server with n reports.

Functions of n, T (T* of the paper), d, M (coefficients), m (components) and α, without constants. α > 1 is stated for
the mean: a user then answers for min(d, ⌊α⌋) coordinates (L1837, L1844); the univariate procedure does not change.
"""

from __future__ import annotations

import math


def univariate(*, n: float, T: float) -> float:
    """max{T*, n·T*^½}, for every α (L1828)."""
    return max(T, n * math.sqrt(T))


def answered_for(*, d: float, alpha: float) -> float:
    """For how many coordinates a user answers: d ∧ ⌊α⌋ above α = 1, else one."""
    return float(min(d, math.floor(alpha))) if alpha > 1 else 1.0


def linf_ball(*, n: float, T: float, d: float, alpha: float) -> float:
    """max{k·T*, k·n·T*^½}, k = d ∧ ⌊α⌋ above α = 1, else 1 (L1835, L1837)."""
    k = answered_for(d=d, alpha=alpha)
    return max(k * T, k * n * math.sqrt(T))


def l2_ball(*, n: float, T: float, d: float, alpha: float) -> float:
    """max{d², k·T*, k·n·(dT*)^½}, k = d ∧ ⌊α⌋ above α = 1, else 1 (L1842, L1844)."""
    k = answered_for(d=d, alpha=alpha)
    return max(d**2, k * T, k * n * math.sqrt(d * T))


def sparse_selection(*, n: float, T: float, d: float) -> float:
    """max{T*, nd, n·T*^½} (L1849); stated for α ≤ 1."""
    return max(T, n * d, n * math.sqrt(T))


def sparse_threshold(*, n: float, T: float, d: float) -> float:
    """max{d, T*, n·T*^½} (L1854); stated for α ≤ 1."""
    return max(d, T, n * math.sqrt(T))


def density(*, n: float, T: float, M: float) -> float:
    """max{M·T*, n·T*^½} (L1859); stated for α ≤ 1."""
    return max(M * T, n * math.sqrt(T))


def mixture(*, n: float, T: float, m: float) -> float:
    """max{T*, mn} (L1864); stated for α ≤ 1."""
    return max(T, m * n)
