"""Covering numbers of the parameter spaces: all that the general bounds look at (L184)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from sottovoce.theory.rate import check_positive


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
