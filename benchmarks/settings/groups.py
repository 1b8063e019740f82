"""Mixtures and covers of many sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.settings.trial import Other, Stream, people, rare
from sottovoce.device import Collections
from sottovoce.problems.cover import CoverSelect
from sottovoce.problems.mixture import MixtureMeans
from sottovoce.risk import Crowd


def mixtures(repetitions: int) -> Iterator[Other]:
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
            yield _mixture(survey, within, repetitions * rare(users))


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


def covers(repetitions: int) -> Iterator[Other]:
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
