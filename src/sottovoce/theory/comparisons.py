"""Rates of other privacy settings with the same nT observations, as the paper's tables compare them.

Constants and logarithmic factors are left out, as they are there. α ≲ 1 throughout.
"""

from __future__ import annotations

import math

from sottovoce.theory.rate import exp


def nonprivate_mean(*, n: float, T: float, d: float) -> float:
    """d/(nT) on the ℓ2 ball (Wu 2016; L532)."""
    return d / (n * T)


def item_mean(*, n: float, T: float, alpha: float, d: float) -> float:
    """d/(nTα²): nT users with one item each (Duchi et al. 2018; L533)."""
    return d / (n * T * alpha**2)


def large_t_mean(*, n: float, alpha: float, d: float) -> float:
    """e^{−nα²/d} (L535)."""
    return exp(-n * alpha**2 / d)


def central_item_mean(*, n: float, T: float, alpha: float, d: float) -> float:
    """d/(nT) + d/(n²T²α²) (e.g. Levy et al. 2021; L536)."""
    return d / (n * T) + d / (n * T * alpha) ** 2


def central_user_mean(*, n: float, T: float, alpha: float, d: float) -> float:
    """d/(nT) + d/(n²Tα²), T small (Levy et al. 2021; L537)."""
    return d / (n * T) + d / (n**2 * T * alpha**2)


def nonprivate_sparse(*, n: float, T: float, d: float, s: float) -> float:
    """s·log(ed/s)/(nT) (L651)."""
    return s * math.log(math.e * d / s) / (n * T)


def item_sparse(*, n: float, T: float, alpha: float, d: float, s: float) -> float:
    """sd/(nTα²) (Acharya et al. 2022; L652)."""
    return s * d / (n * T * alpha**2)


def selected_sparse(*, T: float, s: float) -> float:
    """s/T: users find the support on their own (L653)."""
    return s / T


def large_t_sparse(*, n: float, alpha: float, s: float) -> float:
    """e^{−nα²/s} (L655)."""
    return exp(-n * alpha**2 / s)


def central_item_sparse(*, n: float, T: float, alpha: float, d: float, s: float) -> float:
    """s·log(d)/(nTα) + {s·log(d)}²/(n²T²α²), Gaussian data (Cai et al. 2021; L656)."""
    return s * math.log(d) / (n * T * alpha) + (s * math.log(d) / (n * T * alpha)) ** 2


def small_t_sparse(*, n: float, T: float, alpha: float, d: float, s: float) -> float:
    """min{s/T, sd/(nTα²)} (L965)."""
    return min(s / T, s * d / (n * T * alpha**2))


def nonprivate_density(*, n: float, T: float, beta: float) -> float:
    """(nT)^{−2β/(2β+1)} (Tsybakov 2009; L820)."""
    return float((n * T) ** (-2 * beta / (2 * beta + 1)))


def item_density(*, n: float, T: float, alpha: float, beta: float) -> float:
    """(nTα²)^{−2β/(2β+2)} (Duchi et al. 2018; L821)."""
    return float((n * T * alpha**2) ** (-2 * beta / (2 * beta + 2)))


def large_t_density(*, n: float, alpha: float, beta: float) -> float:
    """(nα²)^{−2β} (L823)."""
    return float((n * alpha**2) ** (-2 * beta))


def central_item_density(*, n: float, T: float, alpha: float, beta: float) -> float:
    """(nT)^{−2β/(2β+1)} + (nTα)^{−2β/(β+1)} (Cai et al. 2021; L824)."""
    return float((n * T) ** (-2 * beta / (2 * beta + 1)) + (n * T * alpha) ** (-2 * beta / (beta + 1)))
