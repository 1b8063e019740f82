"""``sv.several``: several answers from one survey, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sottovoce.answers import Answers
from sottovoce.calls.common import declared, engine
from sottovoce.data import collections
from sottovoce.device import Collections
from sottovoce.engines import run
from sottovoce.messages import InvalidInput
from sottovoce.problems import Several, described, named


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
            raise InvalidInput(f"{name} is shared by all parts: give it to several, not to ask")
    kind = named(problem)
    if any(own.name == "dimension" for own in described(kind.settings)) or kind.prepare is not None:
        raise InvalidInput(f"{kind.function} looks at several columns at once; ask for it in a survey of its own")
    return Ask(problem=problem, value=value, settings=settings)


def several(
    data: Any,
    asks: Mapping[str, Ask],
    *,
    epsilon: float,
    user: str | None = None,
    split: str = "auto",
    seed: int | None = None,
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
    people, survey = surveyed(data, asks, epsilon=epsilon, user=user, split=split)
    return run(survey, engine(people, seed))


def surveyed(
    data: Any, asks: Mapping[str, Ask], *, epsilon: float, user: str | None, split: str
) -> tuple[Collections, Several]:
    """The people of some data, and the survey of them."""
    if not asks:
        raise InvalidInput("nothing is asked for: name at least one part")
    wanted = list(dict.fromkeys(one.value for one in asks.values()))
    people, places = _people(data, user, wanted)
    parts = []
    for name, one in asks.items():
        own = Collections(people.values[:, places[one.value]], people.offsets)
        _, survey = declared(named(one.problem), own, epsilon=epsilon, **one.settings)
        parts.append((name, survey))
    columns = tuple(places[one.value] for one in asks.values())
    return people, Several(epsilon=epsilon, users=people.users, parts=tuple(parts), columns=columns, split=split)


def _people(data: Any, user: str | None, wanted: Sequence[str | int | None]) -> tuple[Collections, dict[Any, int]]:
    names = [value for value in wanted if isinstance(value, str)]
    if names:
        if len(names) < len(wanted):
            raise InvalidInput("every part names its column: value=")
        return collections(data, user=user, value=names), {name: place for place, name in enumerate(names)}
    people = collections(data, user=user)
    places = {value: 0 if value is None else int(value) for value in wanted if not isinstance(value, str)}
    if any(not 0 <= place < people.dimension for place in places.values()):
        raise InvalidInput(f"value= counts columns from 0; the data have {people.dimension}")
    return people, dict(places)
