"""The error of a sparse mean: which coordinates the votes find, and what refining those gives."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sottovoce.messages import InvalidInput
from sottovoce.planning.law import Crowd, Law
from sottovoce.planning.poisoning import Poisoning, laplace_reach
from sottovoce.planning.predict_groups import group_risk, group_step
from sottovoce.planning.prediction import Prediction, average, worst
from sottovoce.protocols.base import upper_tail
from sottovoce.protocols.sparse import SparseMean

Floats = NDArray[np.float64]
_SIGNALS = (0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0)
"""Sizes of the coordinates that are not zero, in thresholds: the worst is taken where none is stated."""


def predict(protocol: SparseMean, crowd: Crowd) -> Prediction:
    """Of a coordinate that is not zero, on average: missed, it costs its own square; falsely found, as one refined."""
    crowd.check_range(protocol.low, protocol.high)
    if protocol.rank == "first":
        raise InvalidInput('no formula predicts rank="first", which depends on where the support lies')
    top = 0.9 * max(protocol.high, -protocol.low)
    bound = protocol.threshold if protocol.chosen[0] == "selection" else protocol.thresholding[1]
    signals = sorted({min(top, part * bound) for part in _SIGNALS}) if crowd.around is None else [crowd.around]
    step = _selection if protocol.chosen[0] == "selection" else _threshold
    return worst(step(protocol, crowd, signal) for signal in signals)


def _law(protocol: SparseMean, crowd: Crowd, place: float, observations: int) -> Law:
    return crowd.averages(centre=place, observations=observations, low=protocol.low, high=protocol.high)


def _selection(protocol: SparseMean, crowd: Crowd, signal: float) -> Prediction:
    found, score = selection_chance(protocol, crowd, signal)
    folds, _ = protocol.refinement(tuple(range(protocol.sparsity)))
    refined = _refined(protocol, crowd, signal, folds.kept)
    # As many coordinates as are missed are refined in their place (unless a cut leaves them out): zero, but for noise.
    wrong = (1 - found) if not protocol.cuts else 0.0
    missed = Prediction(sampling=0.0, privacy=0.0, omission=(1 - found) * signal**2)
    return refined.scaled(found + wrong * (score >= 0)) + missed


def _refined(protocol: SparseMean, crowd: Crowd, signal: float, kept: int) -> Prediction:
    folds, _ = protocol.refinement(tuple(range(protocol.sparsity)))
    step = group_step(folds)
    places = (signal,) if crowd.around is not None or not step else (signal, signal + step / 2)
    laws = [_law(protocol, crowd, min(place, protocol.high), kept) for place in places]
    return average([group_risk(folds, law) for law in laws])


def selection_chance(protocol: SparseMean, crowd: Crowd, signal: float) -> tuple[float, float]:
    """The chance that a coordinate of this size is among the `sparsity` with the most votes, and its mean vote."""
    d, s, held = protocol.dimension, protocol.sparsity, protocol.observations
    hot = _beyond(_law(protocol, crowd, signal, held), protocol.threshold)
    noise = _beyond(_law(protocol, crowd, 0.0, held), protocol.threshold)
    eta, voters = protocol.eta, protocol.users // 2
    sums, chances = _sums(hot, noise, s - 1, d - s)
    # A lit coordinate pulls the sum of the others by its own sign; by symmetry that may be +1.
    pull = float(chances @ np.clip(sums + 1, -eta, eta))
    sums, chances = _sums(hot, noise, s, d - s)
    square = float(chances @ np.clip(sums, -eta, eta) ** 2) + 2 * (2 * eta / protocol.epsilon) ** 2
    true, false = ((mean, math.sqrt((square - mean**2) / voters)) for mean in (hot * pull, noise * pull))
    return _ranked(true, false, s, d, cut=0.5 if protocol.cuts else -math.inf), true[0]


def _beyond(law: Law, threshold: float) -> float:
    return float(law.weights @ (np.abs(law.points) >= threshold))


def _sums(hot: float, noise: float, lit: int, idle: int) -> tuple[Floats, Floats]:
    """The law of Σ r_k v_k, from its characteristic function; v_k is 1 with chance `hot`, or `noise` for idle ones."""
    size = 1 << max(6, math.ceil(math.log2(16 * math.sqrt(1 + lit * hot + idle * noise) + 2 * lit)))
    angle = 2 * np.pi * np.arange(size) / size
    characteristic = (1 - hot + hot * np.cos(angle)) ** lit * (1 - noise + noise * np.cos(angle)) ** idle
    chances = np.maximum(np.fft.ifft(characteristic).real, 0.0)
    places = np.fft.fftfreq(size, 1 / size)
    return np.asarray(places), np.asarray(chances / chances.sum())


def _ranked(true: tuple[float, float], false: tuple[float, float], s: int, d: int, *, cut: float) -> float:
    """P(a true coordinate's score is at least `cut`, and fewer than s of the others score higher).

    `true` and `false` are the mean and deviation of a score.
    """
    from scipy.special import ndtr

    grid = true[0] + true[1] * np.linspace(-7, 7, 561)
    weight = np.exp(-0.5 * np.linspace(-7, 7, 561) ** 2)
    weight /= weight.sum()
    above = [ndtr((mean - grid) / deviation) for mean, deviation in (true, false)]
    enough = [
        float(np.convolve(_counts(s - 1, one, s), _counts(d - s, two, s))[:s].sum())
        for one, two in zip(*above, strict=True)
    ]
    return float(weight @ (np.array(enough) * (grid >= cut)))


def _counts(number: int, chance: float, most: int) -> Floats:
    """Binomial chances of 0 … most − 1."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(min(most, number + 1))
    logs = gammaln(number + 1) - gammaln(k + 1) - gammaln(number - k + 1)
    return np.asarray(np.exp(logs + xlogy(k, chance) + xlog1py(number - k, -chance)))


def _threshold(protocol: SparseMean, crowd: Crowd, signal: float) -> Prediction:
    """Every coordinate is estimated; one that falls below the threshold is set to zero."""
    folds, smallest = protocol.thresholding
    each = group_risk(folds, _law(protocol, crowd, signal, folds.kept))
    kept = upper_tail((smallest - abs(signal)) / each.rmse) + upper_tail((smallest + abs(signal)) / each.rmse)
    return each.scaled(kept) + Prediction(sampling=0.0, privacy=0.0, omission=(1 - kept) * signal**2)


def users_per_round(protocol: SparseMean) -> tuple[int, ...]:
    """Fold sizes."""
    if protocol.chosen[0] == "threshold":
        voters = protocol.thresholding[0].voters
        return (protocol.users,) if voters is None else (voters.count, protocol.users - voters.count)
    folds, _ = protocol.refinement(tuple(range(protocol.sparsity)))
    rest = protocol.users - protocol.users // 2
    last = (rest,) if folds.voters is None else (folds.voters.count, rest - folds.voters.count)
    return protocol.users // 2, *last


def variants(template: SparseMean, crowd: Crowd) -> tuple[SparseMean, ...]:
    """Selection or thresholding, whichever the users can fill."""
    if template.procedure != "auto":
        return (template,)
    found = [replace(template, procedure="selection")] if template.users >= 4 * template.sparsity else []
    if template.users >= 8 * template.dimension:
        found.append(replace(template, procedure="threshold"))
    return tuple(found) or (template,)


def words(protocol: SparseMean) -> str:
    """The procedure."""
    return f"{protocol.chosen[0]} of {protocol.sparsity} among {protocol.dimension:,} coordinates"


def poisoning(protocol: SparseMean, crowd: Crowd) -> Poisoning:
    """Of one refined coordinate; the votes are captured when a wrong coordinate gets the mean true vote.

    A colluder's report lies up to η(1 + 2·16/ε) from zero, times a sign that is public.
    """
    if protocol.chosen[0] == "threshold":
        folds = protocol.thresholding[0]
        capture = None
    else:
        folds, _ = protocol.refinement(tuple(range(protocol.sparsity)))
        signal = 3 * protocol.threshold if crowd.around is None else crowd.around
        score = selection_chance(protocol, crowd, min(signal, 0.9 * max(protocol.high, -protocol.low)))[1]
        lift = laplace_reach(2 * protocol.eta, protocol.epsilon) - protocol.eta
        capture = score / (score + lift)
    part = 1.0 if folds.kind == "one-round" or folds.voters is None else (1 + folds.layout.margin) * folds.layout.delta
    return Poisoning(reach=laplace_reach((protocol.high - protocol.low) * part, folds.share.each), capture=capture)
