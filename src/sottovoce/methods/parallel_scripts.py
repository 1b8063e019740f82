"""Several surveys as one: every user still sends one report.

Either users are split, and each part runs on its own run of slots; or the budget is split, and every user answers for
all parts in one report. The second needs parts that ask one question each through the same channel, of averages: these
fit into one question with a group for each part.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sottovoce.messages import Average, Bins, Encoder, Fact, InvalidInput, Position, Question, Slots, Tally
from sottovoce.methods.script import Script, Survey


@dataclass(frozen=True, kw_only=True)
class Part:
    """One survey of several: `survey` counts its own users from 0, and its columns from `column`."""

    name: str
    survey: Survey[Any]
    column: int = 0


def one_after_another(parts: Sequence[Part], *, survey: str) -> Script[tuple[Any, ...]]:
    """Each part asks its own users: first all rounds of the first part, then those of the next."""
    first = number = 0
    answers = []
    for part in parts:
        answer, rounds = yield from one_part(part, survey=survey, first=first, number=number)
        answers.append(answer)
        first, number = first + part.survey.users, number + rounds
    return tuple(answers)


def one_part(part: Part, *, survey: str, first: int, number: int) -> Script[tuple[Any, int]]:
    """All rounds of one part, from slot `first` and round `number` on: its answer, and how many rounds it took."""
    tallies: tuple[Tally, ...] = ()
    while isinstance(step := part.survey.decide(tallies), Question):
        outer = replace(
            step,
            survey=survey,
            round=number + len(tallies),
            role=f"{part.name}: {step.role}",
            slots=Slots(first=first + step.slots.first, count=step.slots.count),
            encoder=step.encoder.on_column(part.column),
        )
        tallies = (*tallies, (yield outer).as_of(step))
    return step, len(tallies)


def in_one_report(parts: Sequence[Part], *, survey: str) -> Script[tuple[Any, ...]]:
    """Every user answers for all parts at once."""
    steps = [part.survey.decide(()) for part in parts]
    if (why := cannot_share(steps)) is not None:
        raise InvalidInput(str(why), fix="split the users instead")
    first = steps[0]
    columns = [_column(part, step) for part, step in zip(parts, steps, strict=True)]
    low, high = zip(*map(_range, steps), strict=True)
    tally = yield replace(
        first,
        survey=survey,
        role="several",
        encoder=Encoder(
            statistic=Average(columns=tuple(columns)),
            placement=Position(low=low, high=high),
            empty=first.encoder.empty,
        ),
        epsilon=len(parts) * first.epsilon,
        groups=len(parts),
        uses=len(parts),
    )
    return tuple(
        part.survey.decide((tally.of_group(step, place),))
        for place, (part, step) in enumerate(zip(parts, steps, strict=True))
    )


def _column(part: Part, step: Question) -> int:
    statistic = step.encoder.statistic
    assert isinstance(statistic, Average)
    return part.column + statistic.columns[0]


def _range(step: Question) -> tuple[float, float]:
    placement = step.encoder.placement
    assert isinstance(placement, Position)
    return placement.low[0], placement.high[0]


def cannot_share(steps: Sequence[Any]) -> Fact | None:
    """Why these first questions do not fit into one, in words; None when they do."""
    plain = all(
        isinstance(step, Question)
        and isinstance(step.encoder.statistic, Average)
        and step.encoder.statistic.first is None
        and isinstance(step.encoder.placement, Position)
        and step.encoder.within is None
        and step.encoder.empty == steps[0].encoder.empty
        and step.groups == step.uses == 1
        and step.channel == steps[0].channel
        for step in steps
    )
    return None if plain else Fact("split-only-means")


# Several scripts side by side, each about a column of its own, with users of its own.
#
# Bins that differ in nothing but the column are asked as one question, in groups, the others one after another. Who is
# done with bins waits for the others: what is left to ask is where between two ends each user lies, and that is one
# question for all columns. A script sees only the tally of its own users.

Result = TypeVar("Result")


def side_by_side(
    scripts: Sequence[Script[Result]], *, spare: int = 0
) -> Generator[Question, Tally, tuple[list[Result], tuple[int, ...]]]:
    """Run all of them: what each returns, and how many users answered each question.

    Slots and rounds are numbered anew. Every question must be about an `Average` of one column, the last of each about
    a position; `spare` users more are asked then.
    """
    results: dict[int, Result] = {}
    answered: list[int] = []
    waiting = {place: next(script) for place, script in enumerate(scripts)}
    used = 0
    while waiting:
        answers: dict[int, Tally] = {}
        for batch in _batches(waiting):
            asked = _joined([waiting[place] for place in batch], number=len(answered), first=used, spare=spare)
            used += asked.slots.count
            tally = yield asked
            answered.append(sum(tally.reports))
            for group, place in enumerate(batch):
                answers[place] = tally.of_group(waiting[place], group)
        waiting = {place: question for place, question in waiting.items() if place not in answers}
        for place, tally_of_script in sorted(answers.items()):
            try:
                waiting[place] = scripts[place].send(tally_of_script)
            except StopIteration as stop:
                results[place] = stop.value
    return [results[place] for place in range(len(scripts))], tuple(answered)


def _batches(waiting: dict[int, Question]) -> list[list[int]]:
    """Which questions are asked now, and which of them as one: bins that are alike, or else all positions."""
    batches: list[list[int]] = []
    binned = [place for place, question in sorted(waiting.items()) if isinstance(question.encoder.placement, Bins)]
    for place in binned:
        for batch in batches:
            if _alike(waiting[batch[0]], waiting[place]):
                batch.append(place)
                break
        else:
            batches.append([place])
    return batches or [sorted(waiting)]


def _alike(one: Question, other: Question) -> bool:
    same = (one.role, one.channel, one.epsilon) == (other.role, other.channel, other.epsilon)
    bins = one.encoder.placement == other.encoder.placement
    return same and bins and one.slots.count == other.slots.count


def _joined(questions: Sequence[Question], *, number: int, first: int, spare: int) -> Question:
    """One question, a group for each; users are dealt to groups in turn."""
    one, placement = questions[0], questions[0].encoder.placement
    users = sum(question.slots.count for question in questions)
    columns: list[int] = []
    for question in questions:
        assert isinstance(question.encoder.statistic, Average)
        columns += question.encoder.statistic.columns
    if not isinstance(placement, Bins):
        users += spare
        ranges = [question.encoder.placement for question in questions]
        placement = Position(
            low=tuple(at.low[0] for at in ranges if isinstance(at, Position)),
            high=tuple(at.high[0] for at in ranges if isinstance(at, Position)),
        )
    return replace(
        one,
        round=number,
        slots=Slots(first=first, count=users),
        encoder=Encoder(statistic=Average(columns=tuple(columns)), placement=placement),
        groups=len(questions),
    )
