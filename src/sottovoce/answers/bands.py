"""Bands around a density in the cosine basis: how far the truth may lie above and below, everywhere at once.

What is banded is the *smoothed* density f_k = 1 + Σ_{j≤k} θ_j √2 cos(πjx), which exists whatever the density is: θ_j is
the average of √2 cos(πjx) over the observations of a user, averaged over users.

Noise: its largest excess over so many standard errors is bounded by the length of the path that the basis walks on the
sphere (the tube formula of Hotelling and Naiman): P(sup > z) ≤ (length/π)·exp(−z²/2) + P(|N| > z). Estimates with fewer
waves are all in the bound, so that a look at the reports may choose how many are shown.
Users who were cut: what any one of them adds to f_k at x is at most K(x) = max_y Σ (√2 cos(πjy) − c_j)·√2 cos(πjx) away
from the centre c, as their vectors are averages of such points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sottovoce.answers.base import check_lengths
from sottovoce.answers.interval_statistics import two_sided, upper_tail
from sottovoce.messages import Floats

_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
_FINE = 16
_BETWEEN = 1.005
"""Between so many points a wave a curve rises by less than half a percent."""


def cosines(unit: Floats, count: int) -> Floats:
    """1, √2 cos(πx), √2 cos(2πx), … at points of the unit interval: ``(points, count)``."""
    turns = math.pi * np.asarray(unit, dtype=np.float64)[:, None] * np.arange(count)
    basis = math.sqrt(2) * np.cos(turns)
    basis[:, 0] = 1.0
    return np.asarray(basis)


def omitted_wave_sums(unit: Floats, waves: int) -> tuple[Floats, Floats]:
    """Σ √2 cos(πjx)/j² and Σ (−1)^j √2 cos(πjx)/j² over the waves beyond so many; all of them make a parabola."""

    def rest(place: Floats) -> Floats:
        whole = math.sqrt(2) * math.pi**2 * (1 / 6 - place / 2 + place**2 / 4)
        return np.asarray(whole - cosines(place, waves + 1)[:, 1:] @ (1.0 / np.arange(1, waves + 1) ** 2))

    inside = np.clip(np.asarray(unit, dtype=np.float64), 0.0, 1.0)
    return rest(inside), rest(1 - inside)


def sizes(waves: int) -> tuple[int, ...]:
    """How many of so many waves may be shown."""
    return (*(size for size in _SIZES if size < waves), waves)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """The unbiased means of √2 cos(πjx), j = 1, 2, …, before anything is drawn toward zero, left out or cut off.

    `error`: their standard errors. `firm`: the same means from rounds that hold whatever users are, and `most` the
    largest standard errors that users can give them, and any sum of waves, by lying in one direction. `share` of the
    users may have been cut, as far as a check can tell: pulled toward `centre`. `rest` is the size that waves which are
    not shown may have, if they fall off like j^−`decay` beyond the last one measured; None where no bound is known.
    """

    value: tuple[float, ...]
    error: tuple[float, ...]
    firm: tuple[float, ...]
    most: tuple[float, ...]
    centre: tuple[float, ...]
    share: float
    rest: float | None = None
    decay: float = 2.0

    def __post_init__(self) -> None:
        check_lengths("what was measured", "waves", len(self.value), self.error, self.firm, self.most, self.centre)

    def band(self, unit: Floats, waves: int, confidence: float, *, guarded: bool) -> tuple[Floats, Floats]:
        """Between what the smoothed density lies at each point, everywhere at once."""
        basis = cosines(unit, waves + 1)[:, 1:]
        value, error = (np.array(part)[:waves] for part in self._parts(guarded))
        split = guarded and self.share > 0  # half of the risk is the check's
        z = self._errors(1 - (1 - confidence) / (2 if split else 1), guarded)
        height, noise = 1 + basis @ value, z * np.sqrt(basis**2 @ error**2)
        if not split:
            return height - noise, height + noise
        ends = cosines(np.linspace(0.0, 1.0, _FINE * waves + 1), waves + 1)[:, 1:] - np.array(self.centre[:waves])
        pull = basis @ ends.T
        below, above = (_BETWEEN * np.maximum(side.max(axis=1), 0.0) for side in (-pull, pull))
        return height - noise - self.share * below, height + noise + self.share * above

    def _parts(self, guarded: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return (self.firm, self.most) if guarded else (self.value, self.error)

    def interval(self, wave: int, confidence: float) -> tuple[float, float]:
        """The interval of one coefficient, whatever users are."""
        z = two_sided(1 - (1 - confidence) / (2 if self.share > 0 else 1))
        value, noise, centre = self.firm[wave - 1], z * self.most[wave - 1], self.centre[wave - 1]
        below, above = (self.share * (math.sqrt(2) + side * centre) for side in (1, -1))
        return value - noise - below, value + noise + above

    def omitted(self, unit: Floats, waves: int) -> Floats:
        """How much the waves beyond those shown can add at each point, if they fall off as `rest` says."""
        if self.rest is None or self.decay <= 1:
            return np.full(len(unit), np.inf)
        asked = len(self.value)
        last = 32 * asked
        number = np.arange(waves + 1, last + 1)
        size = self.rest * np.minimum(1.0, (asked / number) ** self.decay)
        beyond = self.rest * asked**self.decay * last ** (1 - self.decay) / (self.decay - 1)
        found = np.abs(np.cos(math.pi * np.asarray(unit)[:, None] * number)) @ size + beyond
        return np.asarray(math.sqrt(2) * found)

    def _errors(self, confidence: float, guarded: bool) -> float:
        """z: how many standard errors hold everywhere, for every number of waves that may be shown."""
        paths = self._path_lengths[guarded]
        low, high = 0.0, 12.0
        for _ in range(60):
            middle = (low + high) / 2
            tail = 2 * upper_tail(middle)
            risk = sum(length / math.pi * math.exp(-(middle**2) / 2) + tail for length in paths)
            low, high = (middle, high) if risk > 1 - confidence else (low, middle)
        return high

    @cached_property
    def _path_lengths(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """For the usual errors and for the largest, by how many waves are shown."""
        usual, most = (
            tuple(_path_length(np.array(error[:waves])) for waves in sizes(len(error)))
            for error in (self.error, self.most)
        )
        return usual, most


def _path_length(error: Floats) -> float:
    """How far the unit vector along (error_j·cos(πjx))_j walks while x goes from 0 to 1."""
    number = np.arange(1, len(error) + 1)
    if len(error) < 2:
        return 0.0
    turns = math.pi * np.linspace(0.0, 1.0, 64 * len(error) + 1)[:, None] * number
    place, speed = error * np.cos(turns), -error * math.pi * number * np.sin(turns)
    square = (place**2).sum(axis=1)
    across = square * (speed**2).sum(axis=1) - (place * speed).sum(axis=1) ** 2
    return float(np.trapezoid(np.sqrt(np.maximum(across, 0.0)) / square, dx=1 / (64 * len(error))))
