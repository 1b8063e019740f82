"""How likely the votes are to find a coordinate: the law of signed sums of votes, and of ranks."""

from __future__ import annotations

import math

import numpy as np

from sottovoce.methods import Floats
from sottovoce.risk import laplace_variance

Normal = tuple[float, float]
"""Mean and standard deviation of a score."""


def laws_of_votes(
    hot: float, idle: float, *, dimension: int, sparsity: int, eta: float, epsilon: float, voters: int
) -> tuple[Normal, Normal]:
    """The scores of a true coordinate and of one of zero, lit by a share `hot` and `idle` of the users."""
    sums, chances = law_of_signed_sums(hot, idle, sparsity - 1, dimension - sparsity)
    # A lit coordinate pulls the sum of the others by its own sign; by symmetry that may be +1.
    pull = float(chances @ np.clip(sums + 1, -eta, eta))
    sums, chances = law_of_signed_sums(hot, idle, sparsity, dimension - sparsity)
    square = float(chances @ np.clip(sums, -eta, eta) ** 2) + laplace_variance(2 * eta, epsilon)
    true, false = ((mean, math.sqrt((square - mean**2) / voters)) for mean in (hot * pull, idle * pull))
    return true, false


def law_of_signed_sums(hot: float, idle: float, lit: int, others: int) -> tuple[Floats, Floats]:
    """The law of Σ r_k v_k, from its characteristic function; v_k is 1 with chance `hot`, or `idle` for the others."""
    size = 1 << max(6, math.ceil(math.log2(16 * math.sqrt(1 + lit * hot + others * idle) + 2 * lit)))
    angle = 2 * np.pi * np.arange(size) / size
    characteristic = (1 - hot + hot * np.cos(angle)) ** lit * (1 - idle + idle * np.cos(angle)) ** others
    chances = np.maximum(np.fft.ifft(characteristic).real, 0.0)
    places = np.fft.fftfreq(size, 1 / size)
    return np.asarray(places), np.asarray(chances / chances.sum())


def chance_of_rank(true: Normal, false: Normal, sparsity: int, dimension: int, *, cut: float) -> float:
    """P(a true coordinate's score is at least `cut`, and fewer than `sparsity` of the others score higher)."""
    from scipy.special import ndtr  # 100 ms at import; only who predicts pays it

    steps = np.linspace(-7, 7, 561)
    grid = true[0] + true[1] * steps
    weight = np.exp(-0.5 * steps**2)
    weight /= weight.sum()
    above = [ndtr((mean - grid) / deviation) for mean, deviation in (true, false)]
    others = _binomial(sparsity - 1, above[0], sparsity)
    zeros = np.cumsum(_binomial(dimension - sparsity, above[1], sparsity), axis=1)
    enough = (others * zeros[:, ::-1]).sum(axis=1)
    return float(weight @ (enough * (grid >= cut)))


def _binomial(number: int, chances: Floats, most: int) -> Floats:
    """The chance of 0 … most − 1 among `number`, a row for each of `chances`."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(most)
    inside = np.minimum(k, number)
    logs = gammaln(number + 1) - gammaln(inside + 1) - gammaln(number - inside + 1)
    rows = np.exp(logs + xlogy(inside, chances[:, None]) + xlog1py(number - inside, -chances[:, None]))
    return np.asarray(np.where(k <= number, rows, 0.0))
