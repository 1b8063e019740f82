"""One pipeline, for calls and commands alike: read, declare, find a range, ask, compare with the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sottovoce.answers import Answer
from sottovoce.data import Reading, collections, in_memory, together
from sottovoce.device import Collections
from sottovoce.engines import People, local, rounds_of, simulate
from sottovoce.messages import InvalidInput
from sottovoce.problems import Ranged, Settings, Several
from sottovoce.rehearsal.notes import noticed
from sottovoce.rehearsal.preparation import Prepared, prepare
from sottovoce.rehearsal.request import Ask, Request, SeveralRequest
from sottovoce.rehearsal.truth import rehearsal_of

if TYPE_CHECKING:
    from sottovoce.planning import Plan


@dataclass(frozen=True, kw_only=True)
class Result:
    """An answer, or several, and what it was asked with. Whoever shows an answer shows all of this.

    `parts` are there where several answers come from one survey.
    """

    answer: Any
    survey: Any
    reading: Reading | None = None
    seed: int | None = None
    plan: Plan | None = None
    announced: str = ""
    """The survey's id, where it is none of a rehearsal."""
    parts: tuple[tuple[str, Result], ...] = ()

    @property
    def observations(self) -> int | None:
        """How many a user is taken to hold, where the survey declares it."""
        return getattr(self.survey, "observations", None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the answer with further figures that follow from it, and what stands beside it."""
        plain: dict[str, Any] = self._answer() | {"seed": self.seed}
        plain |= {} if self.reading is None else {"reading": self.reading.to_dict()}
        if self.announced:
            plain["survey"] = self.announced
        if self.plan is not None:
            plain["planned"] = {"halfwidth": self.plan.halfwidth, "users": self.plan.protocol.users}
        return plain

    def _answer(self) -> dict[str, Any]:
        plain: dict[str, Any] = self.answer.to_dict()
        if self.parts:
            return plain | {"answers": {name: part._answer() for name, part in self.parts}}
        held = {} if self.observations is None else {"observations": self.observations}
        return {**plain, **self.answer.details(), **held}


def rehearse(request: Request | SeveralRequest) -> Result:
    """Every user of the data answers once, through the code that runs on a device; with a seed they are simulated."""
    if isinstance(request, SeveralRequest):
        return _rehearse_several(request)
    prepared = prepare(request)
    answer, settled = _ask(prepared.survey, prepared.people, request.seed)
    return _compare(answer, settled, prepared, seed=request.seed, plan=request.plan)


def _ask(survey: Any, people: People, seed: int | None) -> tuple[Any, Any]:
    """The answer, and the survey that it is of: with the range that was found, where it was looked for."""
    answer, _, tallies = rounds_of(survey, local(people) if seed is None else simulate(people, seed=seed))
    return answer, survey.settled(tallies) if isinstance(survey, Ranged) else survey


def _compare(answer: Answer, settled: Settings, prepared: Prepared, **more: Any) -> Result:
    """The answer with what the people at hand say of it."""
    people, reading = prepared.people, prepared.reading
    seen = rehearsal_of(settled, people, odd=0 if reading is None else reading.odd_cells)
    unread = () if reading is None else reading.notes()
    notes = (*answer.notes, *prepared.notes, *noticed(answer, settled, people, seen), *unread)
    return Result(
        answer=replace(answer, rehearsal=seen, notes=notes),
        survey=prepared.survey,
        reading=reading,
        **more,
    )


def _rehearse_several(request: SeveralRequest) -> Result:
    """All parts are read and declared one by one, and asked in one survey."""
    parts = {name: prepare(_part(request, one), held=True) for name, one in request.asks.items()}
    columns: dict[tuple[Any, ...], Any] = {}  # two parts may look at one column
    keys = []
    for prepared, one in zip(parts.values(), request.asks.values(), strict=True):
        keys.append((one.value, prepared.settings.get("categories"), prepared.settings.get("other")))
        columns.setdefault(keys[-1], prepared)
    held = [in_memory(one.people) for one in columns.values()]
    people = Collections(np.column_stack([one.values[:, 0].astype(np.float64) for one in held]), held[-1].offsets)
    survey = Several(
        epsilon=request.epsilon,
        users=people.users,
        parts=tuple((name, one.survey) for name, one in parts.items()),
        columns=tuple(map(list(columns).index, keys)),
        split=request.split,
    )
    answers, _ = _ask(survey, people, request.seed)
    each = [(name, _compare(answers[name], one.survey, one)) for name, one in parts.items()]
    readings = {one.value: parts[name].reading for name, one in request.asks.items()}
    return Result(
        answer=replace(answers, answers=tuple(part.answer for _, part in each)),
        survey=survey,
        reading=together(readings.values()),
        seed=request.seed,
        parts=tuple(each),
    )


def _part(request: SeveralRequest, one: Ask) -> Request:
    """One part as if it were asked alone."""
    column = one.value if isinstance(one.value, str) else None
    given = request.reading | one.settings | {"epsilon": request.epsilon, "user": request.user, "value": column}
    return Request.of(one.problem, _source(request.data, one.value), **given)


def _source(data: Any, value: str | int | None) -> Any:
    """One column of an array by its number; else the data as they are."""
    if not isinstance(value, int):
        return data
    people = collections(data)
    if not 0 <= value < people.dimension:
        raise InvalidInput(f"value= counts columns from 0; the data have {people.dimension}")
    return Collections(people.values[:, value], people.offsets)
