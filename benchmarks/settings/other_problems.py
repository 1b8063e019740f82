"""Settings of `plan_accuracy` for all that is not a single mean: vectors, sparse means, densities and so on.

A user's collection is one observation, its average, wherever the protocol looks at averages only; a density and a
distribution look at every observation.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from sottovoce.device import Collections
from sottovoce.engines import simulate
from sottovoce.messages import Question
from sottovoce.problems import (
    Cdf,
    CoverSelect,
    Density,
    MixtureMeans,
    Quantiles,
    SparseMean,
    VectorMean,
    choose,
)
from sottovoce.problems.density.predicted import typical
from sottovoce.risk import Crowd

Stream = np.random.Generator
Floats = np.ndarray[Any, np.dtype[np.float64]]
VOTES = 1500
"""First rounds where rare outcomes decide: one in 200 is then seen often enough."""


@dataclass(frozen=True, kw_only=True)
class Other:
    """One survey: how to draw its users, and the squared error of its answer, by coordinate."""

    kind: str
    protocol: Any
    crowd: Crowd
    draw: Callable[[Stream], Collections]
    error: Callable[[Any], float]
    repetitions: int
    strata: Callable[[Any], int] | None = None
    """What kind of outcome a first round had, by the question that follows; rare kinds may decide the error."""

    @property
    def name(self) -> str:
        survey = self.protocol
        held = getattr(survey, "observations", 1)
        return f"{self.kind:<34} n={survey.users:<8} T={held:<7} ε={survey.epsilon:<4g}"


def simulated_rmse(setting: Other, *, seed: int) -> float:
    """Root mean squared error over repetitions of the whole survey.

    With `strata`, of many first rounds: each kind of outcome counts by its chance, a few of each are finished.
    """
    chosen = choose(setting.protocol).settings  # once: another public seed changes no choice
    counts: Counter[int] = Counter()
    squares: defaultdict[int, list[float]] = defaultdict(list)
    for repetition in range(setting.repetitions if setting.strata is None else max(VOTES, setting.repetitions)):
        stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repetition,))))
        # Public signs and rotations are drawn anew, too: a plan speaks for all seeds, not for one.
        survey = replace(chosen, public_seed=repetition + 1) if hasattr(chosen, "public_seed") else chosen
        ask = simulate(setting.draw(stream), seed=seed, repetition=repetition)
        tallies, kind = (), 0
        if setting.strata is not None:
            tallies = (ask(survey.decide(())),)
            kind = setting.strata(survey.decide(tallies))
        counts[kind] += 1
        if len(squares[kind]) < setting.repetitions:
            while isinstance(asked := survey.decide(tallies), Question):
                tallies = (*tallies, ask(asked))
            squares[kind].append(setting.error(asked))
    return math.sqrt(sum(counts[kind] * float(np.mean(found)) for kind, found in squares.items()) / counts.total())


def people(averages: Floats) -> Collections:
    """Users with one observation each."""
    return Collections(averages, np.arange(len(averages) + 1))


def _rare(users: int) -> int:
    """How much oftener a small survey is repeated: there rare failures decide, and repeating costs little."""
    return 5 if users <= 1000 else 1


def settings(repetitions: int) -> Iterator[Other]:
    """All of them."""
    yield from _vectors(repetitions)
    yield from _sparse(repetitions)
    yield from _densities(repetitions)
    yield from _mixtures(repetitions)
    yield from _covers(repetitions)
    yield from _distributions(repetitions)


def _vectors(repetitions: int) -> Iterator[Other]:
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
                yield _vector(survey, repetitions, around=0.3, held=survey.problem.method(method).kept(survey))
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


def _sparse(repetitions: int) -> Iterator[Other]:
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
            yield _sparse_one(survey, signal, max(4, repetitions // 2) * _rare(users))


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


def _densities(repetitions: int) -> Iterator[Other]:
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
            yield _curve(curve, max(4, repetitions // 2) * _rare(users))


def _curve(survey: Density, repetitions: int) -> Other:
    """A density with the coefficients that a prediction assumes, all positive, and the error of the curve itself."""
    users, held, waves = survey.users, survey.observations, np.arange(1, 41)
    grid = (np.arange(2048) + 0.5) / 2048
    sizes = np.sqrt(typical(survey, len(waves)))
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


def _mixtures(repetitions: int) -> Iterator[Other]:
    """Components evenly over [−1, 1], equal shares, two kinds of spread."""
    cases = (
        (3000, 1000, 4.0, 2), (5000, 1000, 4.0, 3), (20_000, 400, 2.0, 2), (10_000, 10_000, 8.0, 4),
        (600, 1000, 1.0, 2), (300, 1000, 4.0, 2), (1000, 10_000, 2.0, 3), (100_000, 1000, 0.5, 2),
    )  # fmt: skip
    for users, observations, epsilon, components in cases:
        for within in (0.5, 0.2):
            survey = MixtureMeans(
                epsilon=epsilon, users=users, observations=observations, components=components, low=-1.0, high=1.0
            )
            yield _mixture(survey, within, repetitions * _rare(users))


def _mixture(survey: MixtureMeans, within: float, repetitions: int) -> Other:
    truth = np.array(survey.problem.world(settings=survey).truth["means"])  # evenly over the range
    deviation = within / math.sqrt(survey.observations)

    def draw(stream: Stream) -> Collections:
        kind = stream.integers(0, survey.components, survey.users)
        return people(stream.normal(truth[kind], deviation))

    return Other(
        kind=f"mixture m={survey.components} within={within}",
        protocol=survey,
        crowd=Crowd(within=within),
        draw=draw,
        error=lambda answer: float(np.mean((np.sort(answer.means) - truth) ** 2)),
        repetitions=repetitions,
    )


def _covers(repetitions: int) -> Iterator[Other]:
    """A line of centres, a square of centres."""
    line = tuple((place / 10,) for place in range(11))
    square = tuple((x / 4, y / 4) for x in range(5) for y in range(5))
    for name, centres, around in (("line", line, 0.44), ("square", square, 0.46)):
        for vote in ("unary", "subset"):
            for users, epsilon in ((100, 1.0), (300, 2.0), (2000, 0.5)):
                survey = CoverSelect(epsilon=epsilon, users=users, centres=centres, method=vote)
                yield _cover(survey, f"cover {name} {vote}", around, 3 * repetitions)


def _cover(survey: CoverSelect, kind: str, around: float, repetitions: int) -> Other:
    centres = survey.centres
    assert centres is not None
    shape = (survey.users, len(centres[0]))
    return Other(
        kind=kind,
        protocol=survey,
        crowd=Crowd(spread=0.1, around=around),
        draw=lambda stream: people(stream.normal(around, 0.1, shape)),
        error=lambda answer: float(np.mean((np.array(answer.centre) - around) ** 2)),
        repetitions=repetitions,
    )


def _distributions(repetitions: int) -> Iterator[Other]:
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
