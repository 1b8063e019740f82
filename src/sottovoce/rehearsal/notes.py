"""What a rehearsal adds to an answer: what was looked up in the data, and what of them did not count as it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sottovoce.answers import Answer, Estimate, Note, NoteCode, Rehearsal
from sottovoce.engines import People
from sottovoce.messages import Fact, decimals
from sottovoce.problems import Settings
from sottovoce.trials import user_means

FEW = 0.01
"""A share outside the declared range below which the line about the data says enough."""


def looked_up(names: Sequence[str]) -> tuple[Note, ...]:
    """Of groups, what was not declared, though a survey has to; nothing where all was."""
    return (Note(NoteCode.GROUPS_LOOKED_UP, settings=tuple(names)),) if names else ()


def several_memberships(seen: int) -> tuple[Note, ...]:
    """Where users are said to have something in one group each, and have in so many."""
    return (Note(NoteCode.IN_SEVERAL_GROUPS, memberships=seen),) if seen > 1 else ()


def noticed(answer: Answer, survey: Settings, people: People, found: Rehearsal) -> tuple[Note, ...]:
    """Users without data, those whom the range misses, and cells that are missing."""
    notes = []
    if found.empty and not answer.counts_empty_apart:
        notes.append(_empty(answer, survey, people, found))
    averages = survey.problem.truth is None and survey.problem.finds_range != "observations"
    if (share := found.clamped if averages else found.outside) is not None and share >= FEW:
        notes.append(_range(survey, found, share, averages=averages))
    return (*notes, *([Note(NoteCode.CELLS_MISSING, count=found.missing)] if found.missing else ()))


def _empty(answer: Answer, survey: Settings, people: People, found: Rehearsal) -> Note:
    share = found.empty / found.users
    allowed_for = getattr(survey, "empty_at_most", None)
    enough = None if allowed_for is None or allowed_for >= share else math.ceil(100 * share - 1e-9) / 100
    return Note(
        NoteCode.USERS_WITHOUT_DATA,
        empty=found.empty,
        users=found.users,
        count_as=_count_as(answer, survey, people, share),
        allowed_for=allowed_for,
        enough=enough,
        symbol=survey.problem.by_group,
    )


def _count_as(answer: Answer, survey: Settings, people: People, share: float) -> Fact:
    """What they count as, and where that moves the answer, as far as one can say."""
    random = getattr(survey, "empty", "middle") == "random"
    if (own := answer.empty_counts_for(random=random)) is not None:
        return own
    if survey.declared is None or np.size(survey.declared[0]) != 1 or len(answer.users_per_round) > 1:
        return Fact("count-as-in-rounds", random=random)
    low, high = (float(np.ravel(end)[0]) for end in survey.declared)
    middle = (low + high) / 2
    if not isinstance(answer, Estimate) or not len(means := user_means(people)):
        return Fact("count-as-in-range", random=random, middle=middle)
    true = float(np.clip(means, low, high).mean())
    pulled, digits = true + share * (middle - true), decimals(answer.halfwidth, digits=3)
    return Fact("count-as-and-pull", random=random, middle=middle, true=true, pulled=pulled, digits=digits)


def _range(survey: Settings, found: Rehearsal, share: float, *, averages: bool) -> Note:
    """Of users, where their averages are asked for; else of observations."""
    low = high = None
    if survey.declared is not None and np.ndim(survey.declared[0]) == 0:
        low, high = map(float, survey.declared)
    one_sided = averages and low is not None
    side = "below" if one_sided and not found.above else "above" if one_sided and not found.below else "outside"
    of = "averages" if averages else "observations"
    return Note(NoteCode.RANGE_MISSES_DATA, share=share, of=of, side=side, low=low, high=high)
