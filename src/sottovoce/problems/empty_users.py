"""Users without any observation: where they fall, and how far an interval reaches that allows for them.

A device always answers; one that holds nothing sends what the question says, the middle or a random input. A survey
cannot see how many do. So far as they are declared (`empty_at_most`), intervals are widened until they hold the truth
among the users who hold something.

*What one of them counts as.* Any question asks an empty device for something that a user with data could have sent, so
that a guarantee which holds whatever the users are holds for the mixture too. In a question whose answers go into the
estimate, the entry e that it stands for is known: of a position in [a, b] the middle (a + b)/2, also of a random one,
on average; of an item the middle category, or 1/k for each of k; of a direction, which is asked from a centre, the
centre itself: the device lies at distance nothing from it, and sends either of two opposite directions by the toss of a
coin; of a Hadamard coefficient 0, which is 1/k for all. Rounds that only find out where users are (bins, lengths,
checks, votes) are in no estimate: there an empty device lies at the centre, or in a bin, and is seen like any other.

How far intervals then reach, `answers.empty` says, and every kind of answer how that widens its own
(`Answer.allowing_for_empty`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sottovoce.messages import (
    Average,
    Category,
    Coefficient,
    Direction,
    Entry,
    Fact,
    Inside,
    Interval,
    InvalidInput,
    Knots,
    Position,
    Question,
    Rotated,
    Vector,
)
from sottovoce.methods import Script

EMPTY_USERS_VOTE = Fact("empty-users-vote")
"""Why intervals cannot allow for users without data where a vote decides where all others are asked."""
SYMBOL = (
    'empty="symbol" counts users without data apart, which sv.{0}(…, empty="symbol") and sotto estimate {0} … --empty '
    'symbol do; these settings take "middle" or "random"'
)


def check_empty(problem: str, empty: str, at_most: float) -> None:
    """Refuse a place where nobody falls, and what no share is."""
    if empty == "symbol":
        raise InvalidInput(rule=SYMBOL.format(problem))
    if empty not in ("middle", "random"):
        raise InvalidInput(rule="empty must be middle or random", got=empty)
    if not isinstance(at_most, float) or not 0 <= at_most < 1:
        raise InvalidInput(
            rule="empty_at_most is the largest share of the users who hold nothing, from 0 to below 1", got=at_most
        )


def with_empty_users_placed(script: Script[Any], empty: str) -> Script[Any]:
    """The same rounds, each question saying where users with nothing fall; those that have a place of their own stay.

    What the rounds read is the tally as if it were of their own question: channel and slots are the same.
    """
    try:
        question = next(script)
        while True:
            asked = question
            if empty != "middle" and question.encoder.statistic.silent:
                asked = replace(question, encoder=replace(question.encoder, empty=empty))
            tally = yield asked
            question = script.send(tally if asked is question else tally.as_of(question))
    except StopIteration as stop:
        return stop.value
    finally:
        script.close()


def range_of_empty_users(asked: Sequence[Question], entries: int) -> list[Interval | None]:
    """Between what and what a user without data counts, in each entry; None where no question said anything of it."""
    places: list[list[float]] = [[] for _ in range(entries)]
    for question in asked:
        for entry, place in _entries_of_empty_user(question).items():
            places[entry].append(place)
    return [(min(at_entry), max(at_entry)) if at_entry else None for at_entry in places]


def _entries_of_empty_user(asked: Question) -> dict[int, float]:
    """What a user without data stands for in each entry that a question estimates, on average over lots."""
    statistic, placement = asked.encoder.statistic, asked.encoder.placement
    match statistic:
        case Average() if isinstance(placement, Position):
            return dict(zip(statistic.columns, _middles(placement, len(statistic.columns)), strict=True))
        case Average() if isinstance(placement, Knots):
            random = float(placement.number(np.arange(0.5, len(placement.places) - 1)).mean())
            return {0: random if asked.encoder.empty == "random" else placement.nothing}
        case Rotated():
            return dict(enumerate(statistic.centre))
        case Direction() if asked.role != "vote":
            return _in_observed_units(statistic.vector, statistic.centre)
        case Entry() if isinstance(placement, Position):
            return _in_observed_units(statistic.vector, _middles(placement, statistic.vector.size))
        case Coefficient():
            return dict.fromkeys(range(statistic.vector.size), 1 / statistic.vector.size)
        case Category():
            size = statistic.vector.size
            if asked.encoder.empty == "random":
                return dict.fromkeys(range(size), 1 / size)
            return {place: float(place == size // 2) for place in range(size)}
    return {}


def _middles(placement: Position, entries: int) -> list[float]:
    """The middle of the range of each entry, or of the one that all have."""
    middles = [(low + high) / 2 for low, high in zip(placement.low, placement.high, strict=True)]
    return middles if len(middles) == entries else middles * entries


def _in_observed_units(vector: Vector, places: Sequence[float]) -> dict[int, float]:
    """Places in units of the observations, where a question has its own."""
    if not isinstance(vector, Inside):
        return dict(enumerate(places))
    middle, half = (part if len(part) > 1 else part * len(places) for part in (vector.middle, vector.half))
    return {entry: middle[entry] + half[entry] * at for entry, at in enumerate(places)}
