"""Infinitely many observations a user: every user knows the answer, and still cannot say it (L155).

The constants are those of the proofs (L1376–L1522), which the statements suppress; n·min(α, α²) is w below. A value
too small for a float is 0.
"""

from __future__ import annotations

import math

from sottovoce.theory.rate import Bounds, Condition, Rate, check_positive, exp, more_than, strength


def infinite_mean_linf(*, users: float, epsilon: float, dimension: int) -> Bounds:
    """Proposition (i) (L256): the mean on the ℓ∞ ball, between e^{−Cw/d} and e^{−cw/d}."""
    check_positive(users=users, epsilon=epsilon, dimension=dimension)
    w, d = strength(users, epsilon), dimension
    conditions = (more_than("n·min(α, α²) > 60·d·log(6d)", w, 60 * d * math.log(6 * d)),)
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
    conditions = (more_than("n·min(α, α²) > 60·d", w, 60 * d),)
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
        more_than("n·min(α, α²) > 120·s·log(6d)", w, 120 * s * math.log(6 * d)),
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
