"""PrivateMixtureMean (L1186) for many repetitions at once, exact in law.

Bins, folds, centres, votes on shares, residuals and their decoding are those of the method; its settings say how the
paper is read (ERRATA P3, 13, 14).
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from sottovoce.messages import exact
from sottovoce.paper.fast.protocols import method_of
from sottovoce.paper.fast.surveys import Floats, Integers
from sottovoce.problems.mixture import MixtureMeans


def draw_means(stream: Generator, weights: Floats, chances: Floats, observations: int, size: tuple[int, int]) -> Floats:
    """User means: each user draws from one Rad(p_k), k with these weights."""
    kind = np.searchsorted(np.cumsum(weights)[:-1], stream.random(size), side="right")
    return 2 * stream.binomial(observations, chances[kind]) / observations - 1


def estimates(stream: Generator, means: Floats, *, survey: MixtureMeans) -> Floats:
    """Component means ``(repetitions, m)``, in increasing order of their centres; `means` is ``(repetitions, n)``."""
    method, repetitions = method_of(survey), len(means)
    layout = method.layout(survey)
    first, second, third = (means[:, fold.first : fold.first + fold.count] for fold in method.folds(survey))
    held = _counts(layout.grid().index(first), layout.bins)
    votes = _votes(stream, held, first.shape[1], layout.vote_channel(exact(survey.epsilon)).keep)
    winners = np.stack([method.winners(survey, row) for row in votes])
    asked = [method.nearest(survey, row) for row in winners]
    channel, middle = asked[0][1], layout.centre(winners)
    nearest = np.stack([bins.index(row) for (bins, _), row in zip(asked, second, strict=True)])
    own = np.stack([bins.index(row) for (bins, _), row in zip(asked, third, strict=True)])
    shares = channel.shares(
        _votes(stream, _counts(nearest, channel.items), second.shape[1], channel.keep), second.shape[1]
    )
    placement = method.signed(survey, (0.0,)).placement
    away = np.clip(third - np.take_along_axis(middle, own, axis=1), *placement.low, *placement.high)
    scale = method.residual_channel(survey).scale * (placement.high[0] - placement.low[0])
    noise = scale * stream.laplace(size=away.shape)
    sign = np.where(stream.integers(0, 2, size=(channel.items, *away.shape), dtype=np.int8) > 0, 1.0, -1.0)
    sent = np.take_along_axis(sign, own[None], axis=0)[0] * away + noise
    sums = np.einsum("kri,ri->rk", sign, sent) / third.shape[1]
    assert sums.shape == (repetitions, survey.kinds)
    return np.asarray(middle + method.moved(survey, sums, shares))


def _counts(index: Integers, bins: int) -> Integers:
    rows = np.arange(len(index))[:, None] * bins
    return np.bincount((index + rows).ravel(), minlength=len(index) * bins).reshape(len(index), bins)


def _votes(stream: Generator, held: Integers, voters: int, kept: float) -> Integers:
    return stream.binomial(held, kept) + stream.binomial(voters - held, 1 - kept)
