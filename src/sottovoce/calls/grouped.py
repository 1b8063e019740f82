"""``by=`` and ``empty="symbol"``: a mean, histogram or quantiles in each group, or among those who have something."""

from __future__ import annotations

from dataclasses import MISSING, replace
from typing import Any

from sottovoce.answers import GroupedEstimate
from sottovoce.calls.common import (
    NO_RANGE,
    UNKNOWN,
    answered,
    engine,
    fitting,
    in_units,
    range_of,
    rehearse,
    told,
    typical,
)
from sottovoce.calls.rehearsed import rehearsed
from sottovoce.data import NAMES, grouped_by, in_memory, labelled, memberships, reading_of
from sottovoce.data import people as held_by
from sottovoce.device import Collections
from sottovoce.messages import InvalidInput
from sottovoce.problems import AUTO, ByGroup, Problem, Ranged, described, named

SYMBOL = "symbol"
LOOKED_UP = "{} looked up in the data, which a survey cannot do: it has to declare {}"
IN_SEVERAL = (
    "memberships=1 is declared, and users of these data have something in several groups: each counts in one of them, "
    "drawn at random, and the truth beside it is another average; declare memberships={}, or leave it out"
)
NOT_NEEDED = " users without data are counted apart there, and intervals hold however many they are"
_SHARED = ("epsilon", "method", "confidence", "observations")


def estimate(problem: str, data: Any, **given: Any) -> Any:
    """Rehearse a survey of this problem on data that one analyst happens to hold, in each group where one is named."""
    kind = named(problem)
    if problem == "groups":
        return by_groups(named(given.pop("of", "mean")), data, **given)
    if not kind.by_group:
        return rehearse(kind, data, **given)
    inside = {name: given.pop(name, None) for name in ("by", "groups", "memberships")}
    if inside["by"] is None and given.get("empty") != SYMBOL:
        if any(one is not None for one in inside.values()):
            raise InvalidInput("groups and memberships are for by=:", fix="name the column that says the group")
        return rehearse(kind, data, **given)
    return by_groups(kind, data, **inside, **given)


def by_groups(
    problem: Problem[Any],
    data: Any,
    *,
    by: Any = None,
    groups: Any = None,
    memberships: int | None = None,
    user: str | None = None,
    value: str | None = None,
    seed: int | None = None,
    **given: Any,
) -> GroupedEstimate:
    """Every user answers once about groups; see `ByGroup`."""
    people, survey, notes = surveyed_by_group(
        problem, data, by=by, groups=groups, declared=memberships, user=user, value=value, **given
    )
    answer, settled = answered(survey, engine(people, seed))
    assert isinstance(answer, GroupedEstimate)
    answer = rehearsed(replace(answer, warnings=(*answer.warnings, *notes)), settled, people)
    found: GroupedEstimate = told(answer, reading_of(people))
    return found


def surveyed_by_group(
    problem: Problem[Any],
    data: Any,
    *,
    by: Any,
    groups: Any,
    declared: int | None,
    user: str | None,
    value: str | None,
    **given: Any,
) -> tuple[Collections, ByGroup | Ranged, tuple[str, ...]]:
    """The people of some data with their groups, the survey of them, and what was looked up for it."""
    if not problem.by_group:
        raise InvalidInput(
            f"a {problem.name} cannot be asked for by group:", fix="ask for a mean, histogram or quantiles"
        )
    if by is None and groups is not None:
        raise InvalidInput("groups are those of a column:", fix="name it with by= (--by)")
    if isinstance(by, str) and by == user:
        raise InvalidInput("by= (--by) names the column of the users:", fix="name the one that says the group")
    find_range = given.pop("find_range", None)
    read = {name: given[name] for name in NAMES if given.get(name) is not None}
    given = {name: in_units(name, one) for name, one in given.items() if name not in NAMES}
    given = range_of(data, problem, given) if find_range is None else given
    settings = _settings(problem, given)
    if find_range is None and not problem.ranges and any(settings.get(end) is None for end in ("low", "high")):
        raise InvalidInput(NO_RANGE, fix=UNKNOWN, code="missing-range")
    if settings.get("categories") is not None:
        settings["categories"] = labelled(settings["categories"])
        read |= {"categories": settings["categories"], "other": settings.get("other")}
    labels: tuple[str, ...] = ()
    if by is None:
        people = in_memory(held_by(data, user=user, value=value, **read))
        if people.dimension != 1:
            raise InvalidInput(f"{problem.function} takes one value column; the data have {people.dimension}")
    else:
        people, labels = grouped_by(data, by=by, groups=groups, user=user, value=value, **read)
    looked = []
    if by is not None and groups is None:
        looked.append("groups")
    if by is not None and declared is None:
        declared = memberships(people, len(labels))
        looked.append("memberships")
    if settings.get("observations") is None:
        settings["observations"] = typical(people)
    groups_ = named("groups")
    values = fitting(groups_, settings, 1) | {"of": problem.name, "users": people.users, "groups": labels}
    values["memberships"] = declared
    survey = ByGroup(**values) if find_range is None else Ranged.of(groups_, values, share=find_range)
    notes = [LOOKED_UP.format(f"{' and '.join(looked)} were", "them")] if looked else []
    own = values.get("method", AUTO)
    if labels and declared == 1 and own != "dealt" and (seen := memberships(people, len(labels)) or 1) > 1:
        notes.append(IN_SEVERAL.format(seen))
    return people, survey, tuple(notes)


def _settings(problem: Problem[Any], given: dict[str, Any]) -> dict[str, Any]:
    """What groups take of what is given; a setting that they do not take must be left as it is."""
    from sottovoce.problems import takes_by_group

    known = {field.name: field for field in described(problem.settings)}
    found = {}
    for name, one in given.items():
        if name in _SHARED or name in takes_by_group(problem.name):
            found[name] = one
        elif name not in ("empty", "names") and one is not None:
            default = known[name].default if name in known else None
            if default is MISSING or one != default:
                why = NOT_NEEDED if name == "empty_at_most" else ""
                raise InvalidInput(
                    f"{name} is not for estimates by group, or with empty='symbol':{why}", fix="leave it out"
                )
    return found
