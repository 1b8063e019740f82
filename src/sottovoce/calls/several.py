"""``sv.several``: several answers from one survey, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

import numpy as np

from sottovoce.answers import Answers
from sottovoce.calls.common import declared, engine, gathered, told
from sottovoce.calls.rehearsed import all_rehearsed
from sottovoce.data import NAMES, Held, collections, in_memory, reading_of, together
from sottovoce.device import Collections
from sottovoce.engines import run
from sottovoce.messages import InvalidInput
from sottovoce.problems import Problem, Several, described, named, problems


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One thing to ask for: a problem by name, the column (of an array: its number) and the problem's settings."""

    problem: str
    value: str | int | None = None
    settings: dict[str, Any] = field(default_factory=dict)


def ask(problem: str, *, value: str | int | None = None, **settings: Any) -> Ask:
    """What `several` asks for: ``sv.ask("mean", value="rating", low=1, high=5)``."""
    for name in ("epsilon", "users"):
        if name in settings:
            raise InvalidInput(f"{name} is shared by all parts:", fix="give it to several, not to ask")
    takes = [kind.name for kind in problems() if not _joint(kind)]
    if all(kind.name != problem for kind in problems()):
        raise InvalidInput(
            rule=f"several asks for one of {', '.join(takes)}",
            got=problem,
            fix=_meant(problem, takes),
            code="unknown-choice",
            fields={"setting": "problem", "choices": tuple(takes)},
        )
    kind = named(problem)
    if _joint(kind):
        raise InvalidInput(
            f"{kind.function} looks at several columns at once:",
            fix=f"ask for it in a survey of its own; several asks for one of {', '.join(takes)}",
        )
    if isinstance(value, bool) or not (value is None or isinstance(value, (str, int, np.integer))):
        raise InvalidInput(rule="value= names a column, or counts those of an array from 0", got=value)
    known = [own.name for own in described(kind.settings) if own.name not in ("survey", "epsilon", "users")]
    for name in settings:
        if name not in known:
            raise InvalidInput(
                f"{problem} has no setting {name}",
                fix=_meant(name, known) or f"it takes {', '.join(known)}",
                code="unknown-setting",
                fields={"setting": name},
            )
    return Ask(problem=problem, value=int(value) if isinstance(value, np.integer) else value, settings=settings)


def _joint(problem: Problem[Any]) -> bool:
    """Whether an observation has several columns."""
    return problem.prepare is not None or any(own.name == "dimension" for own in described(problem.settings))


def _meant(name: Any, known: Sequence[str]) -> str:
    close = get_close_matches(str(name), known, n=1)
    return f"did you mean {close[0]}?" if close else ""


def several(
    data: Any,
    asks: Mapping[str, Ask],
    *,
    epsilon: float,
    user: str | None = None,
    split: str = "auto",
    seed: int | None = None,
    **reading: Any,
) -> Answers:
    """Estimate several things at once: mean, histogram and quantiles of a column, or of several columns.

    A user still sends one report. With ``split="users"`` each part asks its own users, with ``"budget"`` everybody
    answers for all parts with an equal part of ε (means only), ``"auto"`` takes what is predicted to be better and
    says why.

    Parameters
    ----------
    data
        an ``(n, T)`` or ``(n, T, d)`` array, a ragged list, a long data frame (with `user`), a CSV or Parquet file
    asks
        what to ask for, by name: see `ask`
    epsilon
        privacy budget of the one report of each user, for the whole collection, all columns included
    user
        column of a frame or file that says whose observation a row is
    split
        auto, users or budget
    seed
        simulate the reports; left out, they are real and new every time
    reading
        how a file is read: `separator`, `encoding`, `decimal`, `dates`, `header`, `sheet`, `skip_bad`, as in `people`

    Privacy
    -------
    Every user sends one report, `epsilon`-LDP for the user's whole collection: all columns, its length included.

    Accuracy
    --------
    In each answer. The intervals hold one by one, each at its own confidence.

    Examples
    --------
    >>> import numpy as np, sottovoce as sv
    >>> ratings = np.random.default_rng(1).integers(1, 6, size=(6000, 25))
    >>> asks = {"mean": sv.ask("mean", low=1, high=5), "two": sv.ask("mean", low=1, high=5, method="one-round")}
    >>> answers = sv.several(ratings, asks, epsilon=4.0, seed=7)
    >>> print(f"{answers['mean'].value:.1f}, split by {answers.split}")
    3.0, split by users
    """
    people, survey = surveyed(data, asks, epsilon=epsilon, user=user, split=split, **reading)
    found, read = all_rehearsed(run(survey, engine(people, seed)), survey, people), reading_of(people)
    if read is None:
        return found
    each = (told(one, read.of(str(asks[name].value))) for name, one in found.items())
    return replace(found, answers=tuple(each))


def surveyed(
    data: Any, asks: Mapping[str, Ask], *, epsilon: float, user: str | None, split: str, **reading: Any
) -> tuple[Collections, Several]:
    """The people of some data, and the survey of them."""
    if not isinstance(asks, Mapping) or not all(
        isinstance(name, str) and isinstance(one, Ask) for name, one in asks.items()
    ):
        raise InvalidInput(
            rule="asks must be names with what to ask for: {'delay': sv.ask('mean', value='minutes', …), …}"
        )
    strange = [name for name in reading if name not in NAMES]
    if strange:
        raise InvalidInput(f"several takes no {strange[0]}", fix=_meant(strange[0], NAMES))
    if not asks:
        raise InvalidInput("nothing is asked for:", fix="name at least one part")
    places: dict[tuple[Any, ...], int] = {}  # two parts may look at one column
    parts, columns, values, readings = [], [], [], []
    for name, one in asks.items():
        kind, column = named(one.problem), one.value if isinstance(one.value, str) else None
        found, given = gathered(kind, _source(data, one.value), one.settings | reading, user=user, value=column)
        people = in_memory(found)
        key = (one.value, given.get("categories"), given.get("other"))
        if key not in places:
            places[key] = len(places)
            values.append(people.values[:, 0].astype(np.float64))
            readings.append(reading_of(found))
        columns.append(places[key])
        parts.append((name, declared(kind, people, epsilon=epsilon, **given)[1]))
    held, read = Collections(np.column_stack(values), people.offsets), together(readings)
    held = held if read is None else Held(held.values, held.offsets, read)
    return held, Several(epsilon=epsilon, users=held.users, parts=tuple(parts), columns=tuple(columns), split=split)


def _source(data: Any, value: str | int | None) -> Any:
    """One column of an array by its number; else the data as they are."""
    if not isinstance(value, int):
        return data
    people = collections(data)
    if not 0 <= value < people.dimension:
        raise InvalidInput(f"value= counts columns from 0; the data have {people.dimension}")
    return Collections(people.values[:, value], people.offsets)
