"""What a rehearsal says besides, and a survey cannot: the truth, and what of the data did not count as it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sottovoce.answers import Rehearsal
from sottovoce.device import Collections
from sottovoce.engines import People
from sottovoce.problems import Settings
from sottovoce.problems.groups import ByGroup
from sottovoce.trials import truth_about, user_means


def rehearsal_of(survey: Settings, people: People, *, odd: int = 0) -> Rehearsal:
    """What can be looked up about these people, with the survey's own words for range and truth.

    `odd` cells could not be read, and are told from those that are missing.
    """
    truth, why = truth_about(survey.problem, people, survey)
    observations, missing, holding = _counted(people, grouped=isinstance(survey, ByGroup))
    found = Rehearsal(
        users=people.users,
        empty=people.users - holding,
        observations=observations,
        missing=max(0, missing - odd),
        skipped=odd,
        truth=None if truth is None else _plain(truth),
        no_truth=why,
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
