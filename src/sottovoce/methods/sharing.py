"""Several surveys as one: every user still sends one report.

Either users are split, and each part runs on its own run of slots; or the budget is split, and every user answers for
all parts in one report. The second needs parts that ask one question each through the same channel, of averages: these
fit into one question with a group for each part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sottovoce.messages import Average, Encoder, Fact, InvalidInput, Position, Question, Slots, Tally
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
