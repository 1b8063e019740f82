"""Lower and upper bounds for every problem, with T observations a user and with infinitely many.

With T they hold up to the constants the paper leaves open. With infinitely many (L155) every user knows the answer, and
still cannot say it: there the constants are those of the proofs (L1376–L1522), which the statements suppress,
n·min(α, α²) is w, and a value too small for a float is 0.
"""

from __future__ import annotations

import math

from sottovoce.theory.rate import (
    ONES,
    Bounds,
    Condition,
    Constants,
    Rate,
    check_positive,
    exp,
    high_privacy,
    log1,
    strength,
)


def effective(epsilon: float, dimension: int) -> float:
    """z_{α,d} = min(α, α², d) (L366)."""
    return min(epsilon, epsilon**2, float(dimension))


def mean_linf(
    *, users: float, observations: float, epsilon: float, dimension: int = 1, constants: Constants = ONES
) -> Bounds:
    """Theorem (i) (L370): the mean on [−1, 1]^d."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension)
    d, w, size = dimension, strength(users, epsilon), users * observations * effective(epsilon, dimension)
    conditions = (Condition("n·min(α, α²) > C̃·d·log(ed)", w > constants.assumed * d * math.log(math.e * d)),)
    lower = max(constants.lower * d**2 / size, exp(-constants.slow * w / d))
    upper = constants.upper * d**2 * log1(size / d) / size + exp(-constants.fast * w / d)
    return Bounds(
        Rate(lower, "d²/(nTz) ∨ exp(−C·n·min(α, α²)/d)", conditions, 370),
        Rate(upper, "d²·log(nTz/d)/(nTz) + exp(−c·n·min(α, α²)/d)", conditions, 370),
    )


def mean_l2(
    *, users: float, observations: float, epsilon: float, dimension: int = 1, constants: Constants = ONES
) -> Bounds:
    """Theorem (ii) (L379): the mean on the unit ball of ℓ2."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension)
    d, w, size = dimension, strength(users, epsilon), users * observations * effective(epsilon, dimension)
    conditions = (
        Condition("n·min(α, α²) > C̃′·d·log(ed)", w > constants.assumed * d * math.log(math.e * d)),
        Condition("n·α² > C̃′·d² where α > 1", epsilon <= 1 or users * epsilon**2 > constants.assumed * d**2),
    )
    lower = max(constants.lower * d / size, exp(-constants.slow * w / d))
    upper = min(1.0, constants.upper * d * log1(size) ** 2 / size + exp(-constants.fast * w / d))
    return Bounds(
        Rate(lower, "d/(nTz) ∨ exp(−C′·n·min(α, α²)/d)", conditions, 379),
        Rate(upper, "min{1, d·log²(nTz)/(nTz) + exp(−c′·n·min(α, α²)/d)}", conditions, 379),
    )


def sparse(
    *,
    users: float,
    observations: float,
    epsilon: float,
    dimension: int,
    sparsity: int,
    constants: Constants = ONES,
) -> Bounds:
    """Theorem (L551): s-sparse means on [−1, 1]^d. T ≳ s·log d makes possible what is impossible with one item."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension, sparsity=sparsity)
    d, s, T, w = dimension, sparsity, observations, users * epsilon**2
    private, size, strong = sparse_conditions(epsilon, d, s, w, constants)
    first = min(s / T, s * math.expm1(math.log1p(d / w) / T))
    lower = max(constants.lower * first, exp(-constants.slow * w / s))
    logs = log1(d * w * T)
    selected = constants.upper * s * logs / T + exp(-constants.fast * w / s)
    thresholded = constants.upper * s * d * logs**2 / (w * T) + exp(-constants.fast * w / d)
    return Bounds(
        Rate(lower, "[s/T ∧ s·{(1 + d/(nα²))^{1/T} − 1}] ∨ exp(−Cnα²/s)", (private, size, strong), 551),
        Rate(
            min(float(s), selected, thresholded),
            "min{s, s·log(dnTα²)/T + exp(−cnα²/s), sd·log²(dnTα²)/(nTα²) + exp(−cnα²/d)}",
            (private, strong),
            551,
        ),
    )


def sparse_conditions(
    epsilon: float, d: int, s: int, w: float, constants: Constants
) -> tuple[Condition, Condition, Condition]:
    """The conditions of the theorem (L551): on α, on the size of s, and on how much the users can say."""
    least = math.log(math.e * d)
    return (
        high_privacy(epsilon),
        Condition("16·log(ed)/3 ≤ s ≤ d (lower bound only)", 16 * least / 3 <= s <= d),
        Condition("nα² > C̃·s·log(ed)", w > constants.assumed * s * least),
    )


SWITCH_CONSTANT = 50.0
"""C̃ of the choice between the two sparse procedures, which the paper leaves open (ERRATA 9)."""


def sparse_switch(
    *, users: float, observations: float, epsilon: float, dimension: int, constant: float = SWITCH_CONSTANT
) -> float:
    """C̃·d·log(dnTα²) (L595): from this nα² on, estimating every coordinate and thresholding is the better procedure."""
    check_positive(users=users, observations=observations, epsilon=epsilon, dimension=dimension, constant=constant)
    return constant * dimension * log1(dimension * users * observations * (epsilon * epsilon))


def sparse_procedure(
    *, users: float, observations: float, epsilon: float, dimension: int, constant: float = SWITCH_CONSTANT
) -> str:
    """Which of the two procedures to use (L595): "selection" while nα² ≤ C̃·d·log(dnTα²), else "threshold"."""
    switch = sparse_switch(
        users=users, observations=observations, epsilon=epsilon, dimension=dimension, constant=constant
    )
    return "selection" if users * epsilon**2 <= switch else "threshold"


def sparse_misspecified(
    *,
    users: float,
    observations: float,
    epsilon: float,
    dimension: int,
    sparsity: int,
    assumed_sparsity: int,
    constants: Constants = ONES,
) -> Rate:
    """The upper bound when `assumed_sparsity` is used for the true `sparsity` (L750): too few costs the difference.

    The printed third term has dnTα² below the line, where the theorem it copies has nTα²; the theorem is taken.
    """
    assumed = sparse(
        users=users,
        observations=observations,
        epsilon=epsilon,
        dimension=dimension,
        sparsity=assumed_sparsity,
        constants=constants,
    ).upper
    check_positive(sparsity=sparsity)
    missed = max(0, sparsity - assumed_sparsity)
    return Rate(missed + assumed.value, f"(s − s₁)₊ + {assumed.formula}", assumed.conditions, 750)


def density(
    *, users: float, observations: float, epsilon: float, smoothness: float, constants: Constants = ONES
) -> Bounds:
    """Theorem (L777): β-Sobolev densities on [0, 1]."""
    check_positive(users=users, observations=observations, epsilon=epsilon, smoothness=smoothness)
    beta, w = smoothness, users * epsilon**2
    size = w * observations
    conditions = (high_privacy(epsilon), Condition("nα² ≥ C̃_β", w >= constants.assumed))
    poly, flat = size ** (-2 * beta / (2 * beta + 2)), w ** (-2 * beta)
    lower = constants.lower * max(poly, flat)
    upper = constants.upper * (poly * log1(size) + flat * log1(w) ** (2 * beta + 3))
    return Bounds(
        Rate(lower, "c_β·{(nTα²)^{−2β/(2β+2)} ∨ (nα²)^{−2β}}", conditions, 777),
        Rate(
            upper,
            "C_β·{(nTα²)^{−2β/(2β+2)}·log(nTα²) + (nα²)^{−2β}·log^{2β+3}(nα²)}",
            conditions,
            777,
        ),
    )


def mixture(
    *,
    users: float,
    observations: float,
    epsilon: float,
    components: int,
    least_share: float,
    separation: float,
    constants: Constants = ONES,
) -> Bounds:
    """Theorem (L1164): the means of m components on [−1, 1], each user drawing from one of them."""
    check_positive(users=users, observations=observations, epsilon=epsilon, components=components)
    check_positive(least_share=least_share, separation=separation)
    m, w, T = components, users * epsilon**2, observations
    C = constants.assumed
    close = max(C * math.sqrt(log1(w * T) / T), exp(-constants.fast * w / m**2))
    conditions = (
        high_privacy(epsilon),
        Condition("nα² ≥ C̃·m²·log(nα²)", w >= C * m**2 * log1(w)),
        Condition("T ≥ C̃′·m²·log(nTα²)", T >= C * m**2 * log1(w * T)),
        Condition("π₀ > c̃/m (c̃ = ½: shares sum to one)", least_share > 0.5 / m),
        Condition("max{C̃″·√(log(nTα²)/T), exp(−c̃′nα²/m²)} ≤ θ_sep ≤ 2/m", close <= separation <= 2 / m),
    )
    lower = max(constants.lower * m**3 / (w * T), exp(-constants.slow * w / m**2))
    upper = constants.upper * m**3 * log1(w * T) ** 2 / (w * T) + exp(-constants.fast * w / m**2)
    return Bounds(
        Rate(lower, "m³/(nTα²) ∨ exp(−Cnα²/m²)", conditions, 1164),
        Rate(upper, "m³·log²(nTα²)/(nTα²) + exp(−cnα²/m²)", conditions, 1164),
    )


def discrete(
    *, users: float, observations: float, epsilon: float, categories: int, constants: Constants = ONES
) -> Bounds:
    """A histogram of N categories (L830): N/(nTα²) is cited from Acharya et al. 2023, exp(−cnα²/(N−1)) sketched.

    The paper prints the regime of the first as nα² ≤ CN·log T; its own lower bound below (L843) contradicts that for
    large T, and the transition it infers is at T exponential in nα²/N: read nα² ≥ CN·log T. No upper bound is
    claimed beyond it; there the value is what the small-T rate is at the transition.
    """
    check_positive(users=users, observations=observations, epsilon=epsilon, categories=categories)
    N, w = categories, users * epsilon**2
    if N < 2:
        return Bounds(Rate(0.0, "0", (), 830), Rate(0.0, "0", (), 830))
    size = w * observations
    regime = Condition("nα² ≥ C·N·log T", w >= constants.assumed * N * math.log(observations))
    many = Condition("nα² ≥ C·(N−1)·log(e(N−1))", w >= constants.assumed * (N - 1) * math.log(math.e * (N - 1)))
    flat = exp(-constants.slow * w / (N - 1))
    lower = max(constants.lower * N / size, flat) if many.holds else constants.lower * N / size
    capped = min(size, w * exp(w / (constants.assumed * N)))
    return Bounds(
        Rate(lower, "N/(nTα²) ∨ exp(−cnα²/(N−1))", (high_privacy(epsilon), many), 843),
        Rate(min(1.0, constants.upper * N / capped), "N/(nTα²)", (high_privacy(epsilon), regime), 830),
    )


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


def infinite_mean_linf(*, users: float, epsilon: float, dimension: int) -> Bounds:
    """Proposition (i) (L256): the mean on the ℓ∞ ball, between e^{−Cw/d} and e^{−cw/d}."""
    check_positive(users=users, epsilon=epsilon, dimension=dimension)
    w, d = strength(users, epsilon), dimension
    conditions = (Condition("n·min(α, α²) > 60·d·log(6d)", w > 60 * d * math.log(6 * d)),)
    lower = d / 80 * exp(-48 * w / d - math.log(16) / d)
    upper = 6 * d * exp(-w / (20 * d)) + 4 * d * exp(-w / 40)
    return Bounds(
        Rate(lower, "(d/80)·exp(−(48w + log 16)/d)", conditions, 256),
        Rate(min(upper, 4.0 * d), "6d·exp(−w/20d) + 4d·exp(−w/40)", conditions, 256),
    )


def infinite_mean_l2(*, users: float, epsilon: float, dimension: int) -> Bounds:
    """Proposition (ii) (L266): the mean on the ℓ2 ball, between e^{−Cw/d} and e^{−cw/d}."""
    check_positive(users=users, epsilon=epsilon, dimension=dimension)
    w, d = strength(users, epsilon), dimension
    conditions = (Condition("n·min(α, α²) > 60·d", w > 60 * d),)
    lower = exp(-48 * w / d - math.log(16) / d) / 16
    upper = 9 * exp(-w / (15 * d)) + 4 * exp(-w / 60)
    return Bounds(
        Rate(lower, "(1/16)·exp(−(48w + log 16)/d)", conditions, 266),
        Rate(min(upper, 4.0), "9·exp(−w/15d) + 4·exp(−w/60)", conditions, 266),
    )


def infinite_sparse(*, users: float, epsilon: float, dimension: int, sparsity: int) -> Bounds:
    """Proposition (L290): s-sparse means, between e^{−Cw/s} and e^{−cw/s}.

    The lower bound is Δ²/4 for the Δ of the proof (L1466); the paper's last display loses one factor ½.
    """
    check_positive(users=users, epsilon=epsilon, dimension=dimension, sparsity=sparsity)
    w, d, s = strength(users, epsilon), dimension, sparsity
    conditions = (
        Condition("n·min(α, α²) > 120·s·log(6d)", w > 120 * s * math.log(6 * d)),
        Condition("2 ≤ d and s ≤ d", 2 <= d and s <= d),
    )
    inverse = 2 * math.sqrt(20 * s) / d * exp(24 * w / s + math.log(4) / s) + 4
    lower = 1 / inverse**2 / 4 if inverse < 1e150 else 0.0
    upper = 6 * math.e**2 * d**2 / s * exp(-w / (20 * s)) + 4 * s * exp(-w / 40)
    return Bounds(
        Rate(lower, "¼·(2√(20s)/d·exp((24w + log 4)/s) + 4)^−2", conditions, 290),
        Rate(min(upper, 4.0 * s), "(6e²d²/s)·exp(−w/20s) + 4s·exp(−w/40)", conditions, 290),
    )


def infinite_density(
    *,
    users: float,
    epsilon: float,
    smoothness: float,
    lower_entropy: float = 1.0,
    upper_entropy: float = 1.0,
    small: float = 1.0,
    assumed: float = 1.0,
) -> Bounds:
    """Proposition (L330): Sobolev densities, w^{−2β} up to constants: a polynomial, not an exponential.

    `lower_entropy`, `upper_entropy` are c_β, C_β of the covering number (L1493), `small` is c′_β, `assumed` C′_β.
    """
    check_positive(users=users, epsilon=epsilon, smoothness=smoothness, lower=lower_entropy, upper=upper_entropy)
    check_positive(small=small, assumed=assumed)
    w, beta = strength(users, epsilon), smoothness
    conditions = (Condition("n·min(α, α²) ≥ C′_β", w >= assumed),)
    lower = (lower_entropy / (small * (24 * w + 2 * math.log(2)))) ** (2 * beta) * (1 - 1 / (2 * small)) / 8
    upper = (40 * upper_entropy / w) ** (2 * beta) + 2 * exp(-w / 40)
    return Bounds(
        Rate(max(lower, 0.0), "⅛·(c_β/(c′_β(24w + 2 log 2)))^{2β}·(1 − 1/2c′_β)", conditions, 330),
        Rate(min(upper, 2.0), "(40·C_β/w)^{2β} + 2·exp(−w/40)", conditions, 330),
    )
