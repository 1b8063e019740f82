"""Densities, quantiles and distribution functions of many sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from benchmarks.settings.trial import Other, Stream, rare
from sottovoce.device import Collections
from sottovoce.problems.density import Density
from sottovoce.problems.density.cosine import typical_squares
from sottovoce.problems.quantiles import Cdf, Quantiles
from sottovoce.risk import Crowd


def densities(repetitions: int) -> Iterator[Other]:
    """Uniform observations: every coefficient but the first is zero, and nothing is truncated (a tiny radius)."""
    cases = (
        (2000, 20, 2.0, 5), (4000, 50, 1.0, 5), (3000, 100, 4.0, 9), (1000, 10, 8.0, 3), (400, 50, 0.5, 5),
        (200, 100, 8.0, 5), (300, 1, 0.1, 3),
    )  # fmt: skip
    for users, observations, epsilon, size in cases:
        survey = Density(
            epsilon=epsilon, low=0.0, high=1.0, users=users, observations=observations, method="paper",
            coefficients=size, radius=1e-6,
        )  # fmt: skip
        yield _density(survey, max(4, repetitions // 2))
        for method in ("one-round", "adaptive"):
            curve = replace(survey, method=method, radius=0.5, smoothness=2.0)
            yield _curve(curve, max(4, repetitions // 2) * rare(users))


def _curve(survey: Density, repetitions: int) -> Other:
    """A density with the coefficients that a prediction assumes, all positive, and the error of the curve itself."""
    users, held, waves = survey.users, survey.observations, np.arange(1, 41)
    grid = (np.arange(2048) + 0.5) / 2048
    sizes = np.sqrt(typical_squares(survey, len(waves)))
    heights = 1 + math.sqrt(2) * np.cos(math.pi * grid[:, None] * waves[None, :]) @ sizes
    below = np.concatenate(([0.0], np.cumsum(heights) / heights.sum()))

    def draw(stream: Stream) -> Collections:
        places = np.interp(stream.random(users * held), below, np.arange(2049) / 2048)
        return Collections(places, np.arange(users + 1) * held)

    return Other(
        kind=f"density M={survey.coefficients} {survey.method}",
        protocol=survey,
        crowd=Crowd(within=1.0, around=0.0),
        draw=draw,
        error=lambda answer: float(((answer.projected()(grid) - heights) ** 2).mean()),
        repetitions=repetitions,
    )


def _density(survey: Density, repetitions: int) -> Other:
    users, held = survey.users, survey.observations
    return Other(
        kind=f"density M={survey.coefficients} {survey.method}",
        protocol=survey,
        crowd=Crowd(within=1.0, around=0.0),
        draw=lambda stream: Collections(stream.random(users * held), np.arange(users + 1) * held),
        error=lambda answer: float((np.array(answer.coefficients[1:]) ** 2).sum()),
        repetitions=repetitions,
    )


def distributions(repetitions: int) -> Iterator[Other]:
    """Bells around means that are the same for everybody, or are not."""
    cases = ((1000, 20, 1.0), (5000, 40, 2.0), (3000, 100, 4.0), (5000, 20, 0.5))
    for users, held, epsilon in cases:
        given = {"epsilon": epsilon, "users": users, "observations": held, "low": 0.0, "high": 1.0}
        for within, spread in ((0.15, 0.0), (0.1, 0.1)):
            for method in ("one-round", "adaptive"):
                crowd = Crowd(within=within, spread=spread, around=0.45)
                yield _distributed(Quantiles(**given, q=(0.1, 0.5, 0.9), method=method), crowd, repetitions)
                yield _distributed(Cdf(**given, count=9, method=method), crowd, repetitions)


def _distributed(survey: Quantiles | Cdf, crowd: Crowd, repetitions: int) -> Other:
    users, held, within, spread, around = survey.users, survey.observations, crowd.within, crowd.spread, crowd.around
    assert within is not None and spread is not None and around is not None
    law = NormalDist(around, math.hypot(within, spread))
    truth = [law.inv_cdf(q) for q in survey.levels] if isinstance(survey, Quantiles) else map(law.cdf, survey.places)
    wanted = np.array(list(truth))

    def draw(stream: Stream) -> Collections:
        own = stream.normal(around, spread, (users, 1))
        return Collections(stream.normal(own, within, (users, held)).ravel(), np.arange(users + 1) * held)

    return Other(
        kind=f"{survey.problem.name} {survey.method} spread={spread}",
        protocol=survey,
        crowd=crowd,
        draw=draw,
        error=lambda answer: float(((np.array(answer.value) - wanted) ** 2).mean()),
        repetitions=repetitions,
    )
