"""The two regimes of the sparse mean in which its theorem reads simply (Corollary, L566)."""

from __future__ import annotations

from sottovoce.theory.finite_rates import sparse_conditions
from sottovoce.theory.rate import ONES, Bounds, Condition, Constants, Rate, check_positive, exp, log1


def sparse_few_users(
    *,
    users: float,
    observations: float,
    epsilon: float,
    dimension: int,
    sparsity: int,
    exponent: float = 1.0,
    order: float = 1.0,
    constants: Constants = ONES,
) -> Bounds:
    """Corollary (i) (L569): while nα² ≲ d^γ, s/T ∨ e^{−Cnα²/s} ≲ R ≲ s·log(dnTα²)/T + e^{−cnα²/s}.

    `exponent` is γ in (0, 1], `order` the constant of both ≲ among the conditions, `constants.assumed` C̃ of the
    theorem (L551), whose conditions hold here too. The upper bound is printed with C in its exponent where the proof
    (L3924) has the theorem's c < C, which promises less: c is taken (`constants.fast`).
    """
    check_positive(exponent=exponent, order=order)
    d, s, T, w, conditions = _theorem(users, observations, epsilon, dimension, sparsity, constants)
    upper = constants.upper * s * log1(d * w * T) / T + exp(-constants.fast * w / s)
    conditions = (
        *conditions,
        Condition("nα² ≲ d^γ for a γ with 0 < γ ≤ 1", w <= order * d**exponent and exponent <= 1),
        Condition("s·log(dnTα²)/T + exp(−cnα²/s) ≲ s", upper <= order * s),
    )
    lower = max(constants.lower * s / T, exp(-constants.slow * w / s))
    return Bounds(
        Rate(lower, "s/T ∨ exp(−Cnα²/s)", conditions, 569),
        Rate(upper, "s·log(dnTα²)/T + exp(−cnα²/s)", _without_size(conditions), 569),
    )


def sparse_many_users(
    *,
    users: float,
    observations: float,
    epsilon: float,
    dimension: int,
    sparsity: int,
    order: float = 1.0,
    constants: Constants = ONES,
) -> Bounds:
    """Corollary (ii) (L576): from nα² ≥ C̃·d·log(dnTα²) on, sd/(nTα²) ≲ R ≲ sd·log²(dnTα²)/(nTα²).

    `order` is the constant of ≲ among the conditions, `constants.assumed` is C̃.
    """
    check_positive(order=order)
    d, s, T, w, conditions = _theorem(users, observations, epsilon, dimension, sparsity, constants)
    logs = log1(d * w * T)
    conditions = (
        *conditions,
        Condition("nα² ≥ C̃·d·log(dnTα²)", w >= constants.assumed * d * logs),
        Condition("d·log²(dnTα²)/(nTα²) ≲ 1", d * logs**2 / (w * T) <= order),
    )
    return Bounds(
        Rate(constants.lower * s * d / (w * T), "sd/(nTα²)", conditions, 576),
        Rate(constants.upper * s * d * logs**2 / (w * T), "sd·log²(dnTα²)/(nTα²)", _without_size(conditions), 576),
    )


def _theorem(
    users: float, observations: float, epsilon: float, dimension: int, sparsity: int, constants: Constants
) -> tuple[int, int, float, float, tuple[Condition, ...]]:
    """d, s, T, nα², and the conditions of the theorem (L551) that the corollary inherits."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension, sparsity=sparsity)
    w = users * epsilon**2
    private, size, strong = sparse_conditions(epsilon, dimension, sparsity, w, constants)
    return dimension, sparsity, observations, w, (private, strong, size)


def _without_size(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """An upper bound holds for every s (L588)."""
    return tuple(condition for condition in conditions if "lower bound only" not in condition.name)
