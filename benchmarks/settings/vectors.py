"""Vector and sparse means of many sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.settings.trial import Other, people, rare
from sottovoce.messages import Question
from sottovoce.problems.sparse import SparseMean
from sottovoce.problems.vector import VectorMean
from sottovoce.risk import Crowd


def vectors(repetitions: int) -> Iterator[Other]:
    """Uniform coordinates on [around − ½, around + ½]."""
    sizes = ((400, 30, 2.0), (2000, 400, 1.0), (4000, 400, 2.0), (20_000, 10_000, 4.0), (100_000, 100, 0.5))
    for dimension in (2, 8):
        for method in ("one-round", "paper", "theory"):
            for users, observations, epsilon in sizes:
                survey = VectorMean(
                    epsilon=epsilon,
                    users=users,
                    observations=observations,
                    dimension=dimension,
                    ball="linf",
                    method=method,
                    proof_constant=5.0,
                )
                yield _vector(
                    survey, repetitions, around=0.3, held=survey.problem.method(method).observations_used(survey)
                )
    hard = ((100, 1, 1.0), (200, 1000, 0.3), (300, 100_000, 4.0), (2000, 1000, 0.1))
    for ball, around in (("linf", 0.3), ("l2", 0.1)):
        for method in ("one-round", "paper"):
            for users, observations, epsilon in hard:
                survey = VectorMean(
                    epsilon=epsilon, users=users, observations=observations, dimension=4, ball=ball, method=method
                )
                yield _vector(survey, repetitions, around=around, held=observations)
    for dimension in (8, 16):
        for method in ("one-round", "paper"):
            for users, observations, epsilon in sizes[2:]:
                survey = VectorMean(
                    epsilon=epsilon, users=users, observations=observations, dimension=dimension, ball="l2",
                    radius=1.0, method=method,
                )  # fmt: skip
                yield _vector(survey, repetitions, around=0.1, held=observations)


def _vector(survey: VectorMean, repetitions: int, *, around: float, held: int) -> Other:
    wide = 0.5 if survey.ball == "linf" else 0.1  # stays in the ball: (.1 + .1)·√16 < 1
    deviation, shape = wide / math.sqrt(3 * held), (survey.users, survey.dimension)
    return Other(
        kind=f"vector {survey.ball} d={survey.dimension} {survey.method}",
        protocol=survey,
        crowd=Crowd(within=wide / math.sqrt(3), around=around),
        draw=lambda stream: people(stream.normal(around, deviation, shape)),
        error=lambda answer: float(np.mean((np.array(answer.value) - around) ** 2)),
        repetitions=repetitions if survey.users < 50_000 else max(4, repetitions // 3),
    )


def sparse(repetitions: int) -> Iterator[Other]:
    """Four coordinates of the same size among many, at random places."""
    cases = (
        (300, 1000, 8.0, 50, "selection", "auto"),
        (2000, 100_000, 0.5, 50, "selection", "auto"),
        (1000, 1000, 4.0, 100, "selection", "auto"),
        (4000, 4000, 4.0, 100, "selection", "paper"),
        (2000, 400, 2.0, 50, "selection", "auto"),
        (2000, 100, 1.0, 50, "selection", "auto"),
        (20_000, 400, 1.0, 200, "selection", "paper"),
        (20_000, 10_000, 2.0, 10, "threshold", "auto"),
        (50_000, 1000, 4.0, 10, "threshold", "paper"),
    )
    for users, observations, epsilon, dimension, procedure, method in cases:
        for signal in (0.5, 0.3):
            survey = SparseMean(
                epsilon=epsilon, users=users, observations=observations, dimension=dimension, sparsity=4,
                procedure=procedure, method=method,
            )  # fmt: skip
            yield _sparse_one(survey, signal, max(4, repetitions // 2) * rare(users))


def _sparse_one(survey: SparseMean, signal: float, repetitions: int) -> Other:
    truth = np.zeros(survey.dimension)
    truth[np.random.default_rng(5).permutation(survey.dimension)[:4]] = signal
    deviation = 0.5 / math.sqrt(survey.observations)

    def missed(refining: Question) -> int:
        return len(set(np.flatnonzero(truth).tolist()) - set(refining.encoder.statistic.columns))

    return Other(
        kind=f"sparse d={survey.dimension} {survey.procedure} θ={signal}",
        protocol=survey,
        crowd=Crowd(within=0.5, around=signal),
        draw=lambda stream: people(truth + deviation * stream.standard_normal((survey.users, survey.dimension))),
        error=lambda answer: float(((np.array(answer.value) - truth) ** 2).sum() / 4),
        repetitions=repetitions,
        strata=missed if survey.procedure == "selection" and survey.users <= 500 else None,
    )
