"""Bounds for any metric entropy: what no number of observations can beat, and what voting over a cover reaches."""

from __future__ import annotations

import math
from collections.abc import Callable

from sottovoce.theory.metric_entropy import MetricEntropy
from sottovoce.theory.rate import ONES, Bounds, Condition, Constants, Rate, check_positive, exp, strength

SMALLEST = 1e-140
Loss = Callable[[float], float]


def squared(distance: float) -> float:
    """Φ(x) = x², the loss of every problem in the paper."""
    return distance**2


def failures(log_centres: float, w: float) -> float:
    """N·e^{−w/20}: how often voting over N centres fails (L186), in the bound; no more than a float holds."""
    return exp(min(log_centres - w / 20, 700.0))


def general_bounds(entropy: MetricEntropy, *, users: float, epsilon: float, loss: Loss = squared) -> Bounds:
    """Theorem 2 (L184): the infinite-T minimax risk of a space with this metric entropy, constants included.

    sup_Δ Φ(Δ)/2·(1 − (12n·min(α, α²) + log 2)/log N(2Δ)) ≤ R ≤ inf_Δ Φ(Δ) + Φ(diam)·N(Δ)·e^{−n·min(α, α²)/20}

    The lower bound holds for every T (Corollary, L198). For N the bound of `entropy` on the safe side is taken.

    Accuracy
    --------
    Supremum and infimum over 1e-140 < Δ < `entropy.largest` to about six digits. A lower bound of 0 means that no
    such Δ makes the bracket positive (L216): it is below 1e-280, or there is none.
    """
    check_positive(users=users, epsilon=epsilon)
    w = strength(users, epsilon)

    def below(delta: float) -> float:
        return loss(delta) / 2 * _bracket(entropy, delta, 12 * w)

    def above(delta: float) -> float:
        return loss(delta) + loss(entropy.diameter) * failures(entropy.upper(delta), w)

    lower = max(0.0, -_least(lambda delta: -below(delta), entropy.largest / 2))
    upper = min(_least(above, entropy.largest), loss(entropy.diameter))
    sizes = (Condition("there is Δ > 1e-140 with log N(2Δ) > 12n·min(α, α²) + log 2", lower > 0),)
    return Bounds(
        Rate(lower, "sup_Δ Φ(Δ)/2·(1 − (12n·min(α, α²) + log 2)/log N(2Δ))", sizes, 184),
        Rate(upper, "inf_Δ Φ(Δ) + Φ(diam Θ)·N(Δ)·exp(−n·min(α, α²)/20)", (), 184),
    )


def t_independent_lower_bound(entropy: MetricEntropy, *, users: float, epsilon: float, loss: Loss = squared) -> Rate:
    """Corollary (L198): the lower bound of `general_bounds`, for every T ≥ 1."""
    found = general_bounds(entropy, users=users, epsilon=epsilon, loss=loss).lower
    return Rate(found.value, found.formula, found.conditions, 198)


def approximate_lower_bound(
    entropy: MetricEntropy,
    *,
    users: float,
    epsilon: float,
    privacy_delta: float,
    loss: Loss = squared,
    constants: Constants = ONES,
    information: float = 1.0,
) -> Rate:
    """The lower bound under (α, δ)-LDP (L1543): δ ≲ min(1, α)/(n log n) buys nothing, whatever T is.

    sup_Δ Φ(Δ)·(1 − (C·n·min(α, α²) + log 2)/log N(2Δ)), up to a constant factor `constants.lower`; `information` is
    C, 1 in the statement and unspecified in the proof. `constants.assumed` is both c and 1/C of the conditions.
    """
    check_positive(users=users, epsilon=epsilon, information=information)
    w = strength(users, epsilon)
    value = max(
        0.0, -_least(lambda delta: -loss(delta) * _bracket(entropy, delta, information * w), entropy.largest / 2)
    )
    room = constants.assumed * min(1.0, epsilon) / (users * max(math.log(users), 1e-300))
    conditions = (
        Condition("δ ≤ c·min(1, α)/(n log n)", 0 <= privacy_delta <= room),
        Condition("n·min(1, α) > C", users * min(1.0, epsilon) > 1 / constants.assumed),
        Condition("there is Δ > 1e-140 with log N(2Δ) > n·min(α, α²) + log 2", value > 0),
    )
    formula = "sup_Δ Φ(Δ)·(1 − (n·min(α, α²) + log 2)/log N(2Δ))"
    return Rate(constants.lower * value, formula, conditions, 1543)


def _bracket(entropy: MetricEntropy, delta: float, information: float) -> float:
    size = entropy.lower(2 * delta)
    return 1 - (information + math.log(2)) / size if size > 0 else -math.inf


def _least(function: Loss, largest: float) -> float:
    """The least value over Δ on a logarithmic grid, refined around the best point."""
    from scipy.optimize import minimize_scalar

    low, high = math.log(SMALLEST), math.log(largest * (1 - 1e-9))
    steps = 4000
    grid = [low + (high - low) * k / steps for k in range(steps + 1)]
    values = [function(math.exp(x)) for x in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    ends = grid[max(best - 1, 0)], grid[min(best + 1, steps)]
    refined = minimize_scalar(lambda x: function(math.exp(x)), bounds=ends, method="bounded", options={"xatol": 1e-9})
    return min(values[best], float(refined.fun))
