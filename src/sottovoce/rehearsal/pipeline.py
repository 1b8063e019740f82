"""One pipeline, for calls and commands alike: read, declare, find a range, ask, compare with the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sottovoce.answers import Answer, Estimate, Note, NoteCode, Rehearsal
from sottovoce.data import Reading, collections, combine_readings, in_memory
from sottovoce.device import Collections
from sottovoce.engines import People, local, rounds_of, simulate
from sottovoce.messages import Fact, InvalidInput, decimals
from sottovoce.problems import Ranged, Settings, Several, named
from sottovoce.problems.groups import ByGroup
from sottovoce.rehearsal.request import Ask, Prepared, Request, SeveralRequest, prepare
from sottovoce.trials import truth_about, user_means

if TYPE_CHECKING:
    from sottovoce.planning import Plan

FEW = 0.01
"""A share outside the declared range below which the line about the data says enough; chosen by hand."""


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
    unread = () if reading is None else reading.fault_notes()
    notes = (*answer.notes, *prepared.notes, *notes_on_data(answer, settled, people, seen), *unread)
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
        reading=combine_readings(readings.values()),
        seed=request.seed,
        parts=tuple(each),
    )


def _part(request: SeveralRequest, one: Ask) -> Request:
    """One part as if it were asked alone."""
    column = one.value if isinstance(one.value, str) else None
    given = one.settings | {"epsilon": request.epsilon, "user": request.user, "value": column}
    return Request.of(named(one.problem), _source(request.data, one.value), **given)


def _source(data: Any, value: str | int | None) -> Any:
    """One column of an array by its number; else the data as they are."""
    if not isinstance(value, int):
        return data
    people = collections(data)
    if not 0 <= value < people.dimension:
        raise InvalidInput(f"value= counts columns from 0; the data have {people.dimension}")
    return Collections(people.values[:, value], people.offsets)


# ---- what a rehearsal says besides, and a survey cannot -------------------------------------------------------------


def rehearsal_of(survey: Settings, people: People, *, odd: int = 0) -> Rehearsal:
    """What can be looked up about these people: the truth, and what of the data did not count as it stands.

    `odd` cells could not be read, and are told from those that are missing.
    """
    truth, why = truth_about(survey.problem, people, survey)
    observations, missing, holding = _cell_and_user_counts(people, grouped=isinstance(survey, ByGroup))
    plain = None if truth is None else float(truth) if np.ndim(truth) == 0 else tuple(map(float, truth))
    return Rehearsal(
        users=people.users,
        empty=people.users - holding,
        observations=observations,
        missing=max(0, missing - odd),
        skipped=odd,
        truth=plain,
        no_truth=why,
        **_shares_outside(survey, people),
    )


def _cell_and_user_counts(people: People, *, grouped: bool) -> tuple[int, int, int]:
    """Observations of which anything is there, cells of which nothing is, and users who hold an observation.

    Beside a group that is known, a value that is missing is no observation.
    """
    if not isinstance(people, Collections):  # of several columns, what the fullest of them says
        held = people.present.max(axis=0)
        missing = int(people.sizes.sum()) * people.dimension - int(people.present.sum())
        return int(held.sum()), missing, int(np.count_nonzero(held))
    gaps = np.isnan(people.values)
    before = np.concatenate(([0], np.cumsum(~gaps[:, 0] if grouped else ~gaps.all(axis=1))))
    return int(before[-1]), int(gaps.sum()), int(np.count_nonzero(np.diff(before[people.offsets])))


def _shares_outside(survey: Settings, people: People) -> dict[str, Any]:
    """Shares of users, and of observations, outside of what is declared."""
    if survey.declared is None or np.size(survey.declared[0]) not in (1, people.dimension):
        return {}
    points = [user_means(people), *([people.values] if isinstance(people, Collections) else ())]
    (below, above), *rows = filter(None, map(survey.points_outside, points))
    sides = {"below": below, "above": above, "clamped": below | above}
    shares = {side: float(users.mean()) if len(users) else 0.0 for side, users in sides.items()}
    for lower, higher in rows:
        present = int((~np.isnan(points[-1]).all(axis=1)).sum())
        shares["outside"] = float((lower | higher).sum() / present) if present else 0.0
    return shares


def notes_on_data(answer: Answer, survey: Settings, people: People, seen: Rehearsal) -> tuple[Note, ...]:
    """Note users without data, those whom the range misses, and cells that are missing."""
    notes = []
    if seen.empty and not answer.counts_empty_apart:
        part, allowed_for = seen.empty / seen.users, getattr(survey, "empty_at_most", None)
        enough = None if allowed_for is None or allowed_for >= part else math.ceil(100 * part - 1e-9) / 100
        count_as = _empty_count_as(answer, survey, people, part)
        allowed = {"allowed_for": allowed_for, "enough": enough, "symbol": survey.problem.by_group}
        code = NoteCode.USERS_WITHOUT_DATA
        notes.append(Note(code, empty=seen.empty, users=seen.users, count_as=count_as, **allowed))
    averages = survey.problem.call.truth is None and survey.problem.finds_range != "observations"
    if (share := seen.clamped if averages else seen.outside) is not None and share >= FEW:
        low = high = None
        if survey.declared is not None and np.ndim(survey.declared[0]) == 0:
            low, high = map(float, survey.declared)
        one_sided = averages and low is not None
        side = "below" if one_sided and not seen.above else "above" if one_sided and not seen.below else "outside"
        of = "averages" if averages else "observations"
        notes.append(Note(NoteCode.RANGE_MISSES_DATA, share=share, of=of, side=side, low=low, high=high))
    if seen.missing:
        notes.append(Note(NoteCode.CELLS_MISSING, count=seen.missing))
    return tuple(notes)


def _empty_count_as(answer: Answer, survey: Settings, people: People, share: float) -> Fact:
    """What users without data count as, and where that moves the answer, as far as one can say."""
    random = getattr(survey, "empty", "middle") == "random"
    if (count_as := answer.empty_counts_for(random=random)) is not None:
        return count_as
    if survey.declared is None or np.size(survey.declared[0]) != 1 or len(answer.users_per_round) > 1:
        return Fact("count-as-in-rounds", random=random)
    low, high = (float(np.ravel(end)[0]) for end in survey.declared)
    middle = (low + high) / 2
    if not isinstance(answer, Estimate) or not len(means := user_means(people)):
        return Fact("count-as-in-range", random=random, middle=middle)
    true = float(np.clip(means, low, high).mean())
    pulled, digits = true + share * (middle - true), decimals(answer.halfwidth, digits=3)
    return Fact("count-as-and-pull", random=random, middle=middle, true=true, pulled=pulled, digits=digits)
