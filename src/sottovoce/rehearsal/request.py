"""What is to be rehearsed: a survey, and the data of the users who would answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from sottovoce.data import AS_FOUND, READING_OPTIONS, ReadingOptions, Records
from sottovoce.messages import InvalidInput, counted
from sottovoce.problems import Problem, described, named, problems
from sottovoce.problems.groups import ByGroup

if TYPE_CHECKING:
    from sottovoce.planning import Plan

SYMBOL = "symbol"
GROUPS = "groups"


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
    def of(cls, problem: str, data: Any, **given: Any) -> Request:
        """From what a call is given: settings of the problem, how to read, and the fields above."""
        if problem == GROUPS:
            problem, given = given.get("of", "mean"), _without(given, ("of",)) | {"empty": SYMBOL}
        reading = ReadingOptions(**{name: given[name] for name in READING_OPTIONS if given.get(name) is not None})
        if isinstance(data, Records):
            given["user"] = data.user if given.get("user") is None else given["user"]
            data, reading = data.data, data.options
        names = {one.name for one in fields(cls)}
        return cls(
            problem=named(problem),
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
        return cls.of(plan.problem.name, data, value=value if wanted > 1 else value[0], names=value, **given)

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
