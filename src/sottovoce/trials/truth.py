"""The truth about users at hand, as no survey can look it up: what answers are held against."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.device import Collections, averaged
from sottovoce.engines import People
from sottovoce.messages import Fact
from sottovoce.problems import Problem

LARGEST = 1e300


def tellable(problem: Problem[Any]) -> bool:
    """Whether the truth about given users can be looked up, so that they can be simulated with."""
    return problem.truth is not None or problem.world.observed(np.zeros((1, 1))) is not None


def untold(problem: Problem[Any]) -> Fact:
    """Why it cannot."""
    return Fact("truth-not-from-means", problem=problem.name)


def truth_about(problem: Problem[Any], people: People, survey: Any) -> tuple[Any, Fact | None]:
    """The truth, or None and why: what `survey` aims at, about the users who hold something."""
    if not tellable(problem):
        return None, untold(problem)
    if problem.truth is None:
        means = user_means(people)
        truth = problem.world.observed(means) if len(means) else None
    elif isinstance(people, Collections):
        truth = problem.truth(survey, people)
    else:
        return None, Fact("truth-file-too-long")
    if truth is None or not _told(truth, gaps=problem.truth is not None):
        return None, Fact("truth-no-finite-mean")
    return truth, None


def _told(truth: Any, *, gaps: bool) -> bool:
    """Whether all of it is finite; `gaps` where a part that is NaN is one that nobody holds anything of."""
    sizes = np.abs(np.asarray(truth, dtype=np.float64))
    there = sizes[~np.isnan(sizes)] if gaps else sizes
    return bool(len(np.atleast_1d(there)) and np.all(there < LARGEST))


def user_means(people: People) -> NDArray[np.float64]:
    """The mean of every user who holds a number in every column: ``(n, d)``."""
    means = averaged(people) if isinstance(people, Collections) else people.averages()
    return np.asarray(means.values[~np.isnan(means.values).any(axis=1)])
