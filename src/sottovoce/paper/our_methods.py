"""Our own methods beside the paper's: whole surveys on the simulation engine, at the same ε, n and T.

Unlike `fast` nothing is drawn in aggregate: every question is asked, every report comes from the channel that a device
uses, the answer is decoded as `sv.mean` and its like decode it. Users hold their average as their one observation
wherever nothing but averages is asked for: with T observations behind it, a report is the same to the bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from sottovoce.device import Collections
from sottovoce.engines import Ask, run, simulate
from sottovoce.messages import Average, Averages, Direction, Inside, Joint, Large, Norm, Question, Statistic, Tally
from sottovoce.problems import Settings

DEFAULT = "default"
OURS = {DEFAULT: "auto", "homogeneous": "homogeneous"}
"""Our series, and the method of each: what ``auto`` takes, and the one for users who are alike, if there is one."""
QUICK = 8
"""Whole surveys of each in a quick look, at one size of a figure."""
LIMIT = "limit"
"""What ε-local privacy leaves to any method, where it is known."""


def answers(survey: Settings, averages: Iterable[NDArray[Any]], stream: Generator) -> Iterator[Any]:
    """One answer for each entry of `averages`, the users' own averages: ``(n,)``, or ``(n, d)`` for vectors."""
    seed = int(stream.integers(2**53))
    for repetition, user_means in enumerate(averages):
        people = Collections(user_means, np.arange(len(user_means) + 1))
        yield run(survey, asking_averages_only(simulate(people, seed=seed, repetition=repetition)))


def answers_about_people(
    survey: Settings, observations: NDArray[Any], stream: Generator, repetitions: int
) -> Iterator[Any]:
    """Answers about the same people, dealt to slots anew: ``(n, T)``, all their observations."""
    seed, users = int(stream.integers(2**53)), len(observations)
    people = Collections(observations.reshape(-1), np.arange(users + 1) * observations.shape[1])
    for repetition in range(repetitions):
        yield run(survey, simulate(people, seed=seed, repetition=repetition))


def asking_averages_only(ask: Ask) -> Ask:
    """The same engine for people of whom only averages are known; it refuses a question about anything else."""

    def ask_for_averages(question: Question) -> Tally:
        if not is_of_averages(question.encoder.statistic):
            kind = question.encoder.statistic.kind
            raise ValueError(f"round {question.round} asks for more than averages ({kind}): it needs observations")
        return ask(question)

    return ask_for_averages


def is_of_averages(statistic: Statistic) -> bool:
    """Whether it depends on a collection through its averages, all observations counted, and on nothing else."""
    if isinstance(statistic, Average):
        return statistic.first is None
    if isinstance(statistic, (Norm, Direction)):
        return isinstance(statistic.vector, (Averages, Inside, Large))
    return isinstance(statistic, Joint)
