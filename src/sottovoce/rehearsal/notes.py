"""What a rehearsal adds to an answer: what was looked up in the data, and what of them did not count as it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sottovoce.answers import AT_ENDS, Answer, Estimate, GroupedEstimate, HistogramEstimate, Rehearsal, decimals, part
from sottovoce.engines import People
from sottovoce.messages import counted
from sottovoce.problems import Settings
from sottovoce.trials import user_means

LOOKED_UP = "{} were looked up in the data, which a survey cannot do: it has to declare them"
IN_SEVERAL = (
    "memberships=1 is declared, and users of these data have something in several groups: each counts in one of them, "
    "drawn at random, and the truth beside it is another average; declare memberships={}, or leave it out"
)
FEW = 0.01
"""A share outside the declared range below which the line about the data says enough."""


def looked_up_groups(names: Sequence[str]) -> tuple[str, ...]:
    """What was not declared, though a survey has to; nothing where all was."""
    return (LOOKED_UP.format(" and ".join(names)),) if names else ()


def several_memberships(seen: int) -> tuple[str, ...]:
    """Where users are said to have something in one group each, and have in so many."""
    return (IN_SEVERAL.format(seen),) if seen > 1 else ()


def noticed(answer: Answer, survey: Settings, people: People, found: Rehearsal) -> tuple[str, ...]:
    """What is to be said of users without data, of the range, and of cells that are missing."""
    told = []
    if found.empty and not isinstance(answer, GroupedEstimate):  # there they send a symbol of their own
        told.append(_empty(answer, survey, people, found))
    if (share := _clamped(survey, found)) is not None and share >= FEW:
        told.append(_range(survey, found, share))
    if found.missing:
        lack = "is" if found.missing == 1 else "are"
        told.append(f"{counted(found.missing, 'cell')} {lack} missing: a user speaks with what is left")
    return tuple(told)


def _empty(answer: Answer, survey: Settings, people: People, found: Rehearsal) -> str:
    who = f"{found.empty:,} of {counted(found.users, 'user')} {'has' if found.empty == 1 else 'have'} no observations"
    share = found.empty / found.users
    said = f"{who}: {_count_as(answer, survey, people, share)}"
    declared = getattr(survey, "empty_at_most", None)
    if declared is None:
        return said
    if declared >= share:
        return f"{said}; the intervals allow for them"
    most = math.ceil(100 * share - 1e-9) / 100
    more = f"; they are more than the {part(declared)} that the intervals allow for" if declared else ""
    apart = 'empty="symbol" (--empty symbol) counts them apart, ' if survey.problem.by_group else ""
    return f"{said}{more}; {apart}empty_at_most={most:g} (--empty-at-most {most:g}) puts them into the intervals"


def _count_as(answer: Answer, survey: Settings, people: People, share: float) -> str:
    """What they count as, and where that moves the answer, as far as one can say."""
    random = getattr(survey, "empty", "middle") == "random"
    if isinstance(answer, HistogramEstimate):
        labels = answer.labels
        return "they count for all alike" if random else f"they count for {labels[len(labels) // 2]}, the middle one"
    if survey.declared is None or np.size(survey.declared[0]) != 1 or len(answer.users_per_round) > 1:
        return f"they count as {'a random place in' if random else 'the middle of'} what each round asks about"
    low, high = (float(np.ravel(end)[0]) for end in survey.declared)
    middle = (low + high) / 2
    where = "a random place in the range" if random else f"{middle:g}, the middle of the range,"
    if not isinstance(answer, Estimate) or not len(means := user_means(people)):
        return f"they count as {where.rstrip(',')}"
    true = float(np.clip(means, low, high).mean())
    pulled = true + share * (middle - true)
    digits = decimals(answer.halfwidth, digits=3)
    return f"they count as {where} and pull the answer from {true:.{digits}f} to about {pulled:.{digits}f}"


def _of_averages(survey: Settings) -> bool:
    """Whether users' averages are asked for; else observations, one by one."""
    return survey.problem.truth is None and survey.problem.finds_range != "observations"


def _clamped(survey: Settings, found: Rehearsal) -> float | None:
    """Of users, where their averages are asked for; else of observations."""
    return found.clamped if _of_averages(survey) else found.outside


def _range(survey: Settings, found: Rehearsal, share: float) -> str:
    averages, alone = _of_averages(survey), False
    ends, where = "", "outside"
    if survey.declared is not None and np.ndim(survey.declared[0]) == 0:
        ends, alone = " {:g} … {:g}".format(*survey.declared), True
    if averages and alone:
        where = "below" if not found.above else "above" if not found.below else "outside"
    whose = "users" if averages else "observations"
    who = f"all {whose} lie" if share == 1 else f"{part(share)} of the {whose} lie"
    return f"{who} {where} the declared range{ends}, {AT_ENDS}: declare a range that holds them"
