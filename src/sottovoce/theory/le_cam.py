"""The paper's first example (L167): two lower bounds on a mean, one that falls with T and one that does not.

For the mean of any law with mean in [−1, 1], squared error, α ≤ 1. The constants are those of the proofs
(L1254–L1292): two laws that are hard to tell apart.
"""

from __future__ import annotations

import math

from sottovoce.theory.rate import Rate, check_positive, exp, high_privacy


def example_finite(*, users: float, observations: float, epsilon: float) -> Rate:
    """min{1, 1/(nTα²)} up to constants (L169): Δ²/2·(1 − √(48nTα²Δ²)), Δ = min{1/5, (192nTα²)^−½} (L1261).

    1/(768·nTα²) where nTα² ≥ 25/192; below that between 1/100 and 1/50.
    """
    check_positive(users=users, observations=observations, epsilon=epsilon)
    size = users * observations * epsilon**2
    delta = min(1 / 5, 1 / math.sqrt(192 * size))
    value = delta**2 / 2 * (1 - math.sqrt(48 * size * delta**2))
    return Rate(value, "Δ²/2·(1 − √(48nTα²Δ²)), Δ = min{1/5, (192nTα²)^−½}", (high_privacy(epsilon),), 169)


def example_infinite(*, users: float, epsilon: float) -> Rate:
    """¼·e^{−12nα²}, whatever T is (L174).

    The proof's first step (L1285), ½(1 − TV), cannot hold: its two laws have means 0 and 1, and answering ½ has risk ¼.
    What it arrives at does. The Bayes risk of the pair is ½∫m₀m₁/(m₀ + m₁), which is at least ¼·e^{−KL(m₀‖m₁)} by
    Jensen's inequality, and KL ≤ 12nα².
    """
    check_positive(users=users, epsilon=epsilon)
    return Rate(exp(-12 * users * epsilon**2) / 4, "¼·exp(−12nα²)", (high_privacy(epsilon),), 174)


def example_lower_bound(*, users: float, observations: float, epsilon: float) -> Rate:
    """The larger of the two: what a mean cannot beat, and from some T on does not depend on it (L167)."""
    finite = example_finite(users=users, observations=observations, epsilon=epsilon)
    infinite = example_infinite(users=users, epsilon=epsilon)
    return Rate(max(finite.value, infinite.value), f"{finite.formula} ∨ {infinite.formula}", finite.conditions, 167)
