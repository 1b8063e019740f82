"""What a rehearsal says besides, and a survey cannot: the truth, and what of the data did not count as it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Answer, Answers, Rehearsal
from sottovoce.calls.noticed import noticed
from sottovoce.device import Collections
from sottovoce.engines import People
from sottovoce.problems import ByGroup, Settings, Several
from sottovoce.trials import truth_about, user_means

Found = TypeVar("Found", bound=Answer)


def rehearsed(answer: Found, survey: Settings, people: People) -> Found:
    """The answer with what the people at hand say of it."""
    found = rehearsal_of(survey, people)
    return replace(answer, rehearsal=found, warnings=(*answer.warnings, *noticed(answer, survey, people, found)))


def all_rehearsed(answers: Answers, survey: Several, people: Collections) -> Answers:
    """The same for each of several answers, which look at a column each."""
    columns = survey.columns or (0,) * len(survey.parts)
    own = (
        rehearsed(answer, part, Collections(people.values[:, column], people.offsets))
        for answer, (_, part), column in zip(answers.answers, survey.parts, columns, strict=True)
    )
    return replace(answers, answers=tuple(own))


def rehearsal_of(survey: Settings, people: People) -> Rehearsal:
    """What can be looked up about these people, with the survey's own words for range and truth."""
    truth, why = truth_about(survey.problem, people, survey)
    observations, missing, holding = _counted(people, grouped=isinstance(survey, ByGroup))
    found = Rehearsal(
        users=people.users,
        empty=people.users - holding,
        observations=observations,
        missing=missing,
        skipped=0,
        truth=None if truth is None else _plain(truth),
        no_truth="" if why is None else str(why),
    )
    return replace(found, **_beyond(survey, people))


def _plain(truth: Any) -> float | tuple[float, ...]:
    return float(truth) if np.ndim(truth) == 0 else tuple(map(float, truth))


def _counted(people: People, *, grouped: bool) -> tuple[int, int, int]:
    """Observations of which anything is there, cells of which nothing is, and users who hold an observation.

    Beside a group that is known, a value that is missing is no observation.
    """
    cells = int(people.sizes.sum()) * people.dimension
    if not isinstance(people, Collections):  # of several columns, what the fullest of them says
        held = people.present.max(axis=0)
        return int(held.sum()), cells - int(people.present.sum()), int(np.count_nonzero(held))
    gaps = np.isnan(people.values)
    there = ~gaps[:, 0] if grouped else ~gaps.all(axis=1)
    before = np.concatenate(([0], np.cumsum(there)))
    own = before[people.offsets[1:]] - before[people.offsets[:-1]]
    return int(before[-1]), int(gaps.sum()), int(np.count_nonzero(own))


def _beyond(survey: Settings, people: People) -> dict[str, Any]:
    """Shares of users, and of observations, outside of what is declared."""
    if survey.declared is None or np.size(survey.declared[0]) not in (1, people.dimension):
        return {}
    below, above = _outside(survey, user_means(people))
    shares = {
        "below": _share(below),
        "above": _share(above),
        "clamped": _share(below | above),
    }
    if isinstance(people, Collections):
        lower, higher = _outside(survey, people.values)
        present = int((~np.isnan(people.values).all(axis=1)).sum())
        shares["outside"] = float((lower | higher).sum() / present) if present else 0.0
    return shares


def _outside(survey: Settings, points: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    found = survey.beyond(points)
    assert found is not None
    return found


def _share(some: NDArray[np.bool_]) -> float:
    return float(some.mean()) if len(some) else 0.0
