"""The widths that balance the general bounds (L205), and the one that voting over a cover should take."""

from __future__ import annotations

import math
from collections.abc import Callable

from sottovoce.messages import InvalidInput
from sottovoce.theory.general_bounds import SMALLEST, Loss, failures, squared
from sottovoce.theory.metric_entropy import MetricEntropy
from sottovoce.theory.rate import Bounds, Condition, Rate, check_positive, strength

_STEPS = 200


def delta_lower(entropy: MetricEntropy, *, users: float, epsilon: float) -> float:
    """Δ_LB (L205): the largest Δ with log N(2Δ) ≥ ⌈24n·min(α, α²) + 2·log 2⌉; 0 where there is none above 1e-140.

    N is taken at its lower bound, which can only make Δ_LB smaller: the risk is at least Φ(Δ_LB)/4 all the same, since
    then (12n·min(α, α²) + log 2)/log N(2Δ) ≤ ½ (L198).
    """
    check_positive(users=users, epsilon=epsilon)
    needed = math.ceil(24 * strength(users, epsilon) + 2 * math.log(2))
    return _last(lambda delta: entropy.lower(2 * delta) >= needed, SMALLEST, entropy.largest / 2)


def delta_upper(entropy: MetricEntropy, *, users: float, epsilon: float, loss: Loss = squared) -> float:
    """Δ_UB (L205): the smallest Δ with Φ(Δ) ≥ Φ(diam)·N(Δ)·e^{−n·min(α, α²)/20}; infinite where there is none.

    N is taken at its upper bound, which can only make Δ_UB larger: the risk is at most 2Φ(Δ_UB) all the same (L186).
    """
    check_positive(users=users, epsilon=epsilon)
    w = strength(users, epsilon)

    def balanced(delta: float) -> bool:
        return loss(delta) >= loss(entropy.diameter) * failures(entropy.upper(delta), w)

    top = entropy.largest * (1 - 1e-12)
    if not balanced(top):
        return math.inf
    return 1 / _last(lambda inverse: balanced(1 / inverse), 1 / top, 1 / SMALLEST)


def balanced_bounds(entropy: MetricEntropy, *, users: float, epsilon: float, loss: Loss = squared) -> Bounds:
    """Φ(Δ_LB)/4 ≤ R_{n,∞,α} ≤ 2·Φ(Δ_UB) (L209): the general bounds at the Δ that balance them, constants included."""
    low = delta_lower(entropy, users=users, epsilon=epsilon)
    high = delta_upper(entropy, users=users, epsilon=epsilon, loss=loss)
    most = loss(entropy.diameter)
    return Bounds(
        Rate(loss(low) / 4 if low > 0 else 0.0, "Φ(Δ_LB)/4", (Condition("there is a Δ_LB > 1e-140", low > 0),), 209),
        Rate(
            min(most, 2 * loss(high)) if high < math.inf else most,
            "2·Φ(Δ_UB)",
            (Condition("there is a Δ_UB", high < math.inf),),
            209,
        ),
    )


def cover_risk(
    *, delta: float, diameter: float, centres: float, users: float, epsilon: float, loss: Loss = squared
) -> float:
    """Φ(Δ) + Φ(diam)·N·e^{−n·min(α, α²)/20} (L186) for a cover with N centres, and never above Φ(diam)."""
    check_positive(diameter=diameter, centres=centres, users=users, epsilon=epsilon)
    if not 0 <= delta < math.inf:
        raise InvalidInput(rule="delta must be finite and not negative", got=delta)
    failed = failures(math.log(centres), strength(users, epsilon))
    return min(loss(diameter), loss(delta) + loss(diameter) * failed)


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The largest point at which a condition still holds that holds up to some point; 0 if it does not at `low`."""
    if not holds(low):
        return 0.0
    if holds(high * (1 - 1e-12)):
        return high
    ends = math.log(low), math.log(high)
    for _ in range(_STEPS):
        middle = (ends[0] + ends[1]) / 2
        ends = (middle, ends[1]) if holds(math.exp(middle)) else (ends[0], middle)
    return math.exp(ends[0])
