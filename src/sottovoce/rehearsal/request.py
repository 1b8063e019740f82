"""What is to be rehearsed, and from it people who can be asked, and their survey.

What the data say is looked up, the rest is declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from sottovoce.answers import Note, NoteCode
from sottovoce.data import (
    AS_FOUND,
    READING_OPTIONS,
    Dataset,
    Reading,
    ReadingOptions,
    Records,
    collections_by_group,
    in_days,
    in_memory,
    label_texts,
    memberships,
)
from sottovoce.data import people as held_by
from sottovoce.engines import People
from sottovoce.messages import InvalidInput, counted
from sottovoce.methods import typical_observations
from sottovoce.problems import AUTO, Described, Problem, Ranged, described, named, problems
from sottovoce.problems.groups import ByGroup, takes_by_group

if TYPE_CHECKING:
    from sottovoce.planning import Plan

SYMBOL = "symbol"
GROUPS = "groups"
NO_RANGE = "low and high are needed: the range in which observations are declared to lie"
UNKNOWN = "if nobody knows it, find_range=0.1 (--find-range 0.1) asks a tenth of the users for it first"
NOT_NEEDED = " users without data are counted apart there, and intervals hold however many they are"
PLENTY = 10_000_000
"""Users, and observations, of a survey that is only made to check its settings: enough for any number of folds."""
_SHARED = ("epsilon", "method", "confidence", "observations")
_IN_UNITS = ("low", "high", "edges", "points")


@dataclass(frozen=True, kw_only=True, repr=False)
class Request:
    """A survey of `problem` with some `settings`, on `data`: everything that one call, or one command, asks for.

    `user` and `value` name columns, `reading` says how a file is read. With `by` the survey asks in each group of a
    column, with ``settings["empty"] == "symbol"`` among those who have something. `find_range` is the share of the
    users who are asked for the range first. With a `seed` reports are simulated. `plan` says where it comes from.
    """

    problem: Problem[Any]
    data: Any
    settings: dict[str, Any]
    reading: ReadingOptions = AS_FOUND
    user: str | None = None
    value: str | Sequence[str] | None = None
    names: Sequence[str] | None = None
    by: Any = None
    groups: Sequence[Any] | None = None
    memberships: int | None = None
    find_range: float | None = None
    seed: int | None = None
    plan: Plan | None = None

    @classmethod
    def of(cls, problem: Problem[Any], data: Any, **given: Any) -> Request:
        """From what a call is given: settings of the problem, how to read, and the fields above."""
        if problem.name == GROUPS:
            problem, given = named(given.get("of", "mean")), _without(given, ("of",)) | {"empty": SYMBOL}
        reading = ReadingOptions(**{name: given[name] for name in READING_OPTIONS if given.get(name) is not None})
        if isinstance(data, Records):
            given["user"] = data.user if given.get("user") is None else given["user"]
            data, reading = data.data, data.options
        names = {one.name for one in fields(cls)}
        return cls(
            problem=problem,
            data=data,
            settings=_without(given, (*names, *READING_OPTIONS)),
            reading=reading,
            **{name: one for name, one in given.items() if name in names},
        )

    @classmethod
    def of_plan(cls, plan: Plan, data: Any, *, value: Sequence[str], by: str | None = None, **given: Any) -> Request:
        """The survey that a plan describes, of the users that the data have."""
        groups = plan.protocol.groups if isinstance(plan.protocol, ByGroup) else ()
        if bool(groups) != (by is not None):
            fix = "name the column that says the group with --by" if groups else "it has no groups: leave --by out"
            raise InvalidInput(f"this plan is of a {plan.problem.name}:", fix=fix)
        first: Any = plan.protocol.decide(())
        wanted = 1 if groups else int(first.encoder.dimension)
        if len(value) != wanted:
            raise InvalidInput(
                rule=f"this plan is of a {plan.problem.name}: --value takes {counted(wanted, 'column')}",
                wrong=f"got {len(value)}",
            )
        settings = {one.name: getattr(plan.protocol, one.name) for one in described(type(plan.protocol))}
        given |= _without(settings, ("users", "names")) | {"by": by, "groups": groups or None, "plan": plan}
        return cls.of(plan.problem, data, value=value if wanted > 1 else value[0], names=value, **given)

    @property
    def grouped(self) -> bool:
        """Whether it asks in groups, or with a symbol for nothing: see `ByGroup`."""
        return self.by is not None or self.settings.get("empty") == SYMBOL

    @property
    def columns(self) -> tuple[str, ...]:
        """What to call the coordinates: as asked, else like the columns, else nothing yet."""
        given = self.names or self.value or ()
        return (given,) if isinstance(given, str) else tuple(given)


def _without(given: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: one for name, one in given.items() if name not in names}


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One thing to ask for: a problem by name, the column (of an array: its number) and the problem's settings."""

    problem: str
    value: str | int | None = None
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, repr=False)
class SeveralRequest:
    """Several things asked for in one survey, by name; every user still sends one report."""

    data: Any
    asks: Mapping[str, Ask]
    epsilon: float
    user: str | None = None
    split: str = "auto"
    seed: int | None = None

    def __post_init__(self) -> None:
        asks: Any = self.asks  # anything may come from a caller without types
        if not isinstance(asks, Mapping) or not all(
            isinstance(name, str) and isinstance(one, Ask) for name, one in asks.items()
        ):
            raise InvalidInput(
                rule="asks must be names with what to ask for: {'delay': sv.ask('mean', value='minutes', …), …}"
            )
        if not asks:
            raise InvalidInput("nothing is asked for:", fix="name at least one part")


def ask(problem: str, *, value: str | int | None = None, **settings: Any) -> Ask:
    """What `several` asks for: ``sv.ask("mean", value="rating", low=1, high=5)``."""
    for name in ("epsilon", "users"):
        if name in settings:
            raise InvalidInput(f"{name} is shared by all parts:", fix="give it to several, not to ask")
    takes = [kind.name for kind in problems() if not kind.takes_vectors]
    if all(kind.name != problem for kind in problems()):
        raise InvalidInput(
            rule=f"several asks for one of {', '.join(takes)}",
            got=problem,
            fix=_meant(problem, takes),
            code="unknown-choice",
            fields={"setting": "problem", "choices": tuple(takes)},
        )
    kind = named(problem)
    if kind.takes_vectors:
        raise InvalidInput(
            f"{kind.function} looks at several columns at once:",
            fix=f"ask for it in a survey of its own; several asks for one of {', '.join(takes)}",
        )
    if isinstance(value, bool) or not (value is None or isinstance(value, (str, int, np.integer))):
        raise InvalidInput(rule="value= names a column, or counts those of an array from 0", got=value)
    known = [field.name for field in described(kind.settings) if field.name not in ("survey", "epsilon", "users")]
    for name in settings:
        if name not in known:
            raise InvalidInput(
                f"{problem} has no setting {name}",
                fix=_meant(name, known) or f"it takes {', '.join(known)}",
                code="unknown-setting",
                fields={"setting": name},
            )
    return Ask(problem=problem, value=int(value) if isinstance(value, np.integer) else value, settings=settings)


def _meant(name: Any, known: Sequence[str]) -> str:
    close = get_close_matches(str(name), known, n=1)
    return f"did you mean {close[0]}?" if close else ""


# From a request to people who can be asked, and their survey.


@dataclass(frozen=True, kw_only=True, repr=False)
class Prepared:
    """Whom to ask, what, and how that came about."""

    people: People
    survey: Any
    settings: dict[str, Any]
    """As given: dates as numbers, labels as text, and the range of a data set."""
    reading: Reading | None
    notes: tuple[Note, ...]
    """Of what the data say, and a survey would have to declare."""


def prepare(request: Request, *, held: bool = False) -> Prepared:
    """Read the data and declare the survey of the people in them; with `held` all rows are held at once."""
    problem = request.problem
    settings = given = _given(request)
    if request.by is None and (request.groups is not None or (request.memberships is not None and not request.grouped)):
        raise InvalidInput("groups and memberships are for by=:", fix="name the column that says the group")
    if request.grouped:
        settings = _for_groups(request, given)
    _check(request, settings)
    people, labels = _read(request, settings, held=held or request.grouped)
    if request.by is None and not problem.takes_vectors and people.dimension != 1:
        raise InvalidInput(f"{problem.function} takes one value column; the data have {people.dimension}")
    reading: Reading | None = getattr(people, "reading", None)  # of a file or a frame
    notes: tuple[Note, ...] = ()
    if request.grouped:
        inside, names = _memberships(request, people, labels)
        notes = (Note(NoteCode.GROUPS_LOOKED_UP, settings=tuple(names)),) if names else ()
        if labels and inside == 1 and settings.get("method", AUTO) != "dealt":
            most = memberships(in_memory(people), len(labels)) or 1  # though one each is declared
            notes += (Note(NoteCode.IN_SEVERAL_GROUPS, memberships=most),) if most > 1 else ()
        settings |= {"of": problem.name, "groups": labels, "memberships": inside}
        problem = named(GROUPS)
    if problem.call.prepare is not None:
        people, settings = problem.call.prepare(people, settings)
    fields = {field.name for field in described(problem.settings)}
    known: dict[str, Any] = {"users": people.users, "dimension": people.dimension}
    if "observations" in fields and settings.get("observations") is None:
        known["observations"] = typical(people)
        notes += (Note(NoteCode.OBSERVATIONS_LOOKED_UP, observations=known["observations"]),)
    if request.columns:
        known["names"] = request.columns
    values = fitting(problem, settings, people.dimension)
    values |= {name: value for name, value in known.items() if name in fields}
    return Prepared(
        people=people,
        survey=_survey(problem, values, request.find_range),
        settings=given,
        reading=reading,
        notes=notes,
    )


def _given(request: Request) -> dict[str, Any]:
    """The settings of a request in the units of the data; the range of a data set where none is given."""
    problem, data = request.problem, request.data
    given = {name: _in_units(name, one) for name, one in request.settings.items()}
    if given.get("categories") is not None:
        given["categories"] = label_texts(given["categories"])
        if sum(any(given.get(name) is not None for name in way) for way in problem.commands.ranges) > 1:
            raise InvalidInput(fix=f"declare one of: {'; '.join(', '.join(way) for way in problem.commands.ranges)}")
    if not isinstance(data, Dataset) or request.find_range is not None:
        return given
    ways = [way for way in problem.commands.ranges if not {"low", "high"} & set(way)]
    if any(given.get(name) is not None for way in ways for name in way):  # where they lie is said in another way
        return given
    taken = {field.name for field in described(problem.settings)}
    return given | {end: getattr(data, end) for end in ("low", "high") if end in taken and given.get(end) is None}


def _in_units(name: str, given: Any) -> Any:
    """Ends and edges that are dates, as the numbers that dates are read as."""
    if name not in _IN_UNITS or given is None:
        return given
    return [in_days(one) for one in given] if isinstance(given, (list, tuple)) else in_days(given)


def _for_groups(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """What groups take of what is given; a setting that they do not take must be left as it is."""
    problem = request.problem
    if not problem.by_group:
        raise InvalidInput(
            f"a {problem.name} cannot be asked for by group:",
            fix=f"ask for {' or '.join(one.name for one in problems() if one.by_group)}",
        )
    if isinstance(request.by, str) and request.by == request.user:
        raise InvalidInput("by= (--by) names the column of the users:", fix="name the one that says the group")
    known = {field.name: field for field in described(problem.settings)}
    taken = {}
    for name, one in given.items():
        if name in _SHARED or name in takes_by_group(problem.name):
            taken[name] = one
        elif name not in ("empty", "names") and one is not None:
            default = known[name].default if name in known else None
            if default is MISSING or one != default:
                why = NOT_NEEDED if name == "empty_at_most" else ""
                raise InvalidInput(
                    f"{name} is not for estimates by group, or with empty='symbol':{why}", fix="leave it out"
                )
    return taken


def _memberships(request: Request, people: People, labels: Sequence[str]) -> tuple[int | None, list[str]]:
    """In how many groups a user is said to have something, and what of groups was looked up in the data."""
    names = [GROUPS] if request.by is not None and request.groups is None else []
    if request.by is None or request.memberships is not None or request.plan is not None:
        return request.memberships, names
    return memberships(in_memory(people), len(labels)), [*names, "memberships"]


def _check(request: Request, settings: dict[str, Any]) -> None:
    """Wrong settings are reported before a long file is read, as far as it does not decide on them."""
    problem = request.problem
    fields = {field.name: field for field in described(problem.settings)}
    ends = [end for end in ("low", "high") if end in fields and fields[end].required]
    if request.find_range is None and any(settings.get(end) is None for end in ends):
        raise InvalidInput(NO_RANGE, fix=UNKNOWN if problem.finds_range else "", code="missing-range")
    if request.grouped or not isinstance(request.data, (str, PathLike)):
        return
    if any(name not in fields or (fields[name].table and isinstance(one, str)) for name, one in settings.items()):
        return  # a cover that users decide on is not there yet
    dimension = len(request.value) if isinstance(request.value, (list, tuple)) else 1
    plenty = {"users": PLENTY, "observations": PLENTY, "dimension": dimension}
    made_up = {name: value for name, value in plenty.items() if name in fields and settings.get(name) is None}
    _survey(problem, fitting(problem, settings, dimension) | made_up, request.find_range)


def _survey(problem: Problem[Any], values: dict[str, Any], find_range: float | None) -> Any:
    return problem.settings(**values) if find_range is None else Ranged.of(problem, values, share=find_range)


def _read(request: Request, settings: dict[str, Any], *, held: bool) -> tuple[People, tuple[str, ...]]:
    """The people whom data hold, by the categories that are given, if any; and what their groups are called."""
    records = Records(data=request.data, user=request.user, options=request.reading)
    how: dict[str, Any] = {"value": request.value}
    if settings.get("categories") is not None:
        how |= {"categories": settings["categories"], "other": settings.get("other")}
    if request.by is not None:
        return collections_by_group(records, by=request.by, groups=request.groups, **how)
    people = held_by(records, **how)
    return in_memory(people) if held else people, ()


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
            raise InvalidInput(rule=f"{field.name} must be a list of numbers") from None
        wanted = f"a number for each of the {dimension} coordinates of the data"
        raise InvalidInput(rule=f"{field.name} must hold {wanted}") from None
    if len(entries) != dimension and not field.help.free:
        raise InvalidInput(f"{field.name} has {len(entries)} entries; the data have {dimension} coordinates")
    return entries


def typical(people: People) -> int:
    """How many observations speak for a user."""
    return typical_observations(people.sizes)
