"""T*: how many observations the paper's procedures use, and so how far more of them can help."""

from __future__ import annotations

import math
from typing import Literal

from sottovoce.messages import InvalidInput, nearest_exp, nearest_log
from sottovoce.theory.rate import check_positive, log1, strength

Problem = Literal["mean", "mean-linf", "mean-l2", "sparse", "density", "mixture", "discrete"]
PROOF_CONSTANT = 8535.0
"""K of the proofs at α = 1 (ERRATA 5)."""


def targets(
    problem: Problem, *, dimension: int = 1, sparsity: int = 1, components: int = 1, categories: int = 2
) -> float:
    """By what n·min(α, α²) is divided in the exponent: d, s, m² or N, the targets that share the users.

    The univariate mean has 1 (L442), ℓ∞ and ℓ2 balls d (L457), selected sparse coordinates s (L603), mixtures m²
    (L1190), histograms N (L830).
    """
    found = {
        "mean": 1,
        "mean-linf": dimension,
        "mean-l2": dimension,
        "sparse": sparsity,
        "mixture": components**2,
        "discrete": categories,
    }
    if problem not in found:
        raise InvalidInput(rule=f"problem must be one of {', '.join(found)}", got=problem)
    check_positive(targets=found[problem])
    return float(found[problem])


def t_star(
    *, users: float, observations: int, epsilon: float, targets: float = 1.0, constant: float = PROOF_CONSTANT
) -> int:
    """T* = T ∧ exp(n·min(α, α²)/(K·targets)) (L442, L457, L603, L1190, L1743), rounded down, at least 1.

    For α > 1 the proofs have min(α, α²) also where L1772 and L1799 print n alone (ERRATA 4).
    """
    check_positive(users=users, observations=observations, epsilon=epsilon, targets=targets, constant=constant)
    exponent = strength(users, epsilon) / (constant * targets)
    return observations if exponent >= nearest_log(observations) else max(1, math.floor(nearest_exp(exponent)))


def density_t_zero(*, users: float, epsilon: float, smoothness: float, constant: float = 1.0) -> float:
    """T₀ = (nα²)^{2β+1}/{C_β·log(nα²)}^{2β+2} (L796): beyond it, no more basis functions are estimated."""
    check_positive(users=users, epsilon=epsilon, smoothness=smoothness, constant=constant)
    w = users * epsilon**2
    return float(w ** (2 * smoothness + 1) / (constant * log1(w)) ** (2 * smoothness + 2))


def density_terms(
    *, users: float, observations: float, epsilon: float, smoothness: float, constant: float = 1.0
) -> int:
    """M = {nα²·min(T, T₀)}^{1/(2β+2)} (L796), rounded down, at least 1."""
    used = min(observations, density_t_zero(users=users, epsilon=epsilon, smoothness=smoothness, constant=constant))
    return max(1, math.floor(math.pow(users * epsilon**2 * used, 1 / (2 * smoothness + 2))))
