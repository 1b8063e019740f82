"""Several scripts side by side, each about a column of its own, with users of its own.

Bins that differ in nothing but the column are asked as one question, in groups, the others one after another. Who is
done with bins waits for the others: what is left to ask is where between two ends each user lies, and that is one
question for all columns. A script sees only the tally of its own users.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from sottovoce.messages import Average, Bins, Encoder, Position, Question, Slots, Tally
from sottovoce.methods.script import Script

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
        for place, own in sorted(answers.items()):
            try:
                waiting[place] = scripts[place].send(own)
            except StopIteration as stop:
                results[place] = stop.value
    return [results[place] for place in range(len(scripts))], tuple(answered)


def _batches(waiting: dict[int, Question]) -> list[list[int]]:
    """Which questions are asked now, and which of them as one: bins that are alike, or else all positions."""
    found: list[list[int]] = []
    binned = [place for place, question in sorted(waiting.items()) if isinstance(question.encoder.placement, Bins)]
    for place in binned:
        for batch in found:
            if _alike(waiting[batch[0]], waiting[place]):
                batch.append(place)
                break
        else:
            found.append([place])
    return found or [sorted(waiting)]


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
