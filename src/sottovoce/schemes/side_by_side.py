"""Several scripts side by side, each about a column of its own, with users of its own.

Questions that differ in nothing but the column, and in the range that is asked about, are asked as one, in groups; the
others one after another. A script sees only the tally of its own users.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from sottovoce.messages import Average, Bins, Encoder, Position, Question, Slots, Tally
from sottovoce.schemes.script import Script

Result = TypeVar("Result")


def side_by_side(scripts: Sequence[Script[Result]]) -> Generator[Question, Tally, tuple[list[Result], tuple[int, ...]]]:
    """Run all of them: what each returns, and how many users answered each question.

    Slots and rounds are numbered anew. Every question must be about an `Average` of one column.
    """
    results: dict[int, Result] = {}
    answered: list[int] = []
    waiting = {place: next(script) for place, script in enumerate(scripts)}
    used = 0
    while waiting:
        answers: dict[int, Tally] = {}
        for batch in _batches(waiting):
            asked = _joined([waiting[place] for place in batch], number=len(answered), first=used)
            used += asked.slots.count
            tally = yield asked
            answered.append(sum(tally.reports))
            for group, place in enumerate(batch):
                answers[place] = tally.of_group(waiting[place], group)
        waiting = {}
        for place, own in sorted(answers.items()):
            try:
                waiting[place] = scripts[place].send(own)
            except StopIteration as stop:
                results[place] = stop.value
    return [results[place] for place in range(len(scripts))], tuple(answered)


def _batches(waiting: dict[int, Question]) -> list[list[int]]:
    """Which questions can be asked as one: the same role, channel and bins, and about as many users."""
    found: list[list[int]] = []
    for place, question in sorted(waiting.items()):
        for batch in found:
            if _alike(waiting[batch[0]], question):
                batch.append(place)
                break
        else:
            found.append([place])
    return found


def _alike(one: Question, other: Question) -> bool:
    places = one.encoder.placement, other.encoder.placement
    ranges = all(isinstance(placement, Position) for placement in places)
    same = (one.role, one.channel, one.epsilon) == (other.role, other.channel, other.epsilon)
    return same and abs(one.slots.count - other.slots.count) <= 1 and (ranges or places[0] == places[1])


def _joined(questions: Sequence[Question], *, number: int, first: int) -> Question:
    """One question, a group for each; users are dealt to groups in turn."""
    one, placement = questions[0], questions[0].encoder.placement
    columns: list[int] = []
    for question in questions:
        assert isinstance(question.encoder.statistic, Average)
        columns += question.encoder.statistic.columns
    if not isinstance(placement, Bins):
        ranges = [question.encoder.placement for question in questions]
        placement = Position(
            low=tuple(at.low[0] for at in ranges if isinstance(at, Position)),
            high=tuple(at.high[0] for at in ranges if isinstance(at, Position)),
        )
    return replace(
        one,
        round=number,
        slots=Slots(first=first, count=sum(question.slots.count for question in questions)),
        encoder=Encoder(statistic=Average(columns=tuple(columns)), placement=placement),
        groups=len(questions),
    )
