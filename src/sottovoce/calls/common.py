"""One call from data to answer, for any problem: what the data say is looked up, the rest is declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sottovoce.answers import Answer
from sottovoce.calls.noticed import cells_missing
from sottovoce.calls.rehearsed import rehearsed
from sottovoce.data import NAMES, Dataset, Reading, in_days, labelled, reading_of
from sottovoce.data import people as held_by
from sottovoce.engines import Ask, People, local, rounds_of, simulate
from sottovoce.messages import InvalidInput
from sottovoce.problems import Described, Problem, Ranged, described
from sottovoce.schemes import typical_observations

NO_RANGE = "low and high are needed: the range in which observations are declared to lie"
UNKNOWN = "; if nobody knows it, find_range=0.1 (--find-range 0.1) asks a tenth of the users for it first"


def rehearse(
    problem: Problem[Any],
    data: Any,
    *,
    user: str | None = None,
    value: str | Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    seed: int | None = None,
    **given: Any,
) -> Answer:
    """Every user answers once, through the code that runs on a device; with a seed, answers are simulated."""
    if given.get("find_range") is None:
        given = range_of(data, problem, given)
    people, given = gathered(problem, data, given, user=user, value=value)
    reading = reading_of(people)
    people, survey = declared(problem, people, names=named_columns(names, value), **given)
    found, settled = answered(survey, engine(people, seed))
    answer: Answer = told(rehearsed(found, settled, people), reading)
    return answer


def answered(survey: Any, ask: Ask) -> tuple[Any, Any]:
    """The answer, and the survey that it is of: with the range that was found, where it was looked for."""
    found, _, tallies = rounds_of(survey, ask)
    return found, survey.settled(tallies) if isinstance(survey, Ranged) else survey


def told(answer: Any, reading: Reading | None) -> Any:
    """The answer, with a warning for what could not be read of its data, and with odd cells told from missing ones."""
    if reading is None or not reading.warnings():
        return answer
    seen, odd, warnings = answer.rehearsal, reading.odd_cells, answer.warnings
    if seen is not None and odd:
        counted = cells_missing(seen.missing)
        seen = replace(seen, skipped=odd, missing=max(0, seen.missing - odd))
        warnings = (*(one for one in warnings if one not in counted), *cells_missing(seen.missing))
    return replace(answer, warnings=(*warnings, *map(str, reading.warnings())), rehearsal=seen)


def gathered(
    problem: Problem[Any], data: Any, given: dict[str, Any], *, user: str | None, value: str | Sequence[str] | None
) -> tuple[People, dict[str, Any]]:
    """The people whom data hold, by the categories that are given, if any; and what is given, labels as text.

    What is given may say how a file is read, and where observations lie by dates: neither is a setting.
    """
    how = {name: given[name] for name in NAMES if given.get(name) is not None}
    given = {name: in_units(name, one) for name, one in given.items() if name not in NAMES}
    labels = given.get("categories") if _has(problem, "categories") else None
    if labels is None:
        return held_by(data, user=user, value=value, **how), given
    if sum(any(given.get(name) is not None for name in way) for way in problem.ranges) > 1:
        raise InvalidInput(f"declare one of: {'; '.join(', '.join(way) for way in problem.ranges)}")
    given = given | {"categories": labelled(labels)}
    people = held_by(data, user=user, value=value, categories=given["categories"], other=given.get("other"), **how)
    return people, given


def in_units(name: str, given: Any) -> Any:
    """Ends and edges that are dates, as the numbers that dates are read as."""
    if name not in ("low", "high", "edges", "points") or given is None:
        return given
    return [in_days(one) for one in given] if isinstance(given, (list, tuple)) else in_days(given)


def _has(problem: Problem[Any], name: str) -> bool:
    return any(field.name == name for field in described(problem.settings))


def declared(
    problem: Problem[Any], people: People, *, names: tuple[str, ...] = (), find_range: float | None = None, **given: Any
) -> tuple[People, Any]:
    """The survey of these people: their number, and what else follows from the data, filled in."""
    fields = {field.name: field for field in described(problem.settings)}
    if problem.prepare is not None:
        people, given = problem.prepare(people, given)
    elif "dimension" not in fields and people.dimension != 1:
        raise InvalidInput(f"{problem.function} takes one value column; the data have {people.dimension}")
    looked_up: dict[str, Any] = {"users": people.users, "dimension": people.dimension}
    if "observations" in fields and given.get("observations") is None:
        looked_up["observations"] = typical(people)
    if names:
        looked_up["names"] = names
    values = fitting(problem, given, people.dimension)
    values |= {name: value for name, value in looked_up.items() if name in fields}
    if find_range is not None:
        return people, Ranged.of(problem, values, share=find_range)
    if any(values.get(end, 0) is None for end in ("low", "high") if end in fields and fields[end].required):
        raise InvalidInput(NO_RANGE + (UNKNOWN if problem.finds_range else ""))
    return people, problem.settings(**values)


def range_of(data: Any, problem: Problem[Any], given: dict[str, Any]) -> dict[str, Any]:
    """What is given, with the range that a data set declares where none is given and the problem takes one."""
    if not isinstance(data, Dataset):
        return given
    ways = [way for way in problem.ranges if not {"low", "high"} & set(way)]
    if any(given.get(name) is not None for way in ways for name in way):  # where they lie is said in another way
        return given
    ends = [end for end in ("low", "high") if _has(problem, end) and given.get(end) is None]
    return given | {end: getattr(data, end) for end in ends}


def fitting(problem: Problem[Any], given: dict[str, Any], dimension: int) -> dict[str, Any]:
    """Lists and arrays become the tuples that settings hold, with an entry for each coordinate of the data."""
    fields = {field.name: field for field in described(problem.settings)}
    return {name: _typed(fields[name], value, dimension) if name in fields else value for name, value in given.items()}


def _typed(field: Described, value: Any, dimension: int) -> Any:
    if value is None or not field.several or field.table:
        return value
    if field.kind is str:
        return tuple(value)
    try:
        if field.scalar and np.ndim(value) == 0:
            return field.kind(value)
        entries = tuple(field.kind(entry) for entry in value)
    except (TypeError, ValueError):
        if field.help.free:
            raise InvalidInput(f"{field.name} must be a list of numbers") from None
        wanted = f"a number for each of the {dimension} coordinates of the data"
        raise InvalidInput(f"{field.name} must hold {wanted}") from None
    if len(entries) != dimension and not field.help.free:
        raise InvalidInput(f"{field.name} has {len(entries)} entries; the data have {dimension} coordinates")
    return entries


def engine(people: People, seed: int | None) -> Ask:
    """Real reports, or with a seed simulated ones."""
    return local(people) if seed is None else simulate(people, seed=seed)


def typical(people: People) -> int:
    """How many observations speak for a user."""
    return typical_observations(people.sizes)


def named_columns(names: Sequence[str] | None, value: Sequence[str] | str | None) -> tuple[str, ...]:
    """What to call the coordinates: as asked, else like the columns, else nothing yet."""
    given = names or value or ()
    return (given,) if isinstance(given, str) else tuple(given)
