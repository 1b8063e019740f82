"""Bounds for any metric entropy: what no number of observations can beat, and what voting over a cover reaches.

Covering numbers of the parameter spaces are all that they look at (L184). At the widths that balance them (L205) they
are simple; the last of those is the one that voting over a cover should take. The paper's first example (L167) has two
lower bounds on a mean, one that falls with T and one that does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from sottovoce.messages import InvalidInput
from sottovoce.theory.rate import ONES, Bounds, Condition, Constants, Rate, check_positive, exp, high_privacy, strength


@dataclass(frozen=True, kw_only=True)
class MetricEntropy:
    """Bounds on log N(Δ), the log covering number of (Θ, ρ), for 0 < Δ < `largest`, and the diameter of Θ."""

    name: str
    lower: Callable[[float], float]
    upper: Callable[[float], float]
    diameter: float
    largest: float = 1.0
    line: int = 184


def linf_ball(dimension: int) -> MetricEntropy:
    """[−1, 1]^d with the ℓ2 distance: (d/5Δ²)^{d/2} ≤ N(Δ) ≤ (6d/Δ²)^{d/2} (L1400)."""
    check_positive(dimension=dimension)
    d = dimension
    return MetricEntropy(
        name=f"ℓ∞ ball, d = {d}",
        lower=lambda delta: d / 2 * math.log(d / (5 * delta**2)),
        upper=lambda delta: d / 2 * math.log(6 * d / delta**2),
        diameter=2 * math.sqrt(d),
        line=1400,
    )


def l2_ball(dimension: int) -> MetricEntropy:
    """The unit ball of ℓ2: (1/Δ)^d ≤ N(Δ) ≤ (3/Δ)^d (L1425)."""
    check_positive(dimension=dimension)
    return MetricEntropy(
        name=f"ℓ2 ball, d = {dimension}",
        lower=lambda delta: -dimension * math.log(delta),
        upper=lambda delta: dimension * math.log(3 / delta),
        diameter=2.0,
        line=1425,
    )


def sparse_cube(dimension: int, sparsity: int) -> MetricEntropy:
    """s-sparse vectors of [−1, 1]^d: upper bound by subspaces (L1452), lower bound by a packing (L1460)."""
    check_positive(dimension=dimension, sparsity=sparsity)
    d, s = dimension, sparsity
    return MetricEntropy(
        name=f"sparse vectors, d = {d}, s = {s}",
        lower=lambda delta: s * math.log(d / s) + s / 2 * math.log(s * max(1 / delta - 2, 1e-300) ** 2 / 20),
        upper=lambda delta: s * math.log(math.e * d / s) + s / 2 * math.log(6 * s / delta**2),
        diameter=2 * math.sqrt(s),
        largest=0.25,
        line=1452,
    )


def sobolev(smoothness: float, *, lower: float = 1.0, upper: float = 1.0) -> MetricEntropy:
    """Sobolev densities: c_β·Δ^{−1/β} ≤ log N(Δ) ≤ C_β·Δ^{−1/β} for small Δ (L1493); c_β, C_β are unspecified."""
    check_positive(smoothness=smoothness, lower=lower, upper=upper)
    return MetricEntropy(
        name=f"Sobolev densities, β = {smoothness:g}",
        lower=lambda delta: lower * delta ** (-1 / smoothness),
        upper=lambda delta: upper * delta ** (-1 / smoothness),
        diameter=math.sqrt(2),
        line=1493,
    )


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

    most = loss(entropy.diameter)
    lower = max(
        0.0,
        -_minimum_over_delta(lambda delta: -(loss(delta) / 2 * _bracket(entropy, delta, 12 * w)), entropy.largest / 2),
    )
    upper = min(
        _minimum_over_delta(lambda delta: loss(delta) + most * failures(entropy.upper(delta), w), entropy.largest), most
    )
    sizes = (Condition("there is Δ > 1e-140 with log N(2Δ) > 12n·min(α, α²) + log 2", lower > 0),)
    return Bounds(
        Rate(lower, "sup_Δ Φ(Δ)/2·(1 − (12n·min(α, α²) + log 2)/log N(2Δ))", sizes, 184),
        Rate(upper, "inf_Δ Φ(Δ) + Φ(diam Θ)·N(Δ)·exp(−n·min(α, α²)/20)", (), 184),
    )


def t_independent_lower_bound(entropy: MetricEntropy, *, users: float, epsilon: float, loss: Loss = squared) -> Rate:
    """Corollary (L198): the lower bound of `general_bounds`, for every T ≥ 1."""
    return replace(general_bounds(entropy, users=users, epsilon=epsilon, loss=loss).lower, line=198)


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
        0.0,
        -_minimum_over_delta(
            lambda delta: -loss(delta) * _bracket(entropy, delta, information * w), entropy.largest / 2
        ),
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


def _minimum_over_delta(function: Loss, largest: float) -> float:
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


_STEPS = 200


def delta_lower(entropy: MetricEntropy, *, users: float, epsilon: float) -> float:
    """Δ_LB (L205): the largest Δ with log N(2Δ) ≥ ⌈24n·min(α, α²) + 2·log 2⌉; 0 where there is none above 1e-140.

    N is taken at its lower bound, which can only make Δ_LB smaller: the risk is at least Φ(Δ_LB)/4 all the same, since
    then (12n·min(α, α²) + log 2)/log N(2Δ) ≤ ½ (L198).
    """
    check_positive(users=users, epsilon=epsilon)
    needed = math.ceil(24 * strength(users, epsilon) + 2 * math.log(2))
    return _largest_that_holds(lambda delta: entropy.lower(2 * delta) >= needed, SMALLEST, entropy.largest / 2)


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
    return 1 / _largest_that_holds(lambda inverse: balanced(1 / inverse), 1 / top, 1 / SMALLEST)


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


def _largest_that_holds(holds: Callable[[float], bool], low: float, high: float) -> float:
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


# For the mean of any law with mean in [−1, 1], squared error, α ≤ 1. The constants are those of the proofs
# (L1254–L1292): two laws that are hard to tell apart.


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
