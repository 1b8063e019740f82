"""What is believed about the coefficients of a density before and after they are measured: they fall off, somehow.

θ_j ~ N(0, (B·j^−β)²), where neither B nor β is known: each pair counts by how well it explains what was measured.
Beliefs choose where to look and which curve is published; no interval rests on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sottovoce.schemes import Floats

DECAYS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)
"""β: from densities with jumps to very smooth ones."""
SIZES = tuple(2.0 ** (half / 2) for half in range(-6, 9))
"""B."""
MOST = 2.0
"""The largest square of a coefficient."""
SPARED = 0.1
"""Waves are left out while together they hold less than this part of the error that the others have."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Believed:
    """Means and variances of the coefficients, given what was measured."""

    value: Floats
    variance: Floats

    @property
    def kept(self) -> int:
        """How many waves are worth showing: the others are believed to hold hardly anything."""
        behind = np.append(np.cumsum((self.value**2)[::-1])[::-1][1:], 0.0)
        return 1 + int(np.argmax(behind <= SPARED * self.variance.sum()))


def decays(smoothness: float | None) -> tuple[float, ...]:
    """All that are possible, or those of densities at least so smooth."""
    return DECAYS if smoothness is None else (smoothness, *(decay for decay in DECAYS if decay > smoothness))


def believed(value: Floats, variance: Floats, betas: tuple[float, ...]) -> Believed:
    """The average over all decays and sizes, by likelihood."""
    waves = np.arange(1, len(value) + 1, dtype=np.float64)
    prior = np.array([np.minimum((size * waves**-beta) ** 2, MOST) for beta in betas for size in SIZES])
    total = prior + variance
    support = -0.5 * (np.log(total) + value**2 / total).sum(axis=1)
    weight = np.exp(support - support.max())
    weight /= weight.sum()
    means, spread = prior / total * value, prior / total * variance
    mean = weight @ means
    return Believed(value=mean, variance=weight @ (spread + (means - mean) ** 2))
